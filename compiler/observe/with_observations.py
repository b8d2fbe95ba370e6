"""An engine's low-level program → the same with the functions that write observations, and by what their numbers are scaled."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.low import program as L
from rulewright.compiler.observe.observation_layout import layout
from rulewright.compiler.observe.writing import Writing
from rulewright.runtime.info import Info


def with_observations(program: L.Program, info: Info) -> tuple[L.Program, list[float]]:
    """The program of a fast engine; `info` is what is known of it."""
    # types stand in it as they come: cells.py reads them by their words
    known = dict(info)
    found = layout(known)
    writing = Writing(known, found, {f.name: f.type for f in program.fields})
    functions = writing.functions()
    whole = replace(
        program,
        functions=(*program.functions, *functions),
        tables=(*program.tables, *writing.tables),
    )
    scales = [x for p in found.pieces for x in p.scale * (p.size // len(p.scale))]
    return whole, scales
