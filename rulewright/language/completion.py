"""A place in a file and the names of the spec → what could be written there, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.compiler.check.scope import BUILTINS
from rulewright.language.declared_names import Named, Names
from rulewright.language.word_at import before_cursor, locals_near

MOST = 60
STATEMENTS = (
    "if", "elif", "else", "for", "while", "loop", "choose", "either", "option", "where", "let", "var", "return", "break",
    "continue", "roll", "draw", "deal", "move", "score", "require", "reset", "tell", "put", "take", "show", "pass", "together",
)  # fmt: skip
WORDS = (
    "in", "not", "and", "or", "is", "none", "true", "false", "by", "as", "say", "from", "to", "of", "meets", "within", "secretly",
    "any", "all", "count", "sum", "best", "sort", "groups",
)  # fmt: skip
DECLARATIONS = (
    "procedure", "function", "open", "replace", "state", "pieces", "on", "instead", "before", "after", "invariant", "outcome",
    "heuristic",
)  # fmt: skip
_HOOK = re.compile(r"""(?:^|[\s"'])(on|instead|before|after)\s+([A-Za-z_]\w*)?$""")
_REASON = re.compile(r"\bscore\b.*\bfor\s+(\w*)$")
_DOT = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\.(\w*)$")
_TYPE = re.compile(r"(?:->|:)\s*(?:(?:set|list|map)\s+(?:of\s+)?)?([A-Z]\w*)?$")
_CITE = re.compile(r"\bcite\s*:\s*(?:\[(?:[^\],]*,)*\s*)?([A-Za-z][\w.-]*)?$")


@dataclass(frozen=True, slots=True)
class Completion:
    """`insert` takes the place of the `length` characters before the cursor."""

    name: str
    sort: str
    detail: str
    insert: str
    length: int


def complete(file: str, text: str, line: int, column: int, names: Names) -> list[Completion]:
    before = before_cursor(text, line, column)
    if found := re.search(r"@([A-Za-z][\w.-]*)?$", before):
        return _fitting(_clauses(names), found[1] or "")
    if file.endswith(".yaml") and (found := _CITE.search(before)):
        return _fitting(_clauses(names), found[1] or "")
    if _in_text(before) and file.endswith(".rules"):
        return []
    if found := _HOOK.search(before):
        return _fitting(_open(names, found[1]), found[2] or "")
    if found := _REASON.search(before):
        return _fitting([_plain(n) for n in names.of_sort("reason")], found[1])
    if found := _DOT.search(before):
        return _fitting(_columns(names, text, line, found[1]), found[2])
    typed = re.search(r"[A-Za-z_][\w.]*$", before)
    prefix = typed[0] if typed else ""
    kinds = [_plain(n) for n in names.of_sort("table")]
    if file.endswith(".rules") and _TYPE.search(before):
        built_in = [Completion(w, "type", "", w, 0) for w in ("Player", "int", "bool")]
        return _fitting([*kinds, *built_in], prefix)
    if file.endswith(".rules") and before.strip() == prefix and not before.startswith(" "):
        return _fitting([Completion(w, "word", "", w, 0) for w in DECLARATIONS], prefix)
    if not prefix:
        return []
    offered = [Completion(n, "local", kind, n, 0) for n, kind in locals_near(text, line).items()]
    offered += [_plain(n) for n in names.of_sort("state", "zone", "constant", "option", "table")]
    offered += [_call(n) for n in names.of_sort("function", "procedure")]
    offered += [_plain(n) for n in names.of_sort("row")]
    offered += [Completion(n, "built in", "", f"{n}(", 0) for n in sorted(BUILTINS)]
    offered += [Completion(n, "word", "", n, 0) for n in (*STATEMENTS, *WORDS)]
    return _fitting(offered, prefix)


def _fitting(offered: Iterable[Completion], prefix: str) -> list[Completion]:
    """Those that begin so, then those that have it inside; each name once, and nothing that is written already."""
    plain = prefix.casefold()
    seen: set[tuple[str, str]] = set()
    ranked: list[tuple[int, int, Completion]] = []
    for number, one in enumerate(offered):
        name = one.name.casefold()
        if plain not in name or (one.name, one.sort) in seen or one.insert == prefix:
            continue
        seen.add((one.name, one.sort))
        rank = 0 if one.name.startswith(prefix) else 1 if name.startswith(plain) else 2
        whole = Completion(one.name, one.sort, one.detail, one.insert, len(prefix))
        ranked.append((rank, number, whole))
    return [one for _, _, one in sorted(ranked, key=lambda r: r[:2])][:MOST]


def _plain(named: Named) -> Completion:
    quoted = named.sort == "row" and not named.name.isidentifier()
    insert = f"'{named.name}'" if quoted else named.name
    return Completion(named.name, named.sort, named.about or named.text, insert, 0)


def _call(named: Named) -> Completion:
    return Completion(named.name, named.sort, named.text, f"{named.name}(", 0)


def _clauses(names: Names) -> list[Completion]:
    return [Completion(id_, "clause", rule, id_, 0) for id_, rule in names.clauses.items()]


def _open(names: Names, when: str) -> list[Completion]:
    """What a hook can hang on; its parameters are written too, the first player as `me`."""
    sort = "function" if when in ("on", "instead") else "procedure"
    return [
        Completion(n.name, sort, n.about or n.text, f"{n.name}({', '.join(hook_params(n))}): ", 0)
        for n in names.of_sort(sort)
        if n.within == "open"
    ]


def hook_params(named: Named) -> list[str]:
    """The parameters of an open procedure or function as a power names them."""
    out, me = [], False
    for param in named.params:
        name, _, type_ = param.partition(": ")
        if not me and type_ in ("Player", "Participant"):
            out.append("me")
            me = True
        else:
            out.append(name)
    return out


def _columns(names: Names, text: str, line: int, base: str) -> list[Completion]:
    """The columns of what stands before the dot; where that is not known, all there are."""
    kind = locals_near(text, line).get(base, "").removesuffix(" or none")
    if base in {n.name for n in names.of_sort("table")}:
        return [_plain(n) for n in names.rows_of(base)]
    found = names.columns_of(kind) or names.of_sort("column")
    out = [Completion(n.name, "column", n.about or n.text, n.name, 0) for n in found]
    if kind == "Player" or not names.columns_of(kind):
        out += [Completion("next", "column", "the seat to the left", "next", 0)]
    return out


def _in_text(before: str) -> bool:
    """Whether the cursor is inside of a text in quotes, outside of its holes, or in a comment."""
    inside = before.count('"') % 2 == 1
    if inside:
        return before.rfind("{") <= before.rfind("}")
    code = re.sub(r'"[^"]*"', "", before)
    return "#" in code
