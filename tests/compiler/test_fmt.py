"""The formatter: even spacing and indentation, comments kept, meaning unchanged."""

from pathlib import Path
from random import Random

import pytest

from rulewright.compiler.rules import formatter as fmt
from rulewright.compiler.rules.formatter import format_rules
from rulewright.compiler.rules.parse import parse_rules
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Sources

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder in ("spec", "tests")
    for path in (ROOT / folder).rglob("*.rules")
    if "bad" not in path.parts
)
EVERYTHING = (Path(__file__).parent / "everything.rules").read_text(encoding="utf-8")


def formatted(text: str) -> str:
    problems = Problems()
    result = format_rules(text, "t.rules", problems)
    assert not problems.all()
    assert format_rules(result, "t.rules", problems) == result
    return result


MESSY = """\


#head
state :   # here
  # first
  coins:map Player to 0..500=0@setup.coins @assumed("x # y")   #trailing
  b : 0 .. n+1
#   far left



  # more




  c: bool
  # end of state
# top
procedure turn ( p:Player )@a.b :
   if ( a<3 )and not(b) :
         go( p ,- 3,[1,2 , 3] [2] , { a ,b } )   @x  @stand-in( "why" )
         # inside
      # between
   elif - a==-b- -c: return - 1
   let x=f(
     # in brackets
  a
       - g(b,
    c
   )
    # last
   )
   return(x)
   # after
   if a: # so
       score 3 to p . next for x
   x[ 1 ] . y|=a.b [c] ( d )
function f ( ) ->int=3
"""

NEAT = """\
# head
state:  # here
    # first
    coins: map Player to 0..500 = 0                         @setup.coins @assumed("x # y")  # trailing
    b: 0 .. n + 1
    #   far left


    # more


    c: bool
    # end of state
# top
procedure turn(p: Player) @a.b:
    if (a < 3) and not (b):
        go(p, -3, [1, 2, 3][2], {a, b})                     @x @stand-in("why")
        # inside
    # between
    elif -a == -b - -c: return -1
    let x = f(
        # in brackets
        a
        - g(b,
            c
        )
        # last
    )
    return (x)
    # after
    if a:  # so
        score 3 to p.next for x
    x[1].y |= a.b[c](d)
function f() -> int = 3
"""


def test_messy_text_becomes_neat() -> None:
    assert formatted(MESSY) == NEAT
    assert formatted(NEAT) == NEAT


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", ""),
        ("\n\n  \n", ""),
        ("# only\n\n\n\n\n\n# comments", "# only\n\n\n# comments\n"),
        ("invariant a:b\r\n", "invariant a: b\n"),
        ("invariant a: f (b) [c]", "invariant a: f(b)[c]\n"),
        ("invariant a: any (x in D where c:d,e)\n", None),
        ("invariant a: best(x in D where c :d,e)\n", "invariant a: best(x in D where c: d, e)\n"),
        ("invariant a: x in[1] or x in(1..3)\n", "invariant a: x in [1] or x in (1..3)\n"),
        ("invariant a: x in 1 ..3\n", "invariant a: x in 1 .. 3\n"),
        ("invariant a: x in -1..-3\n", "invariant a: x in -1..-3\n"),
        ("invariant a: x in - 1.. (3)\n", "invariant a: x in -1 .. (3)\n"),
        ("invariant a: 'b' [c] == none\n", "invariant a: 'b'[c] == none\n"),
        ("invariant a: not(b)\n", "invariant a: not (b)\n"),
        ("heuristic p: a   # why  \n", "heuristic p: a  # why\n"),
        (
            "pieces a of B by c:\n  d hidden=all@x\n",
            f"pieces a of B by c:\n    d hidden = all{' ' * 42}@x\n",
        ),
        ("invariant a: b   @x", f"invariant a: b{' ' * 46}@x\n"),
        (f"invariant {'a' * 44}: bc @x", f"invariant {'a' * 44}: bc  @x\n"),
        (f"invariant {'a' * 44}: bcd @x", f"invariant {'a' * 44}: bcd  @x\n"),
        (
            "procedure f():\n  move(a)of(b)from c to d\n",
            "procedure f():\n    move (a) of (b) from c to d\n",
        ),
    ],
)
def test_spacing(text: str, result: str | None) -> None:
    if result is None:
        assert format_rules(text, "t.rules") == text
    else:
        assert formatted(text) == result


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_keep_their_meaning_and_comments(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    result = formatted(text)
    assert result.count("#") == text.count("#")
    assert tree(result) == tree(text)


def tree(text: str) -> object:
    return parse_rules(Sources().add("t.rules", text), Problems())


@pytest.mark.parametrize("seed", range(20))
def test_spaces_do_not_matter(seed: int) -> None:
    """However much space is put between words, the same text comes out."""
    random = Random(seed)
    text = formatted(EVERYTHING)
    lines = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        words = line.lstrip(" ").split(" ")
        # Text in quotes and comments keeps its spaces.
        if '"' not in line and "#" not in line and "'" not in line:
            words = [word + " " * random.randrange(3) for word in words]
        lines.append(" " * (indent // 4 * 3) + " ".join(words))
    assert formatted("\n".join(lines)) == text


def test_errors_leave_the_text_alone() -> None:
    problems = Problems()
    text = "function  f() -> int = \nfunction g( -> int = 3\n"
    assert format_rules(text, "t.rules", problems) == text
    assert [problem.code for problem in problems] == ["RW0202", "RW0206"]
    assert format_rules(text, "t.rules") == text


def test_a_mistake_of_the_formatter_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = Problems()
    monkeypatch.setattr(fmt, "_spaced", lambda row: "invariant a: c")
    assert format_rules("invariant  a: b\n", "t.rules", problems) == "invariant  a: b\n"
    assert [problem.code for problem in problems] == ["RW0222"]
