"""Games → pictures of real positions, taken in a real browser: `python -m rulewright.web.shots FOLDER`.

The positions come from games that bots play from a fixed seed, so that the same spec gives the same pictures.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rulewright.bots.registry import make
from rulewright.compiler.build import read_spec
from rulewright.engines import games, load, spec_path
from rulewright.scene.everybody import seen_by_all
from rulewright.web.board import Board
from rulewright.web.shapes import esc

BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
# how far a game has gone when its picture is taken
_PART = 0.55
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>body{{margin:0;padding:.8rem;font-family:system-ui,sans-serif;background:#f4f1ea}}
@media (prefers-color-scheme:dark){{body{{background:#1d1b19}}}}{style}</style></head><body>{picture}</body></html>
"""
_FRAME = """<!doctype html><style>body{{margin:0}}iframe{{border:0;width:{width}px;height:{height}px}}</style><iframe src="{file}"></iframe>"""


def position(name: str, players: int | None = None, seed: int = 7) -> tuple[Any, Any]:
    """A game, and a state of it somewhere past the middle, as bots play it."""
    folder = spec_path(name)
    most = max(read_spec(folder, folder.name).folder.game.players)
    game = load(name, players or most)
    states = []
    state = game.new_initial_state(seed)
    bot = make("greedy", game)
    while not state.is_terminal():
        states.append(state.clone())
        view = state.view(state.current_player())
        state.apply_action(bot.choose(view, len(states)))
    return game, states[int(len(states) * _PART)]


def targets_of(game: Any, state: Any) -> dict[tuple[str, str], list[int]]:
    """What a click on each member means, for who decides."""
    choice = game.info["choices"][str(state.pc)]
    kind = choice["element"].get("kind", "")
    out: dict[tuple[str, str], list[int]] = {}
    for action in state.legal_actions():
        out.setdefault((kind, str(state.action_to_dict(action)["value"])), []).append(action)
    return out


def page(game: Any, state: Any, spectator: bool = False) -> str:
    """A page of its own that shows a position as who decides sees it."""
    board = Board(game)
    seat = None if spectator else max(0, int(state.current_player()))
    data = seen_by_all(state) if seat is None else state.view(seat).data
    targets = {} if state.is_terminal() or seat is None else targets_of(game, state)
    picture = board.picture(board.render(data, seat, targets))
    title = esc(game.info.get("title", game.name))
    return _PAGE.format(title=title, style=board.style(), picture=picture)


def take(browser: str, file: Path, out: Path, width: int, height: int, dark: bool) -> None:
    """A picture of a page as wide as asked; a frame stands in for windows narrower than the browser makes them."""
    with tempfile.TemporaryDirectory() as folder:
        frame = Path(folder) / "frame.html"
        frame.write_text(_FRAME.format(width=width, height=height, file=file.resolve().as_uri()))
        subprocess.run(
            [
                browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
                f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--window-size={max(width, 520)},{height}",
                f"--screenshot={out}", frame.as_uri(),
            ],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rulewright.web.shots", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--widths", type=int, nargs="+", default=[1100], help="in pixels")
    parser.add_argument("--dark", action="store_true", help="dark ones too")
    parser.add_argument(
        "--plain", action="store_true", help="name pictures by the game alone, and keep no pages"
    )
    parser.add_argument("--height", type=int, default=1050, help="in pixels")
    parser.add_argument("--game", nargs="+", default=games(), help="names of games, or folders")
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(words)
    browser = next((found for found in map(shutil.which, BROWSERS) if found), None)
    if browser is None:
        print(f"No browser: one of {', '.join(BROWSERS)} is needed.", file=sys.stderr)
        return 1
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.game:
        file = given.folder / f"{Path(name).name}.html"
        file.write_text(page(*position(name, given.players, given.seed)), encoding="utf-8")
        for width in given.widths:
            for dark in (False, True) if given.dark else (False,):
                more = "" if given.plain else f"-{width}"
                out = file.with_name(f"{file.stem}{more}{'-dark' if dark else ''}.png")
                take(browser, file, out, width, given.height, dark)
                print(out)
        if given.plain:
            file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
