"""The text of a module → the same text as mypyc compiles it best.

`n if n < 5 else 5` makes two objects in compiled code when n is a machine word, because the written 5 is none. Where one side of
such an expression is a machine word, the numbers on its other sides become constants that are declared to be machine words too.
And a variable that is declared to be any number, but only ever given machine words, is declared to be one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

# from here on a number is an object in compiled code whatever is declared
_TOO_LARGE = 1 << 62
_Edit = tuple[int, int, int, str]


class Words:
    """What is known to be a machine word: fields, and what functions and tables give; of two modules the later one counts."""

    def __init__(self, modules: Iterable[ast.Module]) -> None:
        self.results: dict[str, str] = {}
        self.tables: dict[str, str] = {}
        self.fields: dict[str, str] = {}
        for module in modules:
            for node in module.body:
                self._add(node)

    def _add(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef(name=name, returns=returns) if returns is not None:
                self.results[name] = ast.unparse(returns)
            case ast.AnnAssign(target=ast.Name(name), annotation=annotation):
                self.tables[name] = ast.unparse(annotation)
            case ast.ClassDef(name="State"):
                for part in node.body:
                    if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                        self.fields |= _declared(part)
            case _:
                pass

    def is_word(self, node: ast.expr, local: dict[str, str]) -> bool:
        """Whether an expression surely is a machine word, and not only a written number."""
        match node:
            case ast.Name(name):
                return local.get(name) == "i64"
            case ast.Attribute(ast.Name("s" | "self"), name):
                return self.fields.get(name) == "i64"
            case ast.Subscript(ast.Name(name)):
                return local.get(name, self.tables.get(name)) in ("Ints", "Final[Ints]")
            case ast.Subscript(ast.Attribute(ast.Name("s" | "self"), name)):
                return self.fields.get(name) == "Ints"
            case ast.Call(ast.Name(name)):
                return self.results.get(name) == "i64"
            case ast.UnaryOp(ast.USub() | ast.Invert(), inner):
                return self.is_word(inner, local)
            case ast.BinOp(left, _, right):
                sides = [side for side in (left, right) if not _is_number(side)]
                return bool(sides) and all(self.is_word(side, local) for side in sides)
            case ast.IfExp():
                sides = [side for side in _sides(node) if not _is_number(side)]
                return bool(sides) and all(self.is_word(side, local) for side in sides)
            case _:
                pass
        return False


def _declared(function: ast.FunctionDef) -> dict[str, str]:
    """The declared types of parameters and local variables; those declared in two ways are left out."""
    found: dict[str, str] = {}
    pairs = [(a.arg, a.annotation) for a in function.args.args]
    pairs += [
        (node.target.id, node.annotation)
        for node in ast.walk(function)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    for name, annotation in pairs:
        text = "" if annotation is None else ast.unparse(annotation)
        found[name] = text if found.get(name, text) == text else ""
    return found


def _sides(node: ast.expr) -> Iterator[ast.expr]:
    """All that an if-expression may give, also through others inside."""
    if isinstance(node, ast.IfExp):
        yield from _sides(node.body)
        yield from _sides(node.orelse)
    else:
        yield node


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(value=int(value))) if not isinstance(value, bool):
            return -value
    return None


def _is_number(node: ast.expr) -> bool:
    value = _number(node)
    return value is not None and abs(value) < _TOO_LARGE


def _numbers(words: Words, module: ast.Module) -> Iterator[ast.expr]:
    """Written numbers that stand beside a machine word in an if-expression."""
    functions = [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef)]
    for function in functions:
        local = _declared(function)
        for node in ast.walk(function):
            if isinstance(node, ast.IfExp) and words.is_word(node, local):
                yield from filter(_is_number, _sides(node))


def _narrow(words: Words, module: ast.Module) -> Iterator[ast.expr]:
    """The annotations of variables that may be any number but are only ever given machine words."""
    for function in [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef)]:
        local = _declared(function)
        given: dict[str, list[bool]] = {}
        first: dict[str, ast.expr] = {}
        for node in ast.walk(function):
            match node:
                case ast.AnnAssign(ast.Name(name), annotation, value) if value is not None:
                    first[name] = annotation
                    given.setdefault(name, []).append(_fits(words, value, local))
                case ast.Assign([ast.Name(name)], value):
                    given.setdefault(name, []).append(_fits(words, value, local))
                case ast.AugAssign(ast.Name(name), operation, value):
                    bitwise = isinstance(operation, ast.BitAnd | ast.BitOr | ast.BitXor)
                    given.setdefault(name, []).append(bitwise and _fits(words, value, local))
                case ast.For(target=ast.Name(name)):
                    given.setdefault(name, []).append(False)
                case _:
                    pass
        yield from (
            annotation
            for name, annotation in first.items()
            if local.get(name) == "int" and all(given[name])
        )


def _fits(words: Words, value: ast.expr, local: dict[str, str]) -> bool:
    match value:
        case ast.IfExp(_, left, right) | ast.BinOp(left, ast.BitAnd() | ast.BitOr(), right):
            return _fits(words, left, local) and _fits(words, right, local)
        case _:
            pass
    return _is_number(value) or words.is_word(value, local)


def _name(value: int) -> str:
    return f"WORD_{value}" if value >= 0 else f"WORD_MINUS_{-value}"


def _head(module: ast.Module) -> int:
    """The line after which the imports are done."""
    last = 0
    for node in module.body:
        doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (doc or isinstance(node, ast.Import | ast.ImportFrom | ast.If)):
            break
        last = node.end_lineno or 0
    return last


def with_words(text: str, others: Iterable[str] = ()) -> str:
    """The text with declared constants in if-expressions; `others` are the modules that it imports from."""
    module = ast.parse(text)
    words = Words([*map(ast.parse, others), module])
    lines = [line.encode() for line in text.split("\n")]
    values: set[int] = set()
    edits: set[_Edit] = set()
    for node in _numbers(words, module):
        value = _number(node)
        assert value is not None and node.end_col_offset is not None
        values.add(value)
        edits.add((node.lineno, node.col_offset, node.end_col_offset, _name(value)))
    for node in _narrow(words, module):
        assert node.end_col_offset is not None
        edits.add((node.lineno, node.col_offset, node.end_col_offset, "i64"))
    for row, start, end, name in sorted(edits, reverse=True):
        line = lines[row - 1]
        lines[row - 1] = line[:start] + name.encode() + line[end:]
    at = _head(module)
    if values:
        # in one line that was empty, so that the lines keep their numbers
        head = "; ".join(f"{_name(value)}: Final[i64] = {value}" for value in sorted(values))
        lines[at : at + (lines[at] == b"")] = [head.encode()]
    return b"\n".join(lines).decode()
