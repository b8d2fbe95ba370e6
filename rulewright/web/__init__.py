"""A game in the browser."""
