"""The last good rules → the table's own picture of the beginning, with what can be dragged and linked in it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.runtime.hashes import text_hash
from rulewright.scene.everybody import seen_by_all
from rulewright.studio.cell_grids import Grids
from rulewright.studio.play import snapshot

if TYPE_CHECKING:
    from rulewright.studio.workbench import Bench
    from rulewright.web.app import Server

Json = dict[str, Any]


async def boards_of(server: Server, shelf: Path, bench: Bench, data: Json) -> Json:
    """The picture and its style sheet, and for each kind in it the columns that hold places and links."""
    counts = bench.known_spec.get("players") or [2]
    players = int(data.get("players") or bench.players or max(counts))
    variants = [str(v) for v in data.get("variants") or bench.variants]
    values: Json = {"players": players, "variants": variants}
    texts = bench.playable()
    if texts is not None:
        values["folder"] = str(await asyncio.to_thread(snapshot, bench.project.root, shelf, texts))
    drawn = await bench.ask_far("picture", values)
    server.catalogue.styles[drawn["name"]] = drawn["style"]
    grids = await asyncio.to_thread(bench.grids)
    return {
        "style": f"/board/{drawn['name']}.css",
        "picture": drawn["picture"],
        "old": texts is not None,
        "layers": layers_of(grids, variants[0] if variants else ""),
    }


def draw(root: Path, players: int, variants: list[str]) -> Json:
    """In a process of its own: the rules made into an engine for their picture alone, and its beginning drawn."""
    from rulewright.compiler.build import read_spec
    from rulewright.engines import game_of
    from rulewright.web.board import Board

    game = game_of(read_spec(root, root.name), players, variants)
    board = Board(game, root)
    picture = board.picture(board.render(seen_by_all(game.new_initial_state(1)), None, {}))
    style = board.style()
    return {"picture": picture, "style": style, "name": f"studio-{text_hash(style)}"}


def layers_of(grids: Grids, variant: str = "") -> list[Json]:
    """The layers of boards in the view whose places stand in a column of their table."""
    opened = grids.sheets.files.get("view.yaml")
    out: list[Json] = []
    for document in opened.yaml.documents if opened is not None else ():
        parts = document.get("parts") if isinstance(document, YMap) else None
        for part in parts.items if isinstance(parts, YList) else ():
            board = part.get("board") if isinstance(part, YMap) else None
            if (
                not isinstance(board, YMap)
                or board.get("blocks") is not None
                or board.get("hex") is not None
            ):
                continue
            layers = board.get("layers")
            for layer in layers.items if isinstance(layers, YList) else ():
                found = _layer(grids, layer, variant)
                if found is not None:
                    out.append(found)
    return out


def _layer(grids: Grids, layer: Node, variant: str) -> Json | None:
    if not isinstance(layer, YMap):
        return None
    kind, at = _word(layer, "of"), _word(layer, "at")
    found = grids.sheets.table(kind)
    if found is None or not at:
        return None
    columns = found[1].get("columns")
    if not isinstance(columns, YMap) or columns.get(at) is None:
        return None
    places = {}
    for row in grids.table(kind, variant)["rows"]:
        value = row["cells"][at]["value"]
        if isinstance(value, list) and len(value) == 2:
            places[row["name"]] = value
    joins = _word(layer, "joins")
    types = {c["name"]: c["type"] for c in grids.table(kind)["columns"]}
    return {
        "kind": kind,
        "at": at,
        "links": _word(layer, "links"),
        "joins": joins,
        "joined": types.get(joins, {}).get("of", {}).get("kind", "") if joins else "",
        "places": places,
    }


def _word(node: YMap, key: str) -> str:
    found = node.get(key)
    return found.text if isinstance(found, YScalar) else ""
