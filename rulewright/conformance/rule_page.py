"""Rule coverage → one self-contained HTML page: the files of the spec, each line with whether it ran."""

from __future__ import annotations

from html import escape

from rulewright.compiler.text.source import Sources
from rulewright.conformance.rules import RuleCoverage
from rulewright.conformance.rules_text import SAID, by_file, lines_of, rules_summary

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --all: #2e7d3222; --some: #f9a82544; --none: #c0392b44; --soft: #888; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .3rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .4rem; }
pre { font: 13px/1.5 ui-monospace, monospace; overflow-x: auto; border: 1px solid var(--line); margin: 0; padding: .4rem 0; }
pre span { display: block; padding: 0 .8rem; min-width: max-content; } pre b { display: inline-block; width: 3.2rem; color: var(--soft); font-weight: 400; }
.all { background: var(--all); } .some { background: var(--some); } .none { background: var(--none); }
table { border-collapse: collapse; } td { padding: .1rem 1.2rem .1rem 0; }
a { color: inherit; } .soft { color: var(--soft); }
"""


def rule_page(c: RuleCoverage, game: str, title: str, sources: Sources) -> str:
    files = by_file(c.units)
    index = "\n".join(
        f'<tr><td><a href="#{escape(file, quote=True)}">{escape(file)}</a></td>'
        f"<td>{sum(u.ran for u in units)} of {len(units)}</td></tr>"
        for file, units in files.items()
    )
    body = "\n".join(_file(c, file, sources) for file in files)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}: rules that ran</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(title)}: rules that ran under scenarios</h1>
<p>{escape(rules_summary(c, game))}</p>
<p class="soft"><span class="all">all of the line ran</span> · <span class="some">some of it</span> · <span class="none">none of it</span> · without colour: nothing to run</p>
<table>
{index}
</table>
{body}
</body>
</html>
"""


def _file(c: RuleCoverage, file: str, sources: Sources) -> str:
    missing: dict[int, list[str]] = {}
    for unit in c.missing():
        if unit.place[0] == file:
            missing.setdefault(unit.place[1], []).append(
                f"{SAID[unit.sort]}: column {unit.place[2]}"
            )
    rows = []
    for number, text, flags in lines_of(c, file, sources):
        kind = "" if not flags else "all" if all(flags) else "some" if any(flags) else "none"
        told = escape("; ".join(missing.get(number, [])), quote=True)
        title = f' title="{told}"' if told else ""
        rows.append(f'<span class="{kind}"{title}><b>{number}</b>{escape(text)}</span>')
    name = escape(file, quote=True)
    return f'<h2 id="{name}">{name}</h2>\n<pre>{"".join(rows)}</pre>'
