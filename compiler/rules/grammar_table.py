"""The grammar file into the tables of a parser, built once and kept on disk for the next run."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import marshal
import sys
from pathlib import Path
from typing import Any, NamedTuple

from rulewright.cache import folder, read, write

STARTS = ["rules", "block", "expression", "hooks", "column_type", "type"]

# What becomes of one part of a construct when its tree is made.
DROP, KEEP, SPLICE = 0, 1, 2

_GRAMMAR = Path(__file__).with_name("grammar.lark")
_FORMAT = 1  # to be raised when the tables below change their form
# Terminals of several words; the words mean different terminals in different places.
_WORDS = {"WHEN": ("on", "instead", "before", "after"), "CODE": ("procedure", "function")}

# How many parts a construct has, its nonterminal, the name of its tree, whether it has a tree
# of its own, for each part the number of gaps before it and what becomes of it, gaps at the end.
Plan = tuple[int, str, str, bool, tuple[tuple[int, int], ...], int]


class GrammarTable(NamedTuple):
    """An LALR table: plain data, so that it can be kept on disk as it is."""

    words: dict[str, list[str]]  # word -> terminals it may be
    signs: dict[str, str]  # sign -> its terminal
    texts: dict[str, str]  # terminal -> word or sign
    starts: dict[str, tuple[int, int]]  # entry point -> first and last state
    actions: list[dict[str, int]]  # state, terminal -> next state, or a plan n as -1 - n
    goto: list[dict[str, int]]  # state, nonterminal -> next state
    plans: list[Plan]


@functools.cache
def grammar_table() -> GrammarTable:
    """The tables for this process: from the cache if they are there and whole, else built anew."""
    grammar = _GRAMMAR.read_text(encoding="utf-8")
    version = importlib.metadata.version("lark")
    key = repr((_FORMAT, grammar, STARTS, version, sys.version)).encode()
    digest = hashlib.sha256(key).hexdigest()
    file = folder() / f"grammar-{digest[:32]}.table"
    table = _load(file)
    if table is None:
        table = _build(grammar)
        _save(table, file)
    return table


def _build(grammar: str) -> GrammarTable:
    # Imported only here, because with tables from the cache nothing else of it is needed.
    import lark
    from lark.lexer import PatternStr
    from lark.parsers.lalr_analysis import Shift

    parser = lark.Lark(grammar, parser="lalr", lexer="basic", start=STARTS)
    words: dict[str, list[str]] = {}
    signs: dict[str, str] = {}
    texts: dict[str, str] = {}
    for terminal in parser.terminals:
        if not isinstance(terminal.pattern, PatternStr):
            for word in _WORDS.get(terminal.name, ()):
                words.setdefault(word, []).append(terminal.name)
            continue
        text = terminal.pattern.value
        texts[terminal.name] = text
        if text[0].isalpha():
            words.setdefault(text, []).append(terminal.name)
        else:
            signs[text] = terminal.name

    raw: Any = parser.parse_interactive("", start="rules").parser_state.parse_conf.parse_table
    numbers = {state: number for number, state in enumerate(raw.states)}
    plans: dict[Any, int] = {}
    actions: list[dict[str, int]] = []
    goto: list[dict[str, int]] = []
    for moves in raw.states.values():
        actions.append({})
        goto.append({})
        for symbol, (action, target) in moves.items():
            if action is not Shift:
                actions[-1][str(symbol)] = -1 - plans.setdefault(target, len(plans))
            elif symbol.isupper() or symbol == "$END":
                actions[-1][str(symbol)] = numbers[target]
            else:
                goto[-1][str(symbol)] = numbers[target]
    ends = raw.end_states
    starts = {s: (numbers[raw.start_states[s]], numbers[ends[s]]) for s in STARTS}
    return GrammarTable(words, signs, texts, starts, actions, goto, [_plan(rule) for rule in plans])


def _plan(rule: Any) -> Plan:
    """What a rule of the grammar makes of its parts, as the grammar's notation has it."""
    # A gap is an optional part left out; the notation marks the gaps among the parts.
    marks = rule.options.empty_indices or [False] * len(rule.expansion)
    gaps = [len(run) for run in "".join("1" if gap else "0" for gap in marks).split("0")]
    steps, waiting = [], 0
    for symbol, before in zip(rule.expansion, gaps, strict=False):
        waiting += before
        use = KEEP
        if symbol.is_term:
            use = DROP if symbol.filter_out and not rule.options.keep_all_tokens else KEEP
        elif symbol.name.startswith("_"):
            use = SPLICE
        steps.append((0 if use == DROP else waiting, use))
        waiting = waiting if use == DROP else 0
    origin = str(rule.origin.name)
    has_tree = not origin.startswith("_")
    name = str(rule.alias or origin)
    return len(rule.expansion), origin, name, has_tree, tuple(steps), waiting + gaps[-1]


def _load(file: Path) -> GrammarTable | None:
    # The digest in front tells a damaged file, which marshal cannot be trusted to notice.
    data = read(file)
    if data is None or hashlib.sha256(data[32:]).digest() != data[:32]:
        return None
    try:
        return GrammarTable(*marshal.loads(data[32:]))
    except Exception:
        return None  # whatever is wrong with the cache, building anew is right


def _save(table: GrammarTable, file: Path) -> None:
    content = marshal.dumps(tuple(table))
    write(file, hashlib.sha256(content).digest() + content)
