"""A game in the terminal: what a seat sees, what it may do, what just happened."""
