"""Words for colours as games use them → shades for light and dark pages, and the ink that can be read on them."""

from __future__ import annotations

from rulewright.scene.layout import Colour

# (light, dark) shades that stay apart for those who see colours otherwise; a game may give its own
WORDS: dict[str, Colour] = {
    "red": Colour("#c0392b", "#e06352"),
    "green": Colour("#24794a", "#46b377"),
    "blue": Colour("#2f6db5", "#5b9be0"),
    "yellow": Colour("#e8b923", "#f0c944"),
    "white": Colour("#f6f3ea", "#e9e4d6"),
    "black": Colour("#33312e", "#4a4743"),
    "grey": Colour("#8b8880", "#8f8c85"),
    "pink": Colour("#d9679f", "#e27fb0"),
    "purple": Colour("#7d4fa3", "#a57cc9"),
    "orange": Colour("#e07b28", "#ee9247"),
    "brown": Colour("#8a5a33", "#b07d52"),
    "sand": Colour("#ead9b0", "#6b5c3a"),
    "stone": Colour("#d8d3c8", "#4b4842"),
    "water": Colour("#a9cfe0", "#2d5568"),
    "grass": Colour("#c3d8a3", "#45592f"),
    "paper": Colour("#fbf8f0", "#2a2825"),
    "silver": Colour("#b9bcc0", "#9a9da1"),
}


def word_exists(word: str) -> bool:
    return word.lower() in WORDS


def shade(word: str, own: dict[str, Colour] | None = None) -> Colour | None:
    """The colour that a word stands for in a game."""
    return (own or {}).get(word) or WORDS.get(word.lower())


def ink(colour: str) -> str:
    """Black or white, whichever can be read better on a colour."""
    light = luminance(colour)
    return "#ffffff" if 1.05 / (light + 0.05) > (light + 0.05) / 0.06 else "#1b1a18"


def luminance(colour: str) -> float:
    """How bright a colour is to the eye, from 0 to 1."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
