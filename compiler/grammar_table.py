"""The grammar file into a parser, built once and kept on disk for the next run."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import marshal
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

import lark
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef

STARTS = ["rules", "block", "expression", "hooks", "column_type", "type"]

_GRAMMAR = Path(__file__).with_name("grammar.lark")
# Terminals of several words; the words mean different terminals in different places.
_WORDS = {"WHEN": ("on", "instead", "before", "after"), "CODE": ("procedure", "function")}


class GrammarTable:
    """The parser and what its terminals are in the text."""

    def __init__(self, parser: lark.Lark) -> None:
        self.parser = parser
        self.words: dict[str, list[str]] = {}  # word -> terminals it may be
        self.signs: dict[str, str] = {}  # sign -> its terminal
        self.texts: dict[str, str] = {}  # terminal -> word or sign
        for terminal in parser.terminals:
            if not isinstance(terminal.pattern, PatternStr):
                for word in _WORDS.get(terminal.name, ()):
                    self.words.setdefault(word, []).append(terminal.name)
                continue
            text = terminal.pattern.value
            self.texts[terminal.name] = text
            if text[0].isalpha():
                self.words.setdefault(text, []).append(terminal.name)
            else:
                self.signs[text] = terminal.name


@functools.cache
def grammar_table() -> GrammarTable:
    """The parser of this process: from the cache if it is there and whole, else built anew."""
    grammar = _GRAMMAR.read_text(encoding="utf-8")
    key = repr((grammar, STARTS, lark.__version__, sys.version)).encode()
    digest = hashlib.sha256(key).hexdigest()
    directory = _directory()
    file = None if directory is None else directory / f"grammar-{digest[:32]}.table"
    parser = None if file is None else _load(file)
    if parser is None:
        parser = lark.Lark(
            grammar,
            parser="lalr",
            lexer="basic",  # never run: tokens come from tokenise
            start=STARTS,
            propagate_positions=True,
            maybe_placeholders=True,
        )
        if file is not None:
            _save(parser, file)
    return GrammarTable(parser)


def _directory() -> Path | None:
    """Where to keep built parsers; nowhere when there is no home directory."""
    if chosen := os.environ.get("RULEWRIGHT_CACHE"):
        return Path(chosen)
    if chosen := os.environ.get("XDG_CACHE_HOME"):
        return Path(chosen) / "rulewright"
    try:
        return Path.home() / ".cache" / "rulewright"
    except RuntimeError:
        return None


def _load(file: Path) -> lark.Lark | None:
    # The digest in front tells a damaged file, which marshal cannot be trusted to notice.
    try:
        data = file.read_bytes()
        if hashlib.sha256(data[32:]).digest() != data[:32]:
            return None
        return lark.Lark.load(cast(Any, marshal.loads(data[32:])))
    except Exception:
        return None  # whatever is wrong with the cache, building anew is right


def _save(parser: lark.Lark, file: Path) -> None:
    # The cache only saves time: a home that cannot be written must not stop anybody.
    with contextlib.suppress(OSError, ValueError):
        data, memo = parser.memo_serialize([TerminalDef, Rule])
        content = marshal.dumps({"data": data, "memo": memo})
        file.parent.mkdir(parents=True, exist_ok=True)
        # Another process may be reading or writing the same file: rename a finished one.
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.stem)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(hashlib.sha256(content).digest() + content)
            os.replace(name, file)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
