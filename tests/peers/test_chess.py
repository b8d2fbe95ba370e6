"""Chess against published counts of positions, and random games against python-chess."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from beside import example, turns

pytestmark = pytest.mark.peers
GAMES = int(os.environ.get("PEER_GAMES", "50"))
MEN = ("pawn", "knight", "bishop", "rook", "queen", "king")
# positions and how many there are after one, two … moves, as published
POSITIONS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8902, 197281]),
    "kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [48, 2039, 97862],
    ),
    "rooks and pawns": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812]),
    "promotions": (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        [6, 264, 9467],
    ),
    "a bug": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62379]),
    "middle game": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2079, 89890],
    ),
}


def put(fen: str) -> Any:
    """A state of ours from a position as chess players write it."""
    import chess

    board = chess.Board(fen)
    game = example("chess")
    data = game.new_initial_state(seed=0, ask_forced=True).to_dict()
    state = data["state"]
    for seat, colour in (("0", chess.WHITE), ("1", chess.BLACK)):
        state["own"][seat] = _names(board.occupied_co[colour])
        wings = {
            "king_side": board.has_kingside_castling_rights(colour),
            "queen_side": board.has_queenside_castling_rights(colour),
        }
        state["castle"][seat] = [wing for wing, there in wings.items() if there]
    for number, man in enumerate(MEN, 1):
        state["those"][man] = _names(
            board.pieces_mask(number, True) | board.pieces_mask(number, False)
        )
    state["passed_over"] = [] if board.ep_square is None else [chess.square_name(board.ep_square)]
    state["exposed"] = state["own"]["0" if board.turn == chess.WHITE else "1"]
    state["quiet"] = board.halfmove_clock
    data["at"]["options"] = str(_from(board))
    return game.from_dict(data)


def _names(mask: int) -> list[str]:
    import chess

    return [chess.square_name(s) for s in range(64) if mask >> s & 1]


def _from(board: Any) -> int:
    """The squares from which a man can go, as the options of the first step."""
    mask = 0
    for move in board.legal_moves:
        mask |= 1 << move.from_square
    return mask


def uci(values: tuple[Any, ...]) -> str:
    letters = {"knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
    return "".join(letters.get(str(v), str(v)) for v in values)


def count(state: Any, depth: int) -> int:
    found = turns(state)
    if depth == 1:
        return len(found)
    total = 0
    for actions in found.values():
        then = state.clone()
        for action in actions:
            then.apply_action(action)
        if not then.is_terminal():
            total += count(then, depth - 1)
    return total


@pytest.mark.parametrize("name", POSITIONS)
def test_positions(name: str) -> None:
    fen, counts = POSITIONS[name]
    state = put(fen)
    for depth, wanted in enumerate(counts, 1):
        assert count(state, depth) == wanted, f"{name}, {depth} moves"


@pytest.mark.parametrize("part", range(10))
def test_random_games(part: int) -> None:
    import chess

    luck = random.Random(part)
    for _ in range(max(1, GAMES // 10)):
        board, state = chess.Board(), example("chess").new_initial_state(seed=0, ask_forced=True)
        while True:
            over = board.is_checkmate() or board.is_stalemate() or board.is_insufficient_material()
            over = over or board.halfmove_clock >= 100 or board.is_repetition(3)
            assert state.is_terminal() == over, board.fen()
            if over:
                break
            mine = {uci(values): actions for values, actions in turns(state).items()}
            theirs = {move.uci(): move for move in board.legal_moves}
            assert mine.keys() == theirs.keys(), board.fen()
            word = luck.choice(sorted(mine))
            board.push(theirs[word])
            for action in mine[word]:
                state.apply_action(action)
        won = 0 if not board.is_checkmate() else -1 if board.turn == chess.WHITE else 1
        assert state.scores()[0] - state.scores()[1] == won
