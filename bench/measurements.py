"""What was asked for on the command line → measurements, tables on the screen, files."""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from rulewright.bench import endurance, startup
from rulewright.bench.plan import GROUPS, YARDSTICK_GAME, Plan, make_plan
from rulewright.bench.run import Result, run
from rulewright.bench.show import (
    HONEST,
    Table,
    endurance_table,
    markdown,
    skipped_table,
    speed_table,
    startup_table,
    target_table,
)
from rulewright.bench.targets import targets


@dataclass(frozen=True, slots=True)
class Asked:
    yardstick: Path | None
    limit: Path | None
    only: tuple[str, ...]
    rounds: int
    seconds: float
    endurance: int | None
    out: Path | None
    markdown: Path | None


def session(asked: Asked) -> int:
    """Measure, show and keep; the exit code: 1 when nothing could be measured."""
    console = Console(highlight=False)
    notes = Console(stderr=True, highlight=False)

    def tell(words: str) -> None:
        notes.print(words, style="dim", markup=False)

    data: dict[str, Any] = {"machine": machine(), "load_before": load()}
    with tempfile.TemporaryDirectory() as work:
        plan = make_plan(asked.yardstick, asked.limit, asked.only, Path(work), tell)
        tables = (
            _long(asked, plan, data, tell)
            if asked.endurance is not None
            else _short(asked, plan, data, tell)
        )
    if not any(table.rows for table in tables):
        notes.print("there is nothing to measure; --only takes words such as " + ", ".join(GROUPS))
        return 1
    if plan.skipped:
        tables.append(skipped_table(plan.skipped))
    data["skipped"] = plan.skipped
    data["load_after"] = load()
    console.print(machine_line(data["machine"]))
    console.print(HONEST, style="dim")
    for table in tables:
        console.print()
        console.print(_rich(table))
    if asked.out is not None:
        asked.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if asked.markdown is not None:
        head = f"{machine_line(data['machine'])}\n\n{HONEST}\n\n"
        asked.markdown.write_text(head + markdown(tables), encoding="utf-8")
    return 0


def _short(asked: Asked, plan: Plan, data: dict[str, Any], tell: Any) -> list[Table]:
    results = run(plan, asked.rounds, asked.seconds, tell)
    reached = targets(results, YARDSTICK_GAME)
    tables = [speed_table(group, rows) for group in GROUPS if (rows := _of(results, group))]
    data.update(
        rounds=asked.rounds, seconds=asked.seconds, results=[r.to_json() for r in results],
        targets=[t.to_json() for t in reached],
    )  # fmt: skip
    if not asked.only or "start" in asked.only:
        native = any(r.case.args.get("native") for r in results if r.case.who == "ours")
        starts = startup.measure(
            startup.starts(YARDSTICK_GAME, 4, native), max(5, 2 * asked.rounds), tell
        )
        tables.append(startup_table(starts))
        data["start"] = [
            {"name": s.name, "seconds": s.seconds.to_json(), "ratio": s.ratio} for s in starts
        ]
    if reached:
        tables.append(target_table(reached))
    return tables


def _long(asked: Asked, plan: Plan, data: dict[str, Any], tell: Any) -> list[Table]:
    cases = [c for c in plan.cases if c.who == "ours" and c.group != "playouts"]
    if not asked.only:
        # the largest tables of every game are enough
        most = {c.args["game"]: c.args["players"] for c in cases}
        cases = [c for c in cases if c.args["players"] == most[c.args["game"]]]
    found = endurance.measure(cases, asked.endurance or 0, tell)
    data["endurance"] = [e.to_json() for e in found]
    return [endurance_table(found)]


def _of(results: list[Result], group: str) -> list[Result]:
    return [r for r in results if r.case.group == group]


def _rich(table: Table) -> RichTable:
    shown = RichTable(title_justify="left", caption_justify="left", box=None)
    shown.title, shown.caption = f"[bold]{table.title}[/bold]", table.note
    for i, column in enumerate(table.columns):
        why = column == "why"
        shown.add_column(column, justify="right" if i and not why else "left", no_wrap=not why)
    for row in table.rows:
        shown.add_row(*map(escape, row))
    return shown


# ---------------------------------------------------------------- the machine


def machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
    }


def machine_line(data: dict[str, Any]) -> str:
    return f"{data['processor']}, {data['cores']} cores, {data['system']}, {data['python']}"


def load() -> list[float] | None:
    """How busy the machine is, where the system tells."""
    return list(os.getloadavg()) if hasattr(os, "getloadavg") else None


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
