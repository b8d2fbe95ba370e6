"""A built module → what the runtime must know of the game beside its rules, as plain JSON data."""

from __future__ import annotations

from typing import Any

from rulewright.compiler.core import tree as C
from rulewright.compiler.emit.module import Module
from rulewright.compiler.emit.outline import state_rows, type_info
from rulewright.compiler.flow.blocks import Enter
from rulewright.compiler.flow.liveness import choice_uses, locals_of, real, text_uses
from rulewright.compiler.flow.slots import frames as frames_of
from rulewright.compiler.low.lower import Lowered
from rulewright.compiler.low.lower_blocks import is_public
from rulewright.compiler.text.source import Span
from rulewright.runtime.info import (
    FORMAT,
    ChanceRow,
    ChoiceRow,
    FamilyRow,
    Info,
    PointRow,
    StandingRow,
    Where,
    ZoneRow,
)


def place(span: Span) -> Where:
    return [span.file, span.line, span.column]


def describe(game: C.Game, module: Module, ruleset_hash: str, version: str, full: bool) -> Info:
    lowered = module.lowered
    info: Info = {
        "format": FORMAT,
        "game": game.name,
        "title": game.title,
        "players": game.players,
        "variants": list(game.variants),
        "options": dict(game.options),
        "hash": ruleset_hash,
        "compiler": version,
        "engine": module.engine,
        "seats": list(game.seats),
        "participants": list(game.participants),
        "reasons": dict(game.reasons),
        "heuristic": game.heuristic is not None,
        "kinds": {
            k.name: {"members": k.members, "texts": k.texts, "cites": [list(c) for c in k.cites]}
            for k in game.kinds.values()
        },
        "state": state_rows(game, {name: f.name for name, f in lowered.layout.by_state.items()}),
        "families": [_family(f, lowered) for f in game.families],
        "choices": _choices(lowered),
        "chances": _chances(lowered),
        "points": _points(game, lowered),
        # the fields that hold locals across decisions
        "slots": [f.name for f in lowered.program.fields if f.slot],
        "callers": _callers(lowered),
        "loops": {
            str(pc): place(b.span)
            for pc, b in sorted(lowered.blocks.points.items())
            if b.is_head and b.span.line
        },
        "most_decisions": game.most_decisions,
        "actions": sum(lowered.program.sizes[a.pc] for a in lowered.blocks.asks),
        "invariants": [
            {"name": i.name, "cites": list(i.cites), "place": place(i.span)}
            for i in game.invariants
        ],
        "places": [place(s) for s in lowered.places],
        "holders": {str(n): _holder(z) for n, z in sorted(lowered.holders.items())},
        "lines": [[s.file, s.line] if s.line else None for s in module.spans],
        "full": full,
        "followed": list(game.followed),
        "fits": lowered.fits,
    }
    if game.teams:
        info["teams"] = list(game.teams)
    if game.by_team:
        info["by_team"] = True
    if game.together:
        info["together"] = game.together
    if lowered.checks:
        info["checks"] = lowered.checks
    if full:
        info["hits"] = [place(s) for s in lowered.hits]
        # those that count what was only asked about, by possible(…)
        info["asked"] = lowered.asked
        # what may fail inside possible(…), by the number that is left in `failed`
        info["fails"] = [
            {"text": f.fails, "cites": _clauses(f.cites), "place": place(f.span)}
            for f in lowered.fails
        ]
        info["procedures"] = {
            p.name: [type_info(x.type) for x in p.params] for p in game.procedures
        }
    return info


def _clauses(cites: C.Cites) -> list[str]:
    """The clauses among citations, without assumptions and the like."""
    return [x for x in cites if ": " not in x]


def _holder(zone: C.Zone) -> list[Any]:
    """A zone that may turn out to be empty: its name, the kind of its pieces, and by what there are several."""
    names: list[Any] = [key.name for key in zone.keys]
    return [zone.name, zone.family.kind.name, *(names or [None])]


def _zone(z: C.Zone, module: Lowered) -> ZoneRow:
    layout = module.layout
    row: ZoneRow = {
        "name": z.name,
        "field": layout.by_zone[z.name].name,
        "per": None if z.per is None else type_info(z.per),
        "visible": z.visible,
        "full": z.starts_full,
    }
    if len(z.keys) > 1:
        row["keys"] = [type_info(key) for key in z.keys]
    if z.order is not None:
        row["order"] = layout.by_state[z.order.name].name
    if z.seen is not None:
        row["seen"] = layout.by_state[z.seen.name].name
    return row


def _family(f: C.Family, module: Lowered) -> FamilyRow:
    zones = [_zone(z, module) for z in f.zones]
    standing: StandingRow | None = None
    if f.standing is not None:
        st = f.standing
        fields = {
            n: module.layout.by_piece[st.name, n].name
            for n in ("alive", "value", "owner", "known", "guess", *st.fields)
        }
        standing = {
            "name": st.name,
            "size": st.handle.size,
            "fields": fields,
            "types": {n: type_info(t) for n, t in st.fields.items()},
        }
    return {
        "name": f.name,
        "kind": type_info(f.kind),
        "per": None if f.per is None else type_info(f.per),
        "copies": f.copies,
        "zones": zones,
        "standing": standing,
    }


def _choices(module: Lowered) -> dict[str, ChoiceRow]:
    out: dict[str, ChoiceRow] = {}
    # of a joint choice the steps so far, by the word before the dot
    before: dict[str, list[list[Any]]] = {}
    for ask in sorted(module.blocks.asks, key=lambda a: a.pc):
        c = ask.choice
        joint = before.setdefault(c.label.partition(".")[0], [])
        out[str(ask.pc)] = {
            "label": c.label,
            "steps": list(joint),
            "element": type_info(c.element),
            "offset": module.program.offsets[ask.pc],
            "size": module.program.sizes[ask.pc],
            "otherwise": c.otherwise,
            "more": c.more,
            "secret": c.secret,
            "secret_options": not is_public(c),
            "conditions": [
                {
                    "text": w.text,
                    "cites": _clauses(w.cites),
                    "place": place(w.span),
                }
                for w in (*c.where, *_stopping(c))
            ],
            "cites": _clauses(c.cites),
            "place": place(c.span),
        }
        if c.asks_on:
            out[str(ask.pc)]["asks_on"] = True
        joint.append([c.label, c.var.number])
    return out


def _stopping(c: C.SChoose) -> list[C.Condition]:
    """What must hold where the word after `or` is offered, as one more condition."""
    if c.stop_if is None:
        return []
    return [C.Condition(c.stop_if, "what is chosen so far is enough", c.span, c.cites)]


def _chances(module: Lowered) -> dict[str, ChanceRow]:
    out: dict[str, ChanceRow] = {}
    for chance in module.blocks.chances:
        e = chance.event
        kind = e.element if isinstance(e, C.SRoll) else e.source.zone.family.kind
        what = "roll" if isinstance(e, C.SRoll) else "draw"
        # what may come out tells what is in the source
        hidden = isinstance(e, C.SDraw) and not (
            e.source.zone.visible == e.target.zone.visible == "all"
        )
        source = None if isinstance(e, C.SRoll) else e.source.zone.name
        out[str(chance.pc)] = {
            "what": what, "name": source if e.var is None else e.var.name,
            "from": source, "to": None if isinstance(e, C.SRoll) else e.target.zone.name,
            "element": type_info(kind), "size": module.program.sizes[chance.pc],
            "hidden": hidden, "cites": _clauses(e.cites), "place": place(e.span),
        }  # fmt: skip
    return out


def _callers(module: Lowered) -> dict[str, list[int]]:
    """For each frame the points that it may return to."""
    found: dict[str, set[int]] = {name: set() for name in module.blocks.dynamic}
    for b in module.blocks.blocks:
        if isinstance(b.end, Enter):
            found[b.end.procedure.name].add(b.end.pc)
    return {name: sorted(points) for name, points in sorted(found.items())}


def _points(game: C.Game, module: Lowered) -> dict[str, PointRow]:
    """For each place where a state can stand or return to: its frame, and the locals that still count."""
    program = module.blocks
    live = module.live
    frames = frames_of(program)
    locals_by = {x.number: x for p in game.procedures for x in p.params}
    locals_by.update(locals_of(program))
    for b in program.blocks:
        for s in b.body:
            if isinstance(s, C.SRun) and s.procedure is not None:
                locals_by.update({p.number: p for p in s.procedure.params})
    pending: dict[int, set[int]] = {}
    steps: dict[int, int] = {}
    for ask in program.asks:
        pending[ask.pc] = choice_uses(ask.choice) | text_uses(ask.choice)
        steps[ask.choice.var.number] = ask.pc
    out: dict[str, PointRow] = {}
    for pc, block in sorted(program.points.items()):
        numbers = set(live[block.number])
        if block.takes is not None:
            numbers.discard(block.takes.number)
        numbers |= real(program, pending.get(pc, set()))
        # other builds may keep a value under the name of one of its aliases
        numbers |= {n for n, target in program.aliases.items() if target in numbers}
        frame = frames[block.number]
        rows = []
        for n in sorted(numbers):
            slot = program.slots.get(program.aliases.get(n, n))
            if slot is None:
                continue
            local = locals_by.get(program.aliases.get(n, n))
            asked = None
            if local is not None and local.secrecy is not None and local.chosen_by is not None:
                asked = steps.get(local.chosen_by.var.number)
            # the last entry: the decision that gave this value in secret, or None
            rows.append(
                [
                    n,
                    local.name if local else "",
                    module.layout.by_slot[slot].name,
                    type_info(local.type) if local else None,
                    asked,
                ]
            )
        back = module.layout.by_procedure[frame].name if frame in program.dynamic else None
        inside = program.inside.get(pc)
        loop = None if inside is None else [inside[0], *place(inside[1])]
        # `loop`: the procedure and the place of the innermost loop around it, in its own frame
        out[str(pc)] = {"frame": frame, "live": rows, "back": back, "loop": loop}
    return out
