"""Data → HTML pages that need nothing else. Every text is escaped by the templates' engine; nothing is escaped by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2

from rulewright.runtime.plain import plain


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )


def _shown(value: object) -> object:
    """What a page shows for a value: text without anything that steers or turns it."""
    # pieces of a page that a template has made are texts too, of a class of their own
    return plain(value) if type(value) is str else value


def page(template: str, **values: object) -> str:
    """The page that a template makes of these values."""
    return _environment().get_template(template).render(**values)


def plot(element: object) -> str:
    """One plot by itself."""
    return _environment().from_string(_PLOT).render(element=element).strip()


_PLOT = '{% from "plot.svg.j2" import plot %}{{ plot(element) }}'
