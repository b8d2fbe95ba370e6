"""Games, states and views → what a notebook shows: the board as a picture, and tables as DataFrames."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import SPECS, spec_path
from rulewright.runtime.errors import RulewrightError
from rulewright.scene.everybody import seen_by_all
from rulewright.web.board import Board
from rulewright.web.shapes import esc

Json = dict[str, Any]


def state_html(game: Any, state: Any) -> str:
    """A position as everybody sees it, with who decides what."""
    return _shown(game, seen_by_all(state), None, state)


def view_html(view: Any) -> str:
    """A position as one seat sees it."""
    return _shown(view.game, view.data, view.seat, view)


def game_html(game: Any) -> str:
    """A game: its ruleset, and its board before the first decision."""
    info = game.info
    variants = f", with {', '.join(info['variants'])}" if info["variants"] else ""
    head = f"{info['title']}, {info['players']} players{variants}: {info['actions']} actions, ruleset {info['hash']}"
    return f"<p>{esc(head)}</p>{state_html(game, game.new_initial_state(0))}"


def choices_table(game: Any) -> Any:
    """All decisions of a game as a DataFrame: label, what is chosen from, first action, number of actions."""
    rows = [
        {
            "choice": c["label"], "domain": c["element"].get("kind", "number"), "first_action": c["offset"], "actions": c["size"],
            "secret": c["secret"],
        }
        for c in game.info["choices"].values()
    ]  # fmt: skip
    return _pandas().DataFrame(rows)


def pieces_table(game: Any) -> Any:
    """The pieces of a game's observations as a DataFrame."""
    rows = [
        {"piece": p.name, "start": p.start, "shape": p.shape, "axes": p.axes, "low": p.low, "high": p.high, "meaning": p.meaning}
        for p in game.observation_spec().pieces
    ]  # fmt: skip
    return _pandas().DataFrame(rows)


def scores_table(state: Any) -> Any:
    """The points of each participant by reason as a DataFrame, with the ranks at the end of a game."""
    game = state.view(0).game
    rows = state.score_breakdown()
    table = _pandas().DataFrame(rows, index=game.info["participants"])
    table["score"] = state.scores()
    if state.is_terminal():
        table["rank"] = state.ranking()
    return table


def games_table(file: str | Path) -> Any:
    """The games that `rulewright simulate --out` wrote (CSV, JSON lines, Parquet) as a DataFrame, one game in each row."""
    pandas = _pandas()
    path = Path(file)
    match path.suffix:
        case ".parquet":
            return pandas.read_parquet(path)
        case ".jsonl":
            return pandas.read_json(path, lines=True)
        case _:
            return pandas.read_csv(path, comment="#")


def _pandas() -> Any:
    try:
        # an extra
        import pandas
    except ImportError:
        raise RulewrightError("tables need pandas: pip install 'rulewright[research]'") from None
    return pandas


def _shown(game: Any, data: Json, seat: int | None, state: Any) -> str:
    board = _board(_folder(game), game.fast)
    line = esc(_line(game, data, state))
    if board is None:
        return f"<p>{line}</p><pre>{esc(_text(data))}</pre>"
    picture = board.picture(board.render(data, seat, {}))
    # the style is of the picture alone: a notebook has its own
    return f"<div><style>{board.style()}</style><p>{line}</p>{picture}</div>"


def _folder(game: Any) -> str | None:
    """Where a game's picture is described, if its spec is still there."""
    if game.fast.source is not None:
        path = Path(str(spec_path(game.fast.source[1])))
    else:
        path = SPECS / str(game.name)
    return str(path) if (path / "game.yaml").is_file() else None


@lru_cache(maxsize=8)
def _board(folder: str | None, game: Any) -> Board | None:
    if folder is None:
        return None
    try:
        return Board(game, Path(folder))
    except (RulewrightError, SpecError):
        return None


def _line(game: Any, data: Json, state: Any) -> str:
    seats = game.info["seats"]
    if state.is_terminal():
        points = ", ".join(f"{name} {n}" for name, n in zip(seats, state.scores(), strict=False))
        return f"{game.info['title']}: over; {points}"
    if data["decides"] < 0:
        return f"{game.info['title']}: chance decides"
    return f"{game.info['title']}: {seats[data['decides']]} decides {data['choice']}"


def _text(data: Json) -> str:
    import json

    return json.dumps({k: data[k] for k in ("state", "zones", "pieces")}, ensure_ascii=False)
