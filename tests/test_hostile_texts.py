"""Text of a spec or a file that tries to be code, markup, a tag or an order to the terminal: it is shown as it is, or refused."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rulewright import cli
from rulewright.compiler.emit.spelling import docstring, inside, literal
from rulewright.engines import engine_name, load
from rulewright.report import markdown
from rulewright.runtime.plain import UNSAFE, one_line, plain

ROOT = Path(__file__).parents[1]
# Python that would leave a file behind, HTML, markup of terminals, templates and Markdown, in one line
PYTHON = """''' \"\"\" + str(__import__("pathlib").Path("HARM").touch()) + \"\"\" {__import__("os")} \\\\ \\"""  # fmt: skip
HTML = """</title></script><script>alert(1)</script><img src=x onerror=alert(1)>" onclick="x"""
MARKUP = "[/bold] [red]x[/] :smile: {{ 7 * 7 }} {% x %} `code` *x* # <b>"
HOSTILE = f"{PYTHON} {HTML} {MARKUP}"
# in rules, a text may hold neither double quotes nor braces
IN_RULES = HOSTILE.replace('"', "'").replace("{", "(").replace("}", ")")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


T = _quoted(HOSTILE)
FILES = {
    "game.yaml": f"""\
game: hostile
title: {T}
about: {T}
players: [2]
seats: [Ada, Bo]
reasons: {{pips: {T}}}
clauses: [clauses/book.yaml]
options:
  first: {{type: Player, default: 0, about: {T}, assumed: {T}}}
absent:
  - {{clause: no.rule, because: {T}}}
""",
    "clauses/book.yaml": f"""\
- {{id: a.rule, section: {T}, rule: {T}, note: {T}}}
- {{id: no.rule, section: {T}, rule: {T}, note: {T}}}
""",
    "tables.yaml": f"""\
table: Thing
about: {T}
columns: {{worth: 0..9, text: text, motto: text}}
rows:
  one: {{worth: 1, text: {_quoted("1 " + HOSTILE)}, motto: {T}, assumed: {T}}}
  two: {{worth: 2, text: {_quoted("2 " + HOSTILE)}, motto: {T}, stand-in: {T}}}
---
constants:
  rounds: {{value: 2, assumed: {T}}}
""",
    "hostile.rules": f"""\
state:
    kept: map Player to 0..99  @a.rule

procedure play()  @a.rule:
    for r in 1 .. rounds:
        for p in Player: turn(p)

procedure turn(p: Player)  @a.rule:
    choose t in Thing by p as take or nothing say "{IN_RULES} {{t}}" others "{IN_RULES}"
        where kept[p] < 50  @a.rule
    roll d in Thing
    tell "{IN_RULES} {{d}}"
    if t is none: return
    kept[p] += t.worth
    score t.worth to p for pips
    either by p as more:
        option yes say "{IN_RULES}": kept[p] += 1
        option no say "{IN_RULES} {{first}}": pass

invariant small: all(p in Player: kept[p] < 90)  @assumed("{IN_RULES}")
outcome p in Player by score[p]  @a.rule
""",
    "variants/other.yaml": f"""\
variant: other
about: {T}
assumed: {T}
constants: {{rounds: {{value: 1}}}}
tables:
  Thing: {{change: {{one: {{text: {_quoted("3 " + HOSTILE)}}}}}}}
""",
    "view.yaml": f"""\
clock: {{period: rounds_so_far, called: {T}}}
parts:
  - line: {_quoted(IN_RULES)}
  - table: {{title: {T}, of: Thing, columns: {{{T}: this.worth}}}}
  - seats: {{title: {T}, columns: {{{T}: kept}}}}
""".replace(
        "clock: {period: rounds_so_far, called: ", "# "
    ),
    "bots.yaml": f"""\
bots:
  eager:
    about: {T}
    weights: {{take: {{nothing: 0}}}}
""",
    "scenarios/some.yaml": f"""\
- scenario: {T}
  covers: [a.rule]
  players: 2
  call: turn(0)
  chance: [one]
  when:
    - {{take: two, by: 0}}
    - {{more: "no", by: 0}}
  then: {{scores: {{0: 2}}}}
- scenario: {_quoted("fails " + HOSTILE)}
  covers: [no.rule]
  players: 2
  call: turn(0)
  chance: [one]
  when:
    - {{take: two, by: 0}}
    - {{more: "no", by: 0}}
  then: {{scores: {{0: 1}}}}
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here: Path = tmp_path_factory.mktemp("hostile")
    for name, text in FILES.items():
        (here / "hostile" / name).parent.mkdir(parents=True, exist_ok=True)
        (here / "hostile" / name).write_text(text, encoding="utf-8")
    return here


Run = Callable[..., str]


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line, in the folder; all it printed. Whatever it is given, it ends by itself and leaves no harm."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "1000")

    def call(*words: object, codes: tuple[int, ...] = (0,)) -> str:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main([str(word) for word in words])
        got = capsys.readouterr()
        assert stopped.value.code in codes, got.out + got.err
        assert not list(folder.rglob("HARM")) and not Path("HARM").exists()
        assert UNSAFE.search(got.out + got.err) is None
        return got.out + got.err

    return call


class Tags(HTMLParser):
    """Which tags a page has, with the names of their attributes, and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.words += data


def check_page(text: str, scripts: int = 0) -> Tags:
    assert UNSAFE.search(text) is None
    tags = Tags()
    tags.feed(text)
    assert text.count("<script") == scripts
    assert not tags.tags & {"img", "b", "red"}
    assert not {a for a in tags.attributes if a.startswith("on")}
    return tags


# ---------------------------------------------------------------- every field, every output


def test_check_and_dumps(run: Run) -> None:
    assert run("check", "hostile").endswith("hostile: fine (2 rulesets)\n")
    for name in ("folder", "syntax", "overlay", "core", "blocks", "python"):
        run("build", "hostile", "-p", 2, "--dump", name)


def test_the_engine(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("build", "hostile", "--out", folder / "made")
    monkeypatch.syspath_prepend(str(folder / "made"))
    package = importlib.import_module("hostile")
    module = importlib.import_module("hostile.p2")
    try:
        assert "alert(1)" in str(package.__doc__) and "alert(1)" in str(module.__doc__)
    finally:
        for name in ("hostile.p2", "hostile"):
            sys.modules.pop(name)
    assert not list(folder.rglob("HARM"))
    game = load(str(folder / "hostile"), 2)
    for flavour in (game, game.full):
        state = flavour.new_initial_state(1)
        while not state.is_terminal():
            state.action_to_string(state.legal_actions()[0])
            state.apply_action(state.legal_actions()[0])
    state = game.full.new_initial_state(1)
    said = state.action_to_string(state.legal_actions()[0], 0)
    # letter by letter as the spec has it
    assert said == f"{IN_RULES} 1 {HOSTILE}"
    state.apply_action(state.legal_actions()[0])
    assert any(text.endswith(HOSTILE) for _, text in state.story)


def test_games_and_scenarios(run: Run) -> None:
    assert HOSTILE in " ".join(run("games", "hostile").split())
    assert "alert(1)" in run("games", "hostile", "--assumptions")
    assert f"FAILED fails {HOSTILE}" in run("test", "hostile", codes=(1,))


def test_coverage(run: Run, folder: Path) -> None:
    for words in ([], ["--rules"], ["--rules", "--annotate"]):
        run("coverage", "hostile", *words, codes=(0, 1))
    run("coverage", "hostile", "--format", "html", "--out", folder / "c.html", codes=(0, 1))
    page = check_page((folder / "c.html").read_text(encoding="utf-8"), scripts=1)
    assert page.words.count(HOSTILE) >= 6
    run("coverage", "hostile", "--rules", "--format", "html", "--out", folder / "r.html", codes=(0, 1))  # fmt: skip
    text = (folder / "r.html").read_text(encoding="utf-8")
    # line numbers are bold there
    page = check_page(re.sub(r"<b>(\d+)</b>", r"\1", text))
    assert "alert(1)" in page.words


def test_simulating_and_the_page(run: Run, folder: Path) -> None:
    said = run("simulate", "hostile", "-n", 3, "-p", 2, "--bots", "eager,random", "--out", folder / "t.csv", "--choices")  # fmt: skip
    assert HOSTILE in " ".join(said.split())
    run("report", folder / "t.csv")
    page = check_page((folder / "t.html").read_text(encoding="utf-8"))
    assert page.words.count(HOSTILE) >= 5
    assert "alert(1)" in run("replay", folder / "t.csv", "--game", 0, "--story")


def test_comparing(run: Run) -> None:
    run("compare", "hostile", "hostile+other", "-n", 2, "-p", 2, "--bots", "random")
    assert "alert(1)" in run("diff", "hostile", "hostile+other", codes=(0, 1))
    text = run("diff", "hostile", "hostile+other", "--format", "markdown", codes=(0, 1))
    # outside of code no tag, link or emphasis is left
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)[<*\[`]", outside), outside


def test_playing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["?", "? 1", "? three", "v", "1", "s", "1", "h", "q", "q", None])
    monkeypatch.setattr("rulewright.play.conversation.read_line", lambda: next(answers))
    said = run("play", "hostile", "-p", 2, "--seats", "human,random", "--seed", 1)
    assert "[/bold]" in said and ":smile:" in said and "[red]x[/]" in said


# ---------------------------------------------------------------- characters that are refused

CHARACTERS = {
    "nul": "\\0", "escape": "\\e[2J", "turned": "\\u202e", "c1": "\\x9b", "return": "\\r", "mark": "\\u200f", "unseen": "\\u2063",
    "tag": "\\U000e0041", "bell": "\\a",
}  # fmt: skip


@pytest.mark.parametrize("escape", CHARACTERS.values(), ids=CHARACTERS.keys())
@pytest.mark.parametrize("file", ["game.yaml", "tables.yaml", "clauses/book.yaml", "variants/other.yaml"])  # fmt: skip
def test_escapes_hide_nothing(
    file: str, escape: str, folder: Path, tmp_path: Path, run: Run
) -> None:
    for name, text in FILES.items():
        (tmp_path / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        if name == file:
            text = text.replace(T, f'"a {escape} b"', 1)
        (tmp_path / "own" / name).write_text(text, encoding="utf-8")
    said = run("check", tmp_path / "own", codes=(1,))
    line = FILES[file][: FILES[file].index(T)].count("\n") + 1
    assert f"{file}:{line}:" in said and "RW0108" in said and "hint: remove the escape" in said


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("scenarios/some.yaml", ["test"]),
        ("bots.yaml", ["simulate", "-n", "1", "--bots", "eager"]),
        ("view.yaml", ["play", "--seats", "random,random"]),
    ],
)
def test_escapes_in_files_beside_the_rules(
    file: str, command: list[str], tmp_path: Path, run: Run
) -> None:
    for name, text in FILES.items():
        (tmp_path / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        if name == file:
            text = text.replace("# '", "about: '").replace(T, '"a \\e[2J b"')
        (tmp_path / "own" / name).write_text(text, encoding="utf-8")
    said = run(command[0], tmp_path / "own", *command[1:], codes=(1, 2))
    assert "RW0108" in said or "U+001B" in said


# ---------------------------------------------------------------- headers of tables


def _texts(value: Any, change: Callable[[str], Any]) -> Any:
    match value:
        case str():
            return change(value)
        case list():
            return [_texts(x, change) for x in value]
        case dict():
            return {k: _texts(v, change) for k, v in value.items()}
    return value


@pytest.mark.parametrize("text", [HOSTILE, "a \x1b[2J \u202e \x9b2J b"], ids=["code", "control"])
def test_headers_of_tables(text: str, run: Run, folder: Path, tmp_path: Path) -> None:
    """Whatever a header says, the page and the terminal stay harmless: it is shown as it is, or refused."""
    table = tmp_path / "t.csv"
    run("simulate", ROOT / "tests/games/race", "-n", 2, "-p", 2, "--bots", "random", "--out", table)
    first, _, rest = table.read_text(encoding="utf-8").partition("\n")
    head = first.index("{")
    meta = json.loads(first[head:])
    for key in meta:
        changed = dict(meta)
        changed[key] = text if key == "seed" else _texts(meta[key], lambda old: f"{old} {text}")
        table.write_text(f"{first[:head]}{json.dumps(changed)}\n{rest}", encoding="utf-8")
        page = tmp_path / f"{key}.html"
        said = run("report", table, "--out", page, codes=(0, 1, 2))
        assert "Traceback" not in said
        if page.exists():
            check_page(page.read_text(encoding="utf-8"))


# ---------------------------------------------------------------- the functions by themselves


@pytest.mark.parametrize("text", [HOSTILE, "", "\\", '"', "{", '"""', "a\nb\r\x00\u202e\ud800", "\\N{BEL}"])  # fmt: skip
def test_spelling(text: str) -> None:
    assert eval(literal(text)) == text
    assert eval(literal([text, {text: [1, None, True]}])) == [text, {text: [1, None, True]}]
    assert eval(f'f"{inside(text)}"') == text
    for words in (literal(text), inside(text), docstring(text)):
        assert "\n" not in words and UNSAFE.search(words) is None
    assert isinstance(eval(docstring(text)), str)


def test_plain() -> None:
    assert plain("a\tb\n\x1b[2J\u202e\x9b") == "a\tb\n\\x1b[2J\\u202e\\x9b"
    assert one_line("a\tb\n") == "a\\tb\\n"
    # words of other scripts stay
    assert plain("نمی‌خواهم été 🎲") == "نمی‌خواهم été 🎲"


def test_markdown() -> None:
    assert markdown.code("a `b` c") == "``a `b` c``" and markdown.code("`") == "`` ` ``"
    assert markdown.block(["```", "x"], "diff") == ["````diff", "```", "x", "````"]
    assert markdown.words("# <b> [x](y)\n- 1") == r"\# \<b\> \[x\](y) - 1"


def test_file_names() -> None:
    cases: list[tuple[tuple[str, ...], dict[str, object], bool]] = [
        ((), {}, False), ((), {}, True), (("full",), {}, False), (("a", "b"), {}, False), (("a_b",), {}, False), (("a-b",), {}, False),
        (("a.b",), {}, False), (("A",), {}, False), (("a",), {}, False), (("../../a",), {}, False), ((), {"a": 1}, False), (("a",), {"a": 1}, False),
    ]  # fmt: skip
    names = [engine_name(2, *case) for case in cases]
    assert len({name.lower() for name in names}) == len(cases)
    assert all(re.fullmatch(r"p2[a-z0-9_]*", name) for name in names)
    assert engine_name(2, ("manual",), {}) == "p2_manual"


# ---------------------------------------------------------------- no other way


@pytest.mark.parametrize(
    ("pattern", "allowed"),
    [
        # consoles with markup; escaping by hand; pieces of pages that pass for safe
        (r"\bConsole\(\*?\*?(?!.*markup)", {"rulewright/terminal.py"}),
        (r"rich\.markup|from html import|html\.escape", set()),
        # (pictures are drawn in Python; the page that shows them is the one door)
        (r"\bMarkup\(|\|\s*safe\b|autoescape=False|autoescape\s+false", {"rulewright/web/page.py"}),
        # docstrings of engines with something put in
        (r"f'\"{3}", {"compiler/emit/spelling.py"}),
    ],
)
def test_there_is_one_way_for_each(pattern: str, allowed: set[str]) -> None:
    wrong = []
    for top in ("compiler", "runtime", "rulewright"):
        for file in sorted((ROOT / top).rglob("*")):
            if file.suffix not in (".py", ".html", ".j2"):
                continue
            name = file.relative_to(ROOT).as_posix()
            if re.search(pattern, file.read_text(encoding="utf-8")) and name not in allowed:
                wrong.append(name)
    assert wrong == []
