"""Names of Python, of the runtime and of engines → one game in which each stands in each role; it must play as it did.

The game is written with a hole for every name that a spec may choose. `python -m tests.name_sweep` tries each name in each role by
itself; the suite fills all roles at once, every name in every role in turn.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.compiler.build import build, check_ruleset, read_spec
from rulewright.compiler.rules.build_expressions import RESERVED
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import module_of
from rulewright.runtime import api, arrays, bits, errors, rng, save, support, values, view, zones
from rulewright.runtime.game import Game

_FILES = {
    "game.yaml": """\
game: sweep
title: Sweep
players: [2]
seats: [Ada, Bo]
neutral: [ghost]
reasons: {<reason>: work done}
options:
  <option>: {type: Player, default: 0, about: Who begins.}
""",
    "tables.yaml": """\
table: <Kind>
columns:
  <column>: 0..9
  <flag>: bool
  <power>: "hook(<hooked>: Player) when this in <owned>[<hooked>]"
  <effect>: "procedure(<affected>: Player)"
  <worth>: "function(<valued>: Player) -> 0..99"
rows:
  <member>:
    <column>: 2
    <flag>: true
    <power>: "on <open>(<hooked>, n): result + 1"
    <effect>: "<coins>[<affected>] += 1"
    <worth>: "this.<column> + <coins>[<valued>]"
  axe:
    <column>: 1
    <flag>: false
    <power>: |
      after <rest>(<hooked>): <coins>[<hooked>] += 1
    <effect>: |
      require <coins>[<affected>] >= 1
      <coins>[<affected>] -= 1
    <worth>: "2"
---
table: Card
columns: {worth: 1..9, copies: 1..3}
rows: {low: {worth: 1, copies: 3}, mid: {worth: 3, copies: 2}, top: {worth: 7, copies: 1}}
---
table: Spot
columns: {roads: set of Spot}
graph: roads
rows: {left: {roads: [right]}, right: {roads: [high]}, high: {roads: []}}
---
constants:
  <constant>: {value: 3}
  <list>: {value: [0, 1, 3]}
""",
    "sweep.rules": """\
state:
    <owned>: map Player to set of <Kind>
    <coins>: map Player to 0..99 = <constant>
    <bid>: map Player to 0..9 visible to owner
    <number>: 0..99
    <members>: set of 1..6
    <row>: list of 0..99 max 9

pieces <family> of Card by copies:
    <deck> hidden = all
    <hand> per Player visible to owner
    <out>

pieces crew per Player of Spot by 2:
    bench per Player visible to owner = all
    standing <Standing> max 8:
        <field>: Spot
        <list_field>: bool

procedure play():
    for <turn> in 1 .. 2:
        <number> += <turn>
        for <player> in Player: <procedure>(<player>)
        together <bidder> in Player:
            choose <secret> in 0 .. 3 by <bidder> as <bid_label> secretly
            <bid>[<bidder>] = <secret>
        for <payer> in Player:
            let <shown> = reveal(<bid>[<payer>])
            score <shown> to <payer> for <reason>
    for p in Player:
        if size(<deck>) > 0: deal 1 from <deck> to <hand>[p]

procedure <procedure>(<parameter>: Player):
    choose <chosen> in <Kind> by <parameter> as <label> or <nothing> if any say "takes {<chosen>}"
        where <chosen> not in <owned>[<parameter>]
        where <chosen>.<column> <= <coins>[<parameter>]
        where possible(<chosen>.<effect>(<parameter>))
    if <chosen> is not none:
        <owned>[<parameter>] |= {<chosen>}
        <coins>[<parameter>] -= <chosen>.<column>
        if possible(<chosen>.<effect>(<parameter>)): <chosen>.<effect>(<parameter>)
        score <chosen>.<worth>(<parameter>) to <parameter> for <reason>
    var <variable>: 0..99 = 0
    for k in 1 .. 2:
        roll <rolled> in 1 .. 6
        <variable> += <rolled>
        <members> |= {<rolled>}
    <number> = min(99, <number> + <variable> + <function>(<parameter>, 2))
    <row> = [<number>, <variable>]
    if size(<deck>) > 1:
        deal 1 from <deck> to <hand>[<parameter>]
        draw <drawn> from <deck> to <out>
        if <drawn>.worth > 1: move <drawn> from <out> to <deck>
    choose <spot> in Spot by <parameter> as <spot_label>
        where <spot> == left or <spot> in walks(left, 2)
    choose <rank> in bench[<parameter>] by <parameter> as <rank_label> secretly say "sets a {<rank>}" others "sets one"
    put <piece> in <Standing> of <rank> from bench[<parameter>] with <field> = <spot>, <list_field> = false seen by <parameter>
    <plain>(<spot>)
    <coins>[<parameter>] = min(20, <coins>[<parameter>] + <open>(<parameter>, 2))
    <rest>(<parameter>)
    either by <parameter> as <menu>:
        option <one> say "one":
            <number> = 1
        option <other>:
            where <option> == <parameter> or <flagged>(<parameter>)
            score 1 to <parameter> for <reason>
    let <best> = best(<over> in Player: <coins>[<over>])
    if <best> is not none: tell "{<best>} leads"
    for <sorted> in sort(<key> in Player: -<coins>[<key>]): <number> = min(99, <number> + 1)

procedure <plain>(<place>: Spot):
    for <each> in <Standing> where <each>.<field> == <place> and not <each>.<list_field>:
        show <each> to all
        <each>.<list_field> = true
        let <value> = reveal(<each>.value)
        if distance(<value>, <place>) > 1: <number> = 0
        take <each> to bench[<each>.owner]

function <function>(<argument>: Player, <amount>: 0..9) -> 0..99:
    var <found>: 0..99 = 0
    for <looked> in <Kind> where <looked> in <owned>[<argument>]: <found> = min(99, <found> + <looked>.<column>)
    return min(99, <found> + <table>(<amount>) + sum(<summed> in <members>: <summed> + <amount>) + <list>[1])

function <table>(<entry>: 0..9) -> 0..20 = <entry> * 2 if <entry> > 3 else <constant>

function <flagged>(<asked>: Player) -> bool = any(<any> in <owned>[<asked>]: <any>.<flag>)

open function <open>(<opened>: Player, n: 1..9) -> 0..9 = min(n, 2)

open procedure <rest>(<rester>: Player):
    <coins>[<rester>] = min(<coins>[<rester>], 20)

invariant <invariant>: all(<checked> in Player: <coins>[<checked>] <= 20)
outcome <ranked> in Player by score[<ranked>], <coins>[<ranked>]
heuristic <judged>: score[<judged>] + <function>(<judged>, 1)
""",
}
_HOLE = re.compile(r"<([A-Za-z_]+)>")
ROLES = list(dict.fromkeys(_HOLE.findall("".join(_FILES.values()))))


def plain_name(role: str) -> str:
    """What a role is called where nothing is tried."""
    return f"Some{role.lower()}" if role[0].isupper() else f"some_{role}"


def filled(names: Mapping[str, str]) -> dict[str, str]:
    """The files of the game with names for some roles."""
    return {
        file: _HOLE.sub(lambda hole: names.get(hole[1], plain_name(hole[1])), text)
        for file, text in _FILES.items()
    }


# ---------------------------------------------------------------- the names


def _of_engine(text: str) -> set[str]:
    """Every name in the text of an engine: of the module, of its functions and of the state."""
    found = set(re.findall(r'^        "(\w+)",$', text, re.MULTILINE))
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.alias(name=name):
                found.add(name)
    return found


@cache
def hostile_names() -> list[str]:
    """What Python, the runtime and an engine of this very game call their own, and names that only look odd."""
    found = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *dir(object)}
    for module in (api, arrays, bits, errors, rng, save, support, values, view, zones):
        found |= set(vars(module))
    with tempfile.TemporaryDirectory() as folder:
        for full, checking in ((False, False), (True, False), (False, True)):
            found |= _of_engine(_built(filled({}), Path(folder), full, checking).text)
    found |= {constant for constant in found if constant.isupper()}
    odd = "__x __init__ __slots__ __x__ _ __ ___ _x x0 x1 l0 l1 n a0 v_ s_ p_2 x_2 Ints_ refresh_1 why_2 say_1 reopen_1 n__x".split()
    found |= {*odd, *(f"{name}_" for name in ("range", "value", "pc")), "some_coins_guess"}
    own = {plain_name(role) for role in ROLES} | {f"{plain_name(role)}_" for role in ROLES}
    return sorted(x for x in found - own if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", x))


def all_roles_at_once() -> Iterator[dict[str, str]]:
    """Every name in every role, all roles filled in each case: as many cases as there are names.

    Words that the language keeps for itself are left out, and kinds begin with a capital letter.
    """
    names = [name for name in hostile_names() if name not in RESERVED]
    for turn in range(len(names)):
        case = {role: names[(turn + 7 * i) % len(names)] for i, role in enumerate(ROLES)}
        yield {
            role: name[0].upper() + name[1:] if role[0].isupper() else name
            for role, name in case.items()
            if name[0] != "_" or role[0].islower()
        }


# ---------------------------------------------------------------- what becomes of them


def _built(files: Mapping[str, str], folder: Path, full: bool, checking: bool) -> Any:
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    return build(read_spec(folder, "sweep"), 2, full=full, checking=checking)


def played(files: Mapping[str, str], folder: Path, seed: int = 5) -> list[object]:
    """A game in each flavour, told without a single name: numbers of options, who decides, the points."""
    told: list[object] = []
    engines = {}
    for full in (False, True):
        made = _built(files, folder, full, checking=not full)
        compile(made.text, "engine", "exec")
        engines[full] = Game(module_of(made.text, "sweep"), made.info)
    fast = Game(engines[False].module, engines[False].info, lambda: engines[True])
    for game in (fast, fast.full):
        state, dice = game.new_initial_state(seed), random.Random(seed)
        for _ in range(100):
            if state.is_terminal():
                break
            actions = state.legal_actions()
            told.append((state.current_player(), len(actions)))
            state.action_to_string(actions[0])
            again = game.from_dict(state.to_dict())
            if again != state:
                raise AssertionError("a saved state is another one")
            state.view(0).determinize(1)
            state.apply_action(actions[dice.randrange(len(actions))])
        told += [state.scores(), state.returns()]
    state = fast.new_initial_state(seed)
    told.append(fast.module.checked_playout(state, rng.from_seed(seed)))
    told += [state.scores(), fast.module.heuristic(state, 0), state.clone() == state]
    return told


@cache
def expected() -> tuple[object, ...]:
    with tempfile.TemporaryDirectory() as folder:
        return tuple(played(filled({}), Path(folder)))


def allowed(names: dict[str, str], folder: Path) -> dict[str, str]:
    """Those names that the language allows in their roles."""
    if not names:
        return {}
    for file, text in filled(names).items():
        (folder / file).write_text(text, encoding="utf-8")
    try:
        check_ruleset(read_spec(folder, "sweep"), 2)
        return names
    except SpecError:
        roles = list(names)
        if len(roles) == 1:
            return {}
        half = len(roles) // 2
        parts = [
            allowed({r: names[r] for r in some}, folder) for some in (roles[:half], roles[half:])
        ]
        return parts[0] | parts[1]


def tried(names: dict[str, str], folder: Path) -> tuple[int, str]:
    """How many of these names stood in a game, and what went wrong with it."""
    left = allowed(names, folder)
    try:
        told = played(filled(left), folder)
    except Exception as error:
        return len(left), f"{type(error).__name__}: {error} with {left}"
    return len(left), "" if tuple(told) == expected() else f"another game with {left}"


def main() -> int:
    """Each name in each role by itself; `--from N` goes on after so many names."""
    first = int(sys.argv[sys.argv.index("--from") + 1]) if "--from" in sys.argv else 0
    wrong = stood = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(hostile_names()[first:], first):
            for role in ROLES:
                count, what = tried({role: name}, Path(folder))
                stood += count
                if what:
                    wrong += 1
                    print(f"{number} {role}: {what}", flush=True)
    print(f"{len(hostile_names())} names in {len(ROLES)} roles: {stood} stood, {wrong} went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
