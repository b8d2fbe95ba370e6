"""Text from outside → text that can be shown: nothing in it steers a terminal or turns the order of its letters."""

from __future__ import annotations

import re

# Control characters but for tabs and line ends, line separators that only some tools count as lines, marks and overrides of
# the direction, what is not seen at all, and lone surrogates: with any of them, what a reader sees is not what is there.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)


def plain(text: str) -> str:
    """The text with every such character spelled out, as in \\u202e."""
    return UNSAFE.sub(lambda found: _spelled(found[0]), text)


def one_line(text: str) -> str:
    """The text on one line, with everything that is not printed spelled out."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _spelled(c) for c in text)


def _spelled(char: str) -> str:
    return char.encode("unicode_escape").decode()
