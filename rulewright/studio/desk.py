"""Questions about a spec's folder → answers, in a process of its own that stays warm; the server never waits for a check."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rulewright.language.service import Language
from rulewright.web.bots_worker import answer_jobs

Json = dict[str, Any]
_MOST = 8


@dataclass(frozen=True, slots=True)
class Ask:
    """A method of the language service, for a folder."""

    root: str
    what: str
    values: Json = field(default_factory=dict)


_known: OrderedDict[str, Language] = OrderedDict()


def work(pipe: Connection) -> None:
    answer_jobs(pipe, answer)


def answer(job: Ask) -> Any:
    import time

    language = _known.get(job.root)
    if language is None:
        language = _known[job.root] = Language(Path(job.root))
        while len(_known) > _MOST:
            _known.popitem(last=False)
    if job.what not in (*_ANSWERS, *_LONG):
        raise ValueError(f"nobody knows {job.what!r}")
    start = time.process_time()
    long = job.what in _LONG
    found = _long(job) if long else getattr(language, job.what)(**job.values)
    return {"answer": found, "seconds": time.process_time() - start}


def _long(job: Ask) -> Any:
    """What makes engines, and takes its time."""
    from rulewright.language import conformance
    from rulewright.studio.opening_picture import draw
    from rulewright.studio.scenarios import tried

    if job.what == "attempt":
        return tried(Path(job.root), job.values)
    if job.what == "picture":
        folder = Path(job.values.get("folder") or job.root)
        return draw(folder, int(job.values["players"]), list(job.values["variants"]))
    if job.what == "mutants":
        return conformance.surviving(Path(job.root), str(job.values["file"]))
    original = job.values.get("original")
    return conformance.conformance(Path(job.root), None if original is None else Path(original))


_LONG = ("attempt", "conformance", "mutants", "picture")
_ANSWERS = frozenset(("check", "check_all", "hover", "complete", "define", "format", "palette"))
