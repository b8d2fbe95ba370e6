"""`rulewright games`: specs → what can be played, and what in it is assumed."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.cli.common import FormatOption, print_json, read
from rulewright.engines import examples as example_games
from rulewright.engines import games as own_games
from rulewright.wording import counted

if TYPE_CHECKING:
    from rulewright.assumptions import Assumption
    from rulewright.compiler.build import Spec
    from rulewright.compiler.read.folder import OptionDecl
    from rulewright.language.palette import Palette


def describe(spec: Spec) -> dict[str, Any]:
    """A game as plain data."""
    game = spec.folder.game
    variants = sorted(spec.folder.variants.values(), key=lambda v: (v.automatic, v.name))
    options = [_option(decl, None) for decl in spec.folder.options.values()]
    for variant in variants:
        options += [_option(decl, variant.name) for decl in variant.options.values()]
    return {
        "game": game.game,
        "title": game.title,
        "about": game.about,
        "players": list(game.players),
        "variants": [
            {
                "name": variant.name,
                "about": variant.about,
                "players": list(variant.players),
                "automatic": variant.automatic,
                "needs": [name.text for name in variant.needs],
                "excludes": [name.text for name in variant.excludes],
            }
            for variant in variants
        ],
        "options": options,
    }


def _option(decl: OptionDecl, variant: str | None) -> dict[str, Any]:
    from rulewright.compiler.read.print_folder import node_text, type_text

    return {
        "name": decl.name,
        "type": type_text(decl.type),
        "default": node_text(decl.default),
        "about": decl.about,
        "variant": variant,
    }


def register(app: typer.Typer) -> None:
    @app.command()
    def games(
        game: Annotated[
            str | None, typer.Argument(metavar="GAME|FOLDER", help="Tell more of this one.")
        ] = None,
        assumptions: Annotated[
            bool,
            typer.Option(
                "--assumptions", help="List assumptions, stand-ins and readings of the rulebook."
            ),
        ] = False,
        hooks: Annotated[
            bool,
            typer.Option(
                "--hooks",
                help="List what powers can hang on, effects and columns, each with its meaning and an example.",
            ),
        ] = False,
        format_: FormatOption = "text",
    ) -> None:
        """What there is to play: player counts, variants, options."""
        from rulewright.assumptions import assumptions as assumptions_of

        told = []
        for name in [game] if game is not None else own_games():
            spec = read(name)
            data = describe(spec)
            found = assumptions_of(spec) if assumptions else None
            if format_ == "text":
                _show(data, found, whole=game is not None or assumptions)
            elif found is not None:
                data["assumptions"] = [each.to_json() for each in found]
            if hooks:
                from rulewright.language.palette import palette

                opened = palette(spec.folder, spec.sources)
                data["palette"] = opened.to_json()
                if format_ == "text":
                    _show_palette(opened)
            told.append(data)
        if format_ == "json":
            print_json({"games": told})
        elif game is None and not assumptions:
            typer.echo("\nExamples of the language, built when they are first played:")
            for name in example_games():
                _show(describe(read(name)), None, whole=False)
            typer.echo("\n'rulewright games GAME' tells more of one.")


def _show(data: dict[str, Any], found: list[Assumption] | None, *, whole: bool) -> None:
    """One game in words: a few lines, or with `whole` all that is known."""
    choices = [v for v in data["variants"] if not v["automatic"]]
    _item(0, data["game"], f"{data['title']}, {_counts(data['players'])} players")
    if not whole:
        for title, things in (("variants", choices), ("options", data["options"])):
            if things:
                _item(2, f"{title}:", ", ".join(thing["name"] for thing in things))
        return
    if data["about"]:
        _item(2, "", data["about"])
    automatic = [v for v in data["variants"] if v["automatic"]]
    for title, variants in (("variants", choices), ("taken by themselves", automatic)):
        if variants:
            _item(2, f"{title}:")
        for v in variants:
            more = [f"{_counts(v['players'])} players"]
            more += [f"needs {name}" for name in v["needs"]]
            more += [f"not with {name}" for name in v["excludes"]]
            _item(4, v["name"], f"({'; '.join(more)}) {v['about']}")
    if data["options"]:
        _item(2, "options:")
    for o in data["options"]:
        where = f"; with {o['variant']}" if o["variant"] else ""
        _item(4, o["name"], f"({o['type']}, default {o['default']}{where}) {o['about']}")
    if found is not None:
        numbers = (
            counted(sum(a.kind == kind for a in found), kind, many)
            for kind, many in (("assumed", "assumed"), ("stand-in", None), ("reading", None))
        )
        _item(2, "assumptions:", ", ".join(numbers))
    for a in found or ():
        # Not folded: these lines are for looking through with other tools as well.
        typer.echo(f"    {a.file}:{a.line}: {a.kind}: {a.what}: {' '.join(a.reason.split())}")


def _show_palette(found: Palette) -> None:
    from rulewright.language.palette import COLUMN

    for title, items in (
        ("what a power can change or follow:", found.hooks),
        ("effects:", found.effects),
        ("columns:", found.columns),
    ):
        _item(2, title)
        for item in items:
            is_column = item.sort == COLUMN
            head = item.name if is_column or not item.example else item.example
            more = f", as in {' '.join(item.example.split())}" if is_column and item.example else ""
            about = item.about.rstrip(".;") if more else item.about
            _item(4, head, about + more + (f" (with {item.variant})" if item.variant else ""))


def _item(indent: int, head: str, text: str = "") -> None:
    """A word that stands out and what is said of it, folded to the terminal's width."""
    width = max(40, shutil.get_terminal_size().columns)
    space = " " * indent
    whole = "  ".join(part for part in (head, text) if part)
    folded = textwrap.fill(
        whole, width, initial_indent=space, subsequent_indent=space + "  ", break_on_hyphens=False
    )
    typer.echo(folded.replace(head, typer.style(head, bold=True), 1) if head else folded)


def _counts(players: list[int]) -> str:
    words = [str(count) for count in players]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
