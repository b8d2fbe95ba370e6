"""Names of a spec → names of Python; the one place where names are invented.

Three kinds of scope hold names: the fields of the state, the module, and each function of it. A scope gives no name twice, none
that Python, the runtime or the shape of the module use for themselves, and none that would hide, or be hidden by, a name of
the scope around it. So no name of a spec can meet another name, whatever people call their things.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_TEMPLATE = Path(__file__).parent / "templates" / "engine.py.j2"

# what an engine takes from each module of the runtime
IMPORTS = {
    "arrays": ("Ints", "int_rows", "ints", "repeated"),
    "bits": ("BIT", "COMPILED", "FEW", "bit", "first", "members", "nth", "pick", "size", "up_to"),
    "errors": ("IN_PLAY", "empty_zone", "list_too_long", "lost", "no_extreme", "no_option", "nothing_to_roll", "out_of_range", "too_many_steps"),
    "rng": ("LOW", "MULTIPLIER", "from_seed"),
    "support": ("FORCED", "MANY", "STEPS", "best_of",
        "first_of", "grouped_by", "in_length", "in_range", "item", "mask_of", "members_from", "name_or_none", "names_of", "position", "sorted_by", "times"),
    "zones": ("add", "count", "remove", "union"),
}  # fmt: skip

# methods of the state that the runtime answers: name, parameters, result, call
METHODS = (
    ("returns", "", "list[float]", "api.returns(GAME, self)"),
    ("scores", "", "list[int]", "api.scores(GAME, self)"),
    ("ranking", "", "list[int]", "api.ranking(GAME, self)"),
    ("score_breakdown", "", "list[dict[str, int]]", "api.score_breakdown(GAME, self)"),
    ("reseed", ", seed: int", "None", "api.reseed(self, seed)"),
    ("chance_outcomes", "", "list[tuple[int, float]]", "api.chance_outcomes(GAME, self)"),
    ("action_to_string", ", action: int, viewer: int | None = None", "str", "api.action_to_string(GAME, self, action, viewer)"),
    ("action_to_dict", ", action: int", "dict[str, Any]", "api.action_to_dict(GAME, self, action)"),
    ("action_from_dict", ", data: dict[str, Any]", "int", "api.action_from_dict(GAME, self, data)"),
    ("to_dict", "", "dict[str, Any]", "api.to_dict(GAME, self)"),
    ("pending", ", viewer: int | None = None", "dict[str, Any] | None", "api.pending(GAME, self, viewer)"),
    ("view", ", seat: int", "Any", "api.view(GAME, self, seat)"),
    ("why_not", ", choice: str, value: object", "list[Any]", "api.why_not(GAME, self, choice, value)"),
    ("__eq__", ", other: object", "bool", "api.equal(GAME, self, other)"),
    ("__hash__", "", "int", "api.hash_of(GAME, self)"),
)  # fmt: skip

# functions that the emitter writes for every game, some in some flavours only
_EMITTED = """
decide go_on rank_keys heuristic refresh why say broken call again reopen fact checked_playout
""".split()

# what functions of an engine call their own parameters and locals; no function or table may have such a name
_LOCALS = frozenset("s m x low _ v own out row rows".split())

# The builtins of every Python that engines may run on. They are written out, so that the same spec gives the same engine in
# each; a test compares them with what the running one has.
_BUILTINS = """
abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits
delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input
int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit
range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError
BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError
DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError
FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError
IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError
NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning
WindowsError ZeroDivisionError
""".split()


@cache
def reserved() -> frozenset[str]:
    """What Python, the runtime and the shape of a module call their own; methods of the state are among it."""
    shape = _TEMPLATE.read_text(encoding="utf-8")
    found = set(
        re.findall(r"^(?:def |class |    def )?([A-Za-z_]\w*)(?=[:(])", shape, re.MULTILINE)
    )
    for line in re.findall(r"import ([\w, ]+)$", shape, re.MULTILINE):
        found |= set(re.findall(r"\w+", line))
    found |= {name for group in IMPORTS.values() for name in group}
    found |= {name for name, _, _, _ in METHODS}
    return frozenset({*found, *_EMITTED, *_BUILTINS, *keyword.kwlist, "self", "annotations"})


def python_name(text: str) -> str:
    """Letters, digits and underscores for any name of a spec; a scope makes it unlike all others.

    Names with two underscores in front would mean something else inside of a class.
    """
    name = re.sub(r"[^A-Za-z0-9_]", "_", text)
    return f"n{name}" if not name or name[0].isdigit() or name.startswith("__") else name


def constant_name(text: str) -> str:
    """SomeKind.column → SOME_KIND_COLUMN"""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    name = re.sub(r"[^A-Za-z0-9_]+", "_", spaced).strip("_").upper()
    return name if name and not name[0].isdigit() else f"N{name}"


class Names:
    """One scope: it hands out names that differ from each other, from its own, and from those of the scope around it."""

    def __init__(self, own: Iterable[str] = (), around: Names | None = None) -> None:
        self.own = frozenset(own)
        self.around = around
        self.given: set[str] = set()
        # names of the scopes inside of this one: they would hide one that is given here
        self._inside: set[str] = set()
        self._times: dict[str, int] = {}

    @staticmethod
    def of_module() -> Names:
        names = Names(reserved())
        names._inside |= _LOCALS
        return names

    def inner(self, own: Iterable[str] = ()) -> Names:
        """A scope inside of this one."""
        return Names(own, self)

    def take(self, name: str) -> None:
        """From now on the name is this scope's own: whoever wishes for it gets another."""
        assert name in _LOCALS, name
        self.own |= {name}

    def has(self, name: str) -> bool:
        """Whether the name means something here already."""
        known = name in self.own or name in self.given or re.fullmatch("[xl][0-9]+", name)
        return bool(known) or (self.around is not None and self.around.has(name))

    def new(self, wish: str) -> str:
        """The name wished for, or one like it; with an underscore behind where it is somebody's own."""
        wish = python_name(wish)
        first = wish if not self.has(wish) or wish in self.given else f"{wish}_"
        name = first
        while self.has(name) or name in self._inside:
            self._times[first] = self._times.get(first, 1) + 1
            name = f"{first}_{self._times[first]}"
        self.given.add(name)
        if self.around is not None:
            self.around._inside.add(name)
        return name
