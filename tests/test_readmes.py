"""The lists of files in bench/, compiler/, runtime/ and tests/ name every file there is, and no other."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


ROOMS = sorted(p.parent.name for p in (ROOT / "compiler").glob("*/__init__.py"))
FOLDERS = ["bench", "compiler", *(f"compiler/{room}" for room in ROOMS), "runtime"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_module_is_listed(folder):
    listed = re.findall(r"`([\w/.]+\.(?:py|lark|j2))`", (ROOT / folder / "README.md").read_text())
    there = {p.name for p in (ROOT / folder).glob("*.py")} - {"__init__.py"}
    assert there - set(listed) == set(), "not in README.md"
    assert [name for name in listed if not (ROOT / folder / name).is_file()] == []


def test_every_room_of_the_compiler_is_listed():
    listed = re.findall(r"`(\w+)/`", (ROOT / "compiler" / "README.md").read_text())
    assert sorted(listed) == ROOMS


def test_the_tests_are_listed():
    text = (ROOT / "tests" / "README.md").read_text()
    folders = {p.name + "/" for p in (ROOT / "tests").iterdir() if p.is_dir()} - {"__pycache__/"}
    for name in folders | {p.name for p in (ROOT / "tests").glob("*.py")}:
        assert f"`{name}`" in text, f"{name} is not in tests/README.md"


def test_links_between_documents_lead_somewhere():
    files = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("*/README.md"),
        *ROOT.glob("compiler/*/README.md"),
    ]
    wrong = []
    for file in files:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text()):
            if not (file.parent / target).exists():
                wrong.append(f"{file.relative_to(ROOT)}: {target}")
    assert wrong == []


def test_the_readme_shows_what_is_so(capsys):
    """Its rule stands in a spec and its program runs."""
    blocks = re.findall(r"```(\w*)\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    rule = next(text for _, text in blocks if text.startswith("procedure "))
    specs = "\n".join(file.read_text() for file in sorted(ROOT.glob("spec/**/*.rules")))
    assert " ".join(rule.split()) in " ".join(specs.split())
    (program,) = (text for kind, text in blocks if kind == "python")
    exec(compile(program, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("[")
