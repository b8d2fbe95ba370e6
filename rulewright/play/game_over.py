"""A game that is over → how it ended, in one sentence: who has won, alone, as a team or all together, or lost to the game."""

from __future__ import annotations

from typing import Any

from rulewright.runtime.game import Game

# the words, in one place for both faces
WORDS = {
    "ended_won": "{names} has won.",
    "ended_shared": "{names} share the win.",
    "ended_draw": "It is a draw.",
    "ended_team": "{names} have won.",
    "ended_all_won": "All players have won together.",
    "ended_all_lost": "The game has won: all players have lost.",
    "ended_alone_won": "{names} has won against the game.",
    "ended_alone_lost": "The game has won: {names} has lost.",
    "ended_lost_to": "{names} has won: all players have lost.",
    "ended_reached": "{reached} of {whole} was reached.",
}


def how_it_ended(game: Game, state: Any) -> list[tuple[str, dict[str, object]]]:
    """Keys of `WORDS` with what stands in them, sentence by sentence."""
    info = game.info
    ranks = state.ranking()
    players: int = info["players"]
    first = [who for who, rank in enumerate(ranks) if rank == 1]
    names = [info["participants"][who] for who in first]
    whole = info.get("together")
    if whole is not None:
        won = ranks[0] == 1
        if players == 1:
            one: dict[str, object] = {"names": info["participants"][0]}
            out = [("ended_alone_won" if won else "ended_alone_lost", one)]
        else:
            out = [("ended_all_won" if won else "ended_all_lost", {})]
        if whole > 1:
            reached = round(state.returns()[0] * whole)
            out.append(("ended_reached", {"reached": reached, "whole": whole}))
        return out
    if first and first[0] >= players:
        return [("ended_lost_to", {"names": listed(names)})]
    if len(ranks) > players and first == list(range(players)):
        return [("ended_all_won", {})]
    if info.get("by_team") and len({info["teams"][who] for who in first}) == 1 < len(first):
        return [("ended_team", {"names": listed(names)})]
    if len(first) == players > 1:
        return [("ended_draw", {})]
    return [("ended_shared" if len(first) > 1 else "ended_won", {"names": listed(names)})]


def told(game: Game, state: Any) -> str:
    return " ".join(WORDS[key].format(**values) for key, values in how_it_ended(game, state))


def listed(names: list[str]) -> str:
    """A; A and B; A, B and C."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
