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

from rulewright.compiler.low.helpers import (
    AROUND,
    ARRAYS,
    CONSTANTS,
    ERRORS,
    FUNCTIONS,
    METHODS,
    ON_STATE,
)

# functions that the emitter writes for every game, some in some flavours only
_EMITTED = """
decide go_on rank_keys heuristic refresh why sides say broken call again reopen fact checked_playout
observe observe_locals mark_legal RELATIVE ASKED WAITS FIRST_ACTION
""".split()

# what functions of an engine call their own parameters and locals; no function or table may have such a name
_LOCALS = frozenset("s m x low _ v own out row rows pc name args n wrong".split())

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
    helpers = {*FUNCTIONS, *ON_STATE, *ERRORS, *CONSTANTS, *ARRAYS, *AROUND, *METHODS}
    return frozenset({*helpers, *_EMITTED, *_BUILTINS, *keyword.kwlist, "self", "annotations"})


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
        known = name in self.own or name in self.given
        return known or (self.around is not None and self.around.has(name))

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


def title(name: str, cites: tuple[str, ...]) -> str:
    """What a function is, in words, with its clauses."""
    known = ", ".join(c for c in cites if not c.startswith(("assumed:", "stand-in:")))
    return f"{name} ({known})" if known else name
