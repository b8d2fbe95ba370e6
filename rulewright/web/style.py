"""A layout → the style sheet of its picture: colours of seats and words by class, in light and in dark."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.scene.colours import WORDS, ink, shade
from rulewright.scene.layout import Colour, Layout
from rulewright.scene.view_words import People
from rulewright.web.members import css

# in pixels how wide a picture is at least and at most, and its width for each height
Widths = tuple[int, int, float]
# for participants whose name is no colour
_OTHERS = ("blue", "orange", "green", "purple", "brown", "grey", "pink", "yellow")

_PLAIN = """\
.table{--page:#f4f1ea;--card:#fffdf8;--ink:#25231f;--soft:#625d54;--edge:#b9b1a1;--road:#cdbf9f;--glow:#0b57d0;--touch:#b3261e;
 color:var(--ink);display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start;font-size:1rem;line-height:1.35}
.table *{box-sizing:border-box}
.table .sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.table .line{flex:1 1 100%;margin:0;font-weight:600}
.table figure,.table .seats,.table .sheet,.table .spread{margin:0;background:var(--card);border:1px solid var(--edge);border-radius:.6rem;padding:.6rem}
.table figcaption,.table caption,.table h3{font-size:.95rem;font-weight:600;text-align:left;margin:0 0 .4rem;color:var(--ink)}
.table .picture{min-width:0}
.table .scroll{overflow-x:auto}
.table .picture svg,.table .track svg{display:block;width:100%;height:auto}
.table .f{fill:var(--fill,var(--card));stroke:var(--rim,var(--edge));stroke-width:1}
.table .t{fill:var(--on,var(--ink));font-weight:700;font-family:inherit}
.table .title{fill:var(--soft);font-weight:700;font-family:inherit;letter-spacing:.04em}
.table .i{fill:var(--on,var(--ink))}
.table .area .f{opacity:.55;stroke:none}
.table .area .i,.table .area .title{fill:var(--ink);opacity:.6}
.table .link{stroke:var(--road);stroke-linecap:round}
.table .join{stroke:var(--soft);stroke-dasharray:2 3;opacity:.6}
.table .tie{stroke:var(--fill,var(--edge));stroke-linecap:round;opacity:.38}
.table .out .f{fill:none;stroke-dasharray:4 4;opacity:.5}
.table .rule{stroke:var(--ink);opacity:.55}
.table .lined .m>.f:first-child{opacity:0}
.table .lined .m.target>.f:first-child,.table .lined .m.marked>.f:first-child,.table .lined .m.lit>.f:first-child{opacity:1;fill-opacity:0}
.table .tile>.f:first-child{stroke:none}
.table .ground{fill:var(--fill)}
.table .nose{stroke:var(--ink)}
.table .tag{fill:var(--ink);paint-order:stroke;stroke:var(--card);stroke-width:3}
.table .faint{opacity:.28}
.table .defs{position:absolute}
.table .ink{fill:#000;opacity:.32}
.table .p-stripes{fill:url(#stripes)}.table .p-dots{fill:url(#dots)}.table .p-cross{fill:url(#cross)}
.table .beside{flex:400 1 24rem;display:flex;flex-flow:row wrap;gap:1rem;min-width:0;align-items:flex-start;align-content:flex-start}
.table .beside>*{flex:1 1 15rem}
.table .sheet table{width:100%}
.table .scale svg{display:block;width:100%;height:auto}
.table .step>.f{fill:var(--page)}
.table .way{fill:none;stroke:var(--road);stroke-width:14;stroke-linejoin:round;stroke-linecap:round}
.table .pawn,.table .pawn-copy{--fill:#25231f;--on:#ffffff;--rim:#ffffff}
.table .pip{fill:var(--on,var(--ink))}
.table .piece .f,.table .piece-copy .f{stroke:var(--ink);stroke-width:1.2}
.table .figure.figure{fill:var(--fill);stroke:var(--on);stroke-width:1.1;stroke-linejoin:round}
.table .ghost{pointer-events:none}
.table svg{overflow:visible}
.table .nobody{--fill:#9a958b;--on:#1b1a18}
.table .m{cursor:default}
.table .target{cursor:pointer}
.table g.target>.f:first-child{stroke:var(--glow);stroke-width:3.5}
.table g.target:hover>.f:first-child,.table g.target:focus>.f:first-child{stroke-width:6}
.table g.m:focus{outline:none}
.table g.m:focus>.f:first-child{stroke:var(--glow);stroke-width:6}
.table g.lit>.f:first-child{stroke:var(--glow);stroke-width:7}
.table span.m.lit{outline:3px solid var(--glow);outline-offset:1px}
.table g.marked>.f:first-child{stroke:var(--touch);stroke-width:3.5;stroke-dasharray:5 3}
.table .seats{display:flex;flex-wrap:wrap;gap:.6rem;flex:1 1 100%}
.table .seat{flex:1 1 15rem;border:1px solid var(--edge);border-left:.5rem solid var(--fill);border-radius:.5rem;padding:.5rem .6rem;background:var(--page);min-width:0}
.table .seats:has(>.seat:nth-child(4):last-child)>.seat{flex-basis:max(15rem,min(40%,(62rem - 100%)*99))}
.table .seat{box-shadow:inset 1px 0 0 var(--edge)}
.table .seat.turn{box-shadow:0 0 0 2px var(--glow)}
.table .seat dl{--on:var(--ink);--fill:initial}
.table .seat h3{display:flex;align-items:center;gap:.5rem}
.table .seat small{font-weight:400;color:var(--soft)}
.table .badge{display:inline-grid;place-items:center;min-width:1.5em;height:1.5em;padding:0 .25em;border-radius:.3em;background:var(--fill);color:var(--on);border:1px solid var(--ink);font-weight:700;font-size:.9em}
.table dl{display:flex;flex-wrap:wrap;gap:.3rem .9rem;margin:0}
.table dl>div{display:flex;gap:.35rem;align-items:center}
.table dl>.wide{flex:1 1 100%;flex-wrap:wrap}
.table dt{color:var(--soft);font-size:.85em}
.table dd{margin:0;font-weight:600}
.table .stat dt{display:inline-flex}
.table .icon{width:1.4em;height:1.4em}
.table .icon .i{fill:var(--fill,var(--ink));stroke:var(--ink);stroke-width:.6}
.table .token{width:1.5em;height:1.5em;flex:none}
.table .die{width:1.7em;height:1.7em}
.table .dice{display:inline-flex;gap:.15em}
.table .many{flex-wrap:wrap;min-width:9em}
.table table{border-collapse:collapse;font-size:.95em}
.table th,.table td{padding:.2rem .45rem;text-align:left;border-bottom:1px solid var(--edge);font-weight:400;vertical-align:middle}
.table tbody th{width:1%;white-space:nowrap}
.table thead th{color:var(--soft);font-size:.85em}
.table .sheet{max-width:100%;min-width:0;overflow-x:auto}
.table .beside>.sheet{flex:1 1 auto}
.table .chip,.table .square{display:inline-flex;align-items:center;gap:.3em;border:1px solid transparent;border-radius:.4em;padding:.1em .35em;min-height:1.7em}
.table .chip{font-weight:500;font-size:.95em}
.table .slots,.table .tokens{display:flex;flex-wrap:wrap;gap:.3rem}
.table .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9.4rem),1fr));gap:.4rem}
.table dl dd:has(>.cards){flex:1 1 100%}
.table .slots .chip{border-color:var(--edge)}
.table .slots .free{opacity:.75;border-style:dashed}
.table .slots .had{background:var(--card);font-weight:700;border-color:var(--ink);border-width:2px}
.table .slots .had::after{content:"✓"}
.table .tokens .chip{border-color:var(--edge);background:var(--card)}
.table .card{display:flex;flex-direction:column;gap:.15rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);padding:.4rem .5rem;max-width:15rem;font-weight:400;height:100%}
.table .card b{display:flex;align-items:center;gap:.35em;font-size:.92em;overflow-wrap:anywhere}
.table .note{color:var(--soft);font-size:.85em;margin:0}
.table .text{font-size:.85em}
.table .had{display:flex;gap:.2rem}
.table .spread ul{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9.4rem),1fr));gap:.5rem}
.table .spread{flex:1 1 100%}
.table .back{display:inline-grid;place-items:center;width:1.1em;height:1.6em;border-radius:.2em;border:1px solid var(--ink);background:repeating-linear-gradient(45deg,var(--edge) 0 3px,var(--card) 3px 6px);margin-right:-.55em}
.table .backs{display:inline-flex;padding-right:.6em;vertical-align:middle}
.table span.m.target{border:2px solid var(--glow)}
.table span.target:hover,.table span.target:focus,.table span.m:focus{outline:3px solid var(--glow);outline-offset:1px}
.table .picked,.table g.picked>.f:first-child{outline:3px solid var(--touch);outline-offset:1px}
.table span.marked{box-shadow:0 0 0 2px var(--touch)}
.table td .piece{display:inline-grid;place-items:center;min-width:1.9em;padding:0 .2em;border-radius:1em;background:var(--fill);color:var(--on);border:1px solid var(--ink);font-weight:700}
.table .dim{color:var(--soft)}
.table .zone{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:flex-start}
.table .zone .name{color:var(--soft)}
.table .zone>.name{flex:1 1 100%;font-size:.95rem;font-weight:600;color:var(--ink)}
.table .zone>.cards{flex:1 1 100%}
.table .zone:has(>.of){display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,10rem),1fr))}
.table .zone:has(>.of)>.name{grid-column:1/-1}
.table .of{display:flex;gap:.5rem;flex-direction:column;align-items:flex-start}
.table .square{min-width:3.4em;min-height:2.2em;border:1px solid var(--edge);flex-wrap:wrap}
@media (prefers-color-scheme:dark){.table{--page:#1d1b19;--card:#262421;--ink:#efeae0;--soft:#b5ada0;--edge:#5a544b;--road:#5d5342;--glow:#8ab4f8;--touch:#f2867c}
.table .pawn,.table .pawn-copy{--fill:#efeae0;--on:#1b1a18;--rim:#1b1a18}}
@media (forced-colors:active){.table .target{outline:2px solid Highlight}}
"""

# on a small screen boards have its whole width; an enlarged one is looked at through a window
_NARROW = """\
.table{gap:.6rem}
.table figure,.table .seats,.table .sheet,.table .spread{padding:.45rem}
.table .picture figcaption{display:flex;align-items:center;justify-content:space-between;gap:.5rem}
.table .enlarge{flex:none;font-size:.85rem;font-weight:400;min-height:40px}
.table .enlarge[aria-pressed=true]{background:var(--ink);color:var(--card)}
.table .large .scroll{max-height:70vh;overflow:auto;border:1px solid var(--edge);border-radius:.3rem}
"""


def style_sheet(
    layout: Layout, people: People, widths: Mapping[str, Widths], large: Mapping[str, int]
) -> str:
    """All of it: the general part, seats, colours of the game, how narrow and how high each picture may become, and how wide each is
    on a small screen when it is enlarged."""
    shades: dict[str, Colour] = {f"c-{css(word)}": colour for word, colour in WORDS.items()}
    shades |= {f"c-{css(word)}": colour for word, colour in layout.colours.items()}
    for i, name in enumerate(people.all):
        found = shade(name, dict(layout.colours))
        # one who has no seat must not look like one who has
        other = _OTHERS[i % len(_OTHERS)] if i < len(people.seats) else "grey"
        shades[f"s{i}"] = found or WORDS[other]
    rims = {f"b-{name[2:]}": colour for name, colour in shades.items() if name.startswith("c-")}
    light = "".join(_rule(name, colour.light) for name, colour in shades.items())
    dark = "".join(_rule(name, colour.dark) for name, colour in shades.items())
    # the page around the picture has the colours of the seats too
    for i in range(len(people.all)):
        light += _shades(f".seat-{i}", shades[f"s{i}"].light)
        dark += _shades(f".seat-{i}", shades[f"s{i}"].dark)
    light += "".join(f".table .{n}{{--rim:{c.light}}}\n" for n, c in rims.items())
    dark += "".join(f".table .{n}{{--rim:{c.dark}}}\n" for n, c in rims.items())
    sizes = "".join(
        f".table .{name} svg{{min-width:{low}px;max-width:max({low}px,min({high}px,{round(78 * ratio)}vh));margin:0 auto}}\n"
        f".table figure.{name}{{flex:{high} 1 {max(128, min(round(high * 0.6), 544))}px;max-width:{max(high + 40, 192)}px}}\n"
        for name, (low, high, ratio) in widths.items()
    )
    wide = "".join(
        f".table .{n}.large svg{{min-width:{w}px;max-width:none}}\n" for n, w in large.items()
    )
    return (
        f"{_PLAIN}{light}{sizes}@media (max-width:40rem){{\n{_NARROW}{''.join(_fitted(n) for n in widths)}{wide}}}\n"
        f"@media (prefers-color-scheme:dark){{\n{dark}}}\n"
    )


def _fitted(name: str) -> str:
    """On a small screen a picture is as wide as that."""
    return f".table .{name} svg{{min-width:0}}\n"


def _rule(name: str, colour: str) -> str:
    return _shades(f".table .{name}", colour)


def _shades(where: str, colour: str) -> str:
    return f"{where}{{--fill:{colour};--on:{ink(colour)}}}\n"
