"""The documentation is run: files are written, commands typed, code executed, every example of the language compiled."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest
from doc_blocks import Block, agrees, blocks, commands

from rulewright.compiler.build import build, check_spec, read_spec
from rulewright.compiler.read.overlay import rulesets
from rulewright.compiler.read.overlay_apply import declared_names
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.parse import parse_rules
from rulewright.compiler.rules.print_syntax import print_decl
from rulewright.compiler.text.codes import CODES
from rulewright.compiler.text.diagnostics import Problems, SpecError, render_all
from rulewright.compiler.text.source import Source
from rulewright.engines import module_of

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LANGUAGE = DOCS / "language.md"
PAGES = [p for p in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))] if p.is_file()]
# Commands that a test can't run as they stand: they make environments, run the whole suite, or do not end. (The demo has a
# test of its own.)
NOT_RUN = re.compile(r"(make|git|pip|python3? -m (venv|pip)|source|cd|\.venv/bin/pip)\b")
SHELL = re.compile(r"(rulewright|python|cat|ls|mkdir)\b")


def section_name(block: Block) -> str:
    return f"{block.section} (line {block.line})"


# ---------------------------------------------------------------- pages that are read from top to bottom


# one page needs an extra, and is run with the family that has it; some play many games
_MARKS = {
    "research.md": pytest.mark.research,
    "bots.md": pytest.mark.wide,
    "playing.md": pytest.mark.wide,
    "runs.md": pytest.mark.wide,
}


def _with_marks(page: Path) -> Any:
    return pytest.param(page, marks=_MARKS[page.name]) if page.name in _MARKS else page


@pytest.mark.parametrize("page", list(map(_with_marks, PAGES)), ids=lambda p: p.name)
def test_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(shared_cache))
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.target is not None and page != LANGUAGE:
            write(block, tmp_path)
        elif block.lang in ("console", "sh", "bash", "shell"):
            run_console(block, tmp_path)
        elif block.lang == "python":
            run_python(block, names)


def write(block: Block, folder: Path) -> None:
    assert block.target is not None
    how, name = block.target
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = block.text.split("\n", 1)[1]
    if how == "add to":
        text = path.read_text(encoding="utf-8") + text
    path.write_text(text, encoding="utf-8")


def run_console(block: Block, folder: Path) -> None:
    assert block.lang == "console", f"{block.where}: write commands as a console block, '$ command'"
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8",
    }  # fmt: skip
    expected = int(next((w[5:] for w in block.words if w.startswith("exit=")), "0"))
    found = commands(block)
    typed = next((w[6:].split(",") for w in block.words if w.startswith("typed=")), None)
    for number, (command, shown) in enumerate(found):
        if NOT_RUN.match(command):
            continue
        if "long" in block.words:
            # the figures of the page took their time: one game and little thought show that the command is right
            command = re.sub(r"(-n|--games) \d+", r"\1 1", command)
            command = re.sub(r"mcts:\d+", "mcts:3", command)
            command, shown = command.replace("greedy", "greedy:1"), ""
        assert SHELL.match(
            command
        ), f"{block.where}: {command!r} is not a command that the test knows"
        if command.startswith("rulewright serve") and "--clear" not in command:
            status, text = serve(command, folder, environment)
        elif typed is not None:
            status, text = type_answers(command, typed, folder, environment)
        else:
            got = subprocess.run(
                command, shell=True, cwd=folder, env=environment, text=True, timeout=240,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
            )  # fmt: skip
            status, text = got.returncode, got.stdout
        code = expected if number == len(found) - 1 else 0
        assert status == code, f"{block.where}: $ {command}\n{text}"
        if shown:
            assert agrees(shown, text), f"{block.where}: $ {command}\n{text}"


def serve(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """A server does not end by itself: it is up when it says where, and is stopped then. It takes a port that is free."""
    words = f"exec {command} --no-browser --port 0 --store {folder / 'tables.sqlite'}"
    server = subprocess.Popen(
        words, shell=True, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    server.terminate()
    server.wait(30)
    return 0 if line.startswith("The games are at") else 1, re.sub(r":\d{4,5} ", ":8765 ", line)


def type_answers(
    command: str, answers: list[str], folder: Path, environment: dict[str, str]
) -> tuple[int, str]:
    """A command in a terminal of its own, each answer typed at a prompt; after `again` the last answer to the end."""
    child: pexpect.spawn[str] = pexpect.spawn(
        "/bin/sh", ["-c", command], cwd=str(folder), env={**environment, "LINES": "60"}, encoding="utf-8",
        timeout=120, dimensions=(60, 100),
    )  # fmt: skip
    left = list(answers)
    text = ""
    while child.expect([r"\n\w+> ", pexpect.EOF]) == 0:
        text += child.before + child.after
        answer = left[0]
        if left[1:] != ["again"]:
            left.pop(0)
        child.sendline(answer)
    text += child.before
    child.close()
    assert left in ([], [answers[-2], "again"]), f"not typed: {left}"
    return child.exitstatus or 0, text.replace("\r\n", "\n")


def run_python(block: Block, names: dict[str, object]) -> None:
    if ">>>" not in block.text:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block.text, block.where, "exec"), names)
        return
    text = block.text.replace("…", "...")
    test = doctest.DocTestParser().get_doctest(text, {}, block.where, block.page, block.line)
    test.globs = names
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.write, clear_globs=False)
    assert not runner.failures, report.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


# ---------------------------------------------------------------- every construct of the language


def _language() -> tuple[list[Block], dict[str, list[Block]]]:
    """The blocks of the common spec, and those of each section."""
    common: list[Block] = []
    sections: dict[str, list[Block]] = {}
    for block in blocks(LANGUAGE):
        if block.lang not in ("rules", "yaml", "csv"):
            continue
        if "common" in block.words:
            common.append(block)
        else:
            sections.setdefault(block.section, []).append(block)
    return common, sections


COMMON, SECTIONS = _language()


def parsed(text: str, where: str) -> tuple[S.Decl, ...]:
    problems = Problems()
    source = Source(where, text, text.split("\n"))
    rules = parse_rules(source, problems)
    assert not problems.has_errors, [p.message for p in problems]
    return rules.decls


def names_in(decls: tuple[S.Decl, ...]) -> set[str]:
    found = {name.text for decl in decls for name in declared_names(decl)}
    # of these there is one in a game
    ends = {"outcome" for d in decls if isinstance(d, S.Outcome | S.Together)}
    return found | ends | {"heuristic" for d in decls if isinstance(d, S.Heuristic)}


def as_rules(block: Block, number: int) -> str:
    """A block as declarations: statements and expressions are put into a procedure of their own."""
    if "statements" in block.words:
        body = "".join(f"    {line}\n" if line else "\n" for line in block.text.splitlines())
        return f"procedure example_{number}(p: Player, q: Player):\n{body}"
    if "expressions" in block.words:
        lines = [line for line in block.text.splitlines() if line and not line.startswith("#")]
        body = "".join(f"    let value_{i} = {line}\n" for i, line in enumerate(lines))
        return f"procedure example_{number}(p: Player, q: Player):\n{body}"
    return block.text


def make_spec(folder: Path, own: list[Block]) -> None:
    """The common spec with a section's blocks added; what a section declares itself takes the place of the common."""
    common = [] if any("alone" in b.words for b in own) else COMMON
    rules = [as_rules(b, i) for i, b in enumerate(own) if b.lang == "rules" and not b.target]
    mine = set().union(*(names_in(parsed(text, own[0].where)) for text in rules))
    for block in [*common, *own]:
        if block.lang == "yaml" or block.target:
            assert block.target is not None, f"{block.where}: which file is this?"
            write(block, folder)
    for i, block in enumerate(b for b in common if b.lang == "rules" and not b.target):
        kept = [d for d in parsed(block.text, block.where) if not names_in((d,)) & mine]
        text = "".join(print_decl(d) for d in kept)
        if kept:
            (folder / f"common_{i}.rules").write_text(text, encoding="utf-8")
    for i, text in enumerate(rules):
        (folder / f"own_{i}.rules").write_text(text, encoding="utf-8")


GOOD = [
    (title, [b for b in own if "bad" not in b.words])
    for title, own in SECTIONS.items()
    if any("bad" not in b.words for b in own)
]
BAD = [
    (block, [b for b in own if "bad" not in b.words])
    for own in SECTIONS.values()
    for block in own
    if "bad" in block.words
]


@pytest.mark.parametrize(("title", "own"), GOOD, ids=[title for title, _ in GOOD])
def test_examples_of_the_language_compile(title: str, own: list[Block], tmp_path: Path) -> None:
    make_spec(tmp_path, own)
    spec = read_spec(tmp_path, "example")
    problems = check_spec(spec)
    assert not problems.has_errors, render_all(problems.errors, spec.sources)
    for players, variants in rulesets(spec.folder):
        for full in (False, True):
            engine = build(spec, players, variants, full=full, all_entries=full)
            module_of(engine.text, "example")


@pytest.mark.parametrize(("block", "around"), BAD, ids=[section_name(b) for b, _ in BAD])
def test_mistakes_in_the_reference_are_found(
    block: Block, around: list[Block], tmp_path: Path
) -> None:
    # where a page tells a spec of its own, a mistake is one in its rules
    own = [b for b in around if "alone" in b.words and b.lang == "yaml"]
    make_spec(tmp_path, [*own, block])
    code = block.words[block.words.index("bad") + 1]
    try:
        found = check_spec(read_spec(tmp_path, "example"))
    except SpecError as error:
        found = error.problems
    assert code in {p.code for p in found}, render_all(found, read_spec(tmp_path).sources)


def test_every_word_of_the_language_is_shown() -> None:
    """Each keyword of the grammar, each built-in function and each key of the files stands in some example."""
    from rulewright.compiler.check.scope import BUILTINS

    grammar = (ROOT / "compiler" / "rules" / "grammar.lark").read_text(encoding="utf-8")
    rules = re.sub(r"//.*", "", grammar)
    words = set(re.findall(r'"([a-z]+)"', rules))
    shown = "".join(b.text for b in blocks(LANGUAGE) if b.lang in ("rules", "yaml"))
    used = set(re.findall(r"[A-Za-z_-]+", shown))
    assert sorted((words | set(BUILTINS)) - used) == []
    operations = {"any", "all", "count", "sum", "min", "max", "best", "sort", "groups"}
    assert sorted(op for op in operations if f"{op}(" not in shown) == []


# ---------------------------------------------------------------- the table of messages


def code_table() -> str:
    rows = "".join(f"| {code} | {title} |\n" for code, title in sorted(CODES.items()))
    return f"| code | what it is about |\n|---|---|\n{rows}"


def test_table_of_messages_is_complete() -> None:
    text = LANGUAGE.read_text(encoding="utf-8")
    before, mark, rest = text.partition("<!-- codes -->\n")
    _, end, after = rest.partition("<!-- end of codes -->\n")
    assert mark and end, "the marks around the table are missing"
    whole = f"{before}{mark}{code_table()}{end}{after}"
    if os.environ.get("UPDATE_GOLDEN"):
        LANGUAGE.write_text(whole, encoding="utf-8")
    else:
        assert text == whole, "UPDATE_GOLDEN=1 writes the table anew"
