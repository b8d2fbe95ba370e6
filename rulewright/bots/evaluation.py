"""An expression of the rules language → a function that judges positions, built from the same rules as the game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from rulewright.bots.strategies import FILE, Strategy
from rulewright.compiler.build import build_game, read_spec
from rulewright.compiler.check.ruleset import check_game
from rulewright.compiler.emit.engine import Engine
from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.overlay import resolve
from rulewright.compiler.read.print_folder import type_text
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, SpecError
from rulewright.engines import module_of

Json = dict[str, Any]
_MADE: dict[tuple[Path, Strategy, str, str, str], Any] = {}


def evaluation_of(folder: Path, strategy: Strategy, game: Any) -> Any:
    """The strategy's own estimate as a function of a state and a seat, in C where the engine is; None when it has none."""
    if strategy.evaluation is None:
        return None
    info, module = game.info, game.module
    key = (folder, strategy, str(info["hash"]), repr(info["options"]), str(module.__name__))
    if key not in _MADE:
        engine = _built(folder, strategy, strategy.evaluation, info)
        judge = _native_judge(engine, module) if module.COMPILED else None
        _MADE[key] = (judge or module_of(engine.text, strategy.name)).heuristic
    return _MADE[key]


def _native_judge(engine: Engine, module: ModuleType) -> ModuleType | None:
    """What can't be compiled here is interpreted, on the states of the native engine."""
    from rulewright.native import NativeUnavailable, build_judge

    try:
        return build_judge(engine, module)
    except NativeUnavailable:
        return None


def _built(folder: Path, strategy: Strategy, expression: S.Expr, info: Json) -> Engine:
    """The same rules with another heuristic; its estimate reads the states of the game itself."""
    spec = read_spec(folder, folder.name)
    problems = Problems()
    resolved = resolve(spec.folder, info["players"], info["variants"], problems)
    game = None
    if resolved is not None:
        own = S.Heuristic(S.Name("p", expression.span), expression, (), expression.span)
        decls = [d for d in resolved.decls if not isinstance(d, S.Heuristic)]
        options = given_options(spec.folder, info)
        game = check_game(replace(resolved, decls=(*decls, own)), problems, options)
    if game is None or problems.has_errors:
        spec.sources.add(f"{folder.name}/{FILE}", (folder / FILE).read_text(encoding="utf-8"))
        raise SpecError(problems, spec.sources)
    return build_game(spec, game)


def given_options(folder: Folder, info: Json) -> dict[str, object]:
    """The options of a built game as they would be written: numbers turned into truth values and names again."""
    declared = dict(folder.options)
    for variant in folder.variants.values():
        declared.update(variant.options)
    out: dict[str, object] = {}
    for name, value in info["options"].items():
        written = type_text(declared[name].type)
        if written == "bool":
            out[name] = bool(value)
        elif written in info["kinds"]:
            out[name] = info["kinds"][written]["members"][value]
        else:
            out[name] = value
    return out
