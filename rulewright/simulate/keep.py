"""Games to be played → their summary, and a table of them that appears whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rulewright.simulate.one import Row
from rulewright.simulate.plan import describe
from rulewright.simulate.run import Crowd, Watch
from rulewright.simulate.show import Progress
from rulewright.simulate.summary import Summary
from rulewright.simulate.table import TableWriter


def play_all(
    crowd: Crowd,
    jobs: int = 1,
    table: Path | None = None,
    rows_of: Callable[[Watch], Iterator[Row]] | None = None,
) -> Summary:
    """All games of a crowd, with progress; what was played when it was interrupted is kept as well. `rows_of` has them played elsewhere."""
    meta = describe(crowd.plan, crowd.game, crowd.player.clock.called)
    summary = Summary(meta)
    writer = None if table is None else TableWriter(table, meta)
    progress = Progress(crowd.plan.games)
    try:
        with progress:
            here = partial(crowd.rows, jobs)
            for row in (rows_of or here)(progress.show):
                summary.add(row)
                if writer is not None:
                    writer.add(row)
    except BaseException:
        if writer is not None:
            writer.drop()
        raise
    if writer is not None:
        writer.finish()
    return summary
