"""Clause coverage → one self-contained HTML page: the clauses by section, with rules and scenarios beside them."""

from __future__ import annotations

from html import escape

from rulewright.compiler.text.source import Sources, Span
from rulewright.conformance.clauses import ClauseCoverage, ClauseRow
from rulewright.conformance.show import rounded_down

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #c0392b; --good: #2e7d32; --soft: #888; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .3rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
td, th { border-top: 1px solid var(--line); padding: .4rem .6rem .4rem 0; text-align: left; vertical-align: top; }
th { font-weight: 600; color: var(--soft); } td { overflow-wrap: anywhere; }
col.rule { width: 40%; } col.cited { width: 27%; } col.covered { width: 33%; }
code, .id { font-family: ui-monospace, monospace; font-size: .85em; }
.id { font-weight: 600; } .id a { color: inherit; text-decoration: none; }
.none { color: var(--bad); font-weight: 600; } .fails { color: var(--bad); } .soft { color: var(--soft); }
ul { margin: 0; padding: 0; list-style: none; } li + li { margin-top: .15rem; }
.bar { display: flex; gap: 1rem; flex-wrap: wrap; align-items: center; margin: .8rem 0; }
input[type=search] { font: inherit; padding: .3rem .5rem; min-width: 18rem; }
details summary { cursor: pointer; color: var(--soft); }
@media (max-width: 50rem) {
  table, tbody, tr, td { display: block; } thead, colgroup { display: none; } td { border: 0; padding: .2rem 0; }
  tr { border-top: 1px solid var(--line); padding: .5rem 0; display: block; }
}
"""

_SCRIPT = """
const box = document.getElementById("find"), gaps = document.getElementById("gaps");
function show() {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const section of document.querySelectorAll("section")) {
    let some = false;
    for (const row of section.querySelectorAll("tbody tr")) {
      const text = row.textContent.toLowerCase();
      const on = words.every(w => text.includes(w)) && (!gaps.checked || row.dataset.gap);
      row.hidden = !on; some = some || on;
    }
    section.hidden = !some;
  }
}
box.addEventListener("input", show); gaps.addEventListener("change", show);
"""


def clause_page(c: ClauseCoverage, sources: Sources) -> str:
    sections: dict[str, list[ClauseRow]] = {}
    for row in c.rows:
        sections.setdefault(row.clause.section or "clauses", []).append(row)
    body = "\n".join(_section(name, rows, sources) for name, rows in sections.items())
    unknown = ""
    if c.unknown:
        items = "".join(
            f"<li><code>{escape(name)}</code> {_place(span, sources)}</li>"
            for name, span in c.unknown
        )
        unknown = f'<section><h2 class="none">Cited, but in no index</h2><ul>{items}</ul></section>'
    gaps = sum(_is_gap(r) for r in c.rows)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(c.title)}: clauses</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(c.title)}: clauses, rules and scenarios</h1>
<p>{len(c.rows)} clauses · {rounded_down(c.percent_cited)} % cited by the spec · {rounded_down(c.percent_covered)} % covered by {c.scenarios} scenarios</p>
<div class="bar">
<input id="find" type="search" placeholder="clause, words, file …" aria-label="Find">
<label><input id="gaps" type="checkbox"> only gaps ({gaps})</label>
</div>
{unknown}
{body}
<script>{_SCRIPT}</script>
</body>
</html>
"""


def _is_gap(row: ClauseRow) -> bool:
    return not row.is_cited or not row.is_covered


def _section(name: str, rows: list[ClauseRow], sources: Sources) -> str:
    body = "\n".join(_row(row, sources) for row in rows)
    return f"""<section>
<h2>{escape(name)}</h2>
<table>
<colgroup><col class="rule"><col class="cited"><col class="covered"></colgroup>
<thead><tr><th>clause</th><th>cited by</th><th>covered by</th></tr></thead>
<tbody>
{body}
</tbody>
</table>
</section>"""


def _row(row: ClauseRow, sources: Sources) -> str:
    clause = row.clause
    id_ = escape(clause.id, quote=True)
    marks = []
    if clause.example:
        marks.append("example")
    if clause.variant:
        marks.append(f"variant {clause.variant}")
    if clause.players:
        marks.append(f"{', '.join(map(str, clause.players))} players")
    mark = f' <span class="soft">{escape(" · ".join(marks))}</span>' if marks else ""
    note = f'<br><span class="soft">{escape(clause.note)}</span>' if clause.note else ""
    rule = (
        f'<span class="id"><a href="#{id_}">{id_}</a></span>{mark}<br>{escape(clause.rule)}{note}'
    )
    gap = ' data-gap="1"' if _is_gap(row) else ""
    return f'<tr id="{id_}"{gap}><td>{rule}</td><td>{_cited(row, sources)}</td><td>{_covered(row)}</td></tr>'


def _cited(row: ClauseRow, sources: Sources) -> str:
    items = [_place(span, sources) for span in row.cited]
    items += [f'<span class="soft">no rule needed: {escape(a.because)}</span>' for a in row.absent]
    items += [
        f'<span class="soft">does not hold with the variant {escape(v)}</span>'
        for v in row.overruled
    ]
    if not items:
        return (
            '<span class="soft">an example</span>'
            if row.clause.example
            else '<span class="none">nothing</span>'
        )
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def _covered(row: ClauseRow) -> str:
    if not row.covering:
        return '<span class="none">nothing</span>'
    items = []
    for k in row.covering:
        fails = "" if k.passed else ' <span class="fails">fails</span>'
        where = f'<code class="soft">{escape(k.span.file.rsplit("/", 1)[-1])}:{k.span.line}</code>'
        items.append(f"<li>{escape(k.name)} {where}{fails}</li>")
    if len(items) <= 6:
        return f"<ul>{''.join(items)}</ul>"
    return (
        f"<ul>{''.join(items[:5])}</ul><details><summary>{len(items) - 5} more</summary>"
        f"<ul>{''.join(items[5:])}</ul></details>"
    )


def _place(span: Span, sources: Sources) -> str:
    line = sources.line(span.file, span.line).strip()
    return f'<code title="{escape(line, quote=True)}">{escape(span.file)}:{span.line}</code>'
