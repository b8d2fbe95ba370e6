"""No two modules have one name for different things: a name that occurs twice means the same in both places, and here is what.

Nor are names inside a function of the compiler told from each other by a number alone.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = ("compiler", "runtime", "rulewright", "bench")
# a module of rulewright/cli is called after its command, whatever else is called so
COMMANDS = ROOT / "rulewright" / "cli"
# modules of one name and one task: what each of them does where it stands
SAME = {
    "board": "a position → a picture of it: of characters, in the browser",
    "colours": "words for colours → how they look: in the terminal, on pages",
    "native": "engines in C: built and kept, and made to look like a Python module",
    "order": "zones that keep their order: in the rules, and at play",
    "page": "what was worked out → a page",
    "plan": "what was asked for → what is to be run",
    "run": "does what its folder is for, with all that the others prepared",
    "show": "what was found → what is read in the terminal",
    "store": "what lasts longer than a process: units of runs, tables of a server",
    "vector": "many games side by side: ours, and as a package of others wants them",
}


def _modules() -> dict[str, list[str]]:
    found = defaultdict(list)
    for part in PARTS:
        for file in sorted((ROOT / part).rglob("*.py")):
            if not file.stem.startswith("__") and file.parent != COMMANDS:
                found[file.stem].append(str(file.relative_to(ROOT)))
    return found


def test_a_name_that_occurs_twice_means_one_thing() -> None:
    twice = {name: files for name, files in _modules().items() if len(files) > 1}
    assert set(twice) == set(SAME), {n: twice.get(n) for n in set(twice) ^ set(SAME)}


def _given(function: ast.FunctionDef) -> set[str]:
    """The names that get a value in a function."""
    found = set()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
    return found


def test_names_have_words_for_what_differs() -> None:
    """`kind2` says nothing; of a pair, like `low1` and `low2`, both have their number."""
    bare = [
        f"{file.relative_to(ROOT)}:{node.lineno} {name}"
        for part in ("compiler", "runtime")
        for file in sorted((ROOT / part).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for given in [_given(node)]
        for name in sorted(given)
        if re.search(r"[a-z]_?[2-9]$", name) and name[:-1] + "1" not in given
    ]
    assert not bare, "\n".join(bare)
