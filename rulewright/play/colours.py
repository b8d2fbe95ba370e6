"""Words for colours as games use them → styles of the terminal."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color, ColorParseError

# words that the terminal's own names do not cover
_WORDS = {
    "pink": "magenta",
    "purple": "medium_purple",
    "orange": "dark_orange",
    "brown": "orange4",
    "black": "bright_black",
}


@lru_cache(maxsize=256)
def colour_of(word: str) -> str:
    """A style for a word such as Blue or pink; none for a word that is no colour."""
    name = word.lower()
    name = _WORDS.get(name, name)
    try:
        Color.parse(name)
    except ColorParseError:
        return ""
    return name
