"""Bots that meet in blocks → who is how strong: ratings with intervals, pairs, and a question that is answered as soon as it can be."""
