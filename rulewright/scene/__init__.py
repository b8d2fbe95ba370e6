"""What is shown of a position, where, in which colours and words, apart from how it is drawn: play/ draws characters, web/ SVG."""
