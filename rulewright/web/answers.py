"""A question about a decision → the answer as a fragment: reasons against something, clauses behind an option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.play.player_words import choice_text, cite_text, option_text
from rulewright.play.several import Several
from rulewright.runtime.game import Game
from rulewright.scene.view_words import plain
from rulewright.web.messages import Why
from rulewright.web.page import fragment
from rulewright.web.sight import dealt_from, pending, why_not
from rulewright.web.words import say

Json = dict[str, Any]


def answer(
    game: Game,
    clauses: Mapping[str, Any],
    state: Any,
    seat: int,
    asked: Why,
    asks: Mapping[str, str] = {},
) -> str:
    """For the seat that decides, from what it sees."""
    if asked.member:
        return _about_member(game, clauses, state, seat, asked.member, asks)
    dealt = dealt_from(state.view(seat))
    if asked.action >= 0:
        return _about_option(game, clauses, dealt, seat, asked.action)
    choice = pending(game, dealt)
    rows = [cite_text(c, dict(clauses)) for c in choice["cites"]]
    for condition in choice["conditions"]:
        rows += _reason(condition, clauses)
    heading = choice_text(choice["label"], asks)
    return fragment("why", heading, list(dict.fromkeys(rows)) or [say("no_clause")])


def _about_member(
    game: Game,
    clauses: Mapping[str, Any],
    state: Any,
    seat: int,
    member: str,
    asks: Mapping[str, str],
) -> str:
    kind, _, name = member.partition("/")
    reasons = why_not(game, state, seat, kind, name)
    if reasons is None:
        choice = pending(game, state)
        question = choice_text(choice["label"], asks).rstrip("?")
        return fragment("why", say("not_asked", question=question), [])
    if not reasons:
        return fragment("why", say("possible"), [])
    rows = [row for reason in reasons for row in _reason(reason, clauses)]
    texts = game.info["kinds"].get(kind, {"members": [], "texts": []})
    called = dict(zip(texts["members"], texts["texts"], strict=True)).get(name, plain(name))
    heading = say("not_possible", why=called)
    return fragment("why", heading, list(dict.fromkeys(rows)))


def beside_marks(
    several: Several, marks: tuple[int, ...], member: str, clauses: Mapping[str, Any]
) -> str | None:
    """Why something can't be chosen together with what is marked; None when the marks are not in its way."""
    kind, _, name = member.partition("/")
    number = next((item.number for item in several.items if item.value == name), None)
    if kind != several.choice["element"].get("kind") or number is None:
        return None
    if number in several.more(marks):
        return fragment("why", say("possible"), [])
    rows = [
        row for condition in several.choice["conditions"] for row in _reason(condition, clauses)
    ]
    return fragment("why", say("not_together"), list(dict.fromkeys(rows)))


def _about_option(
    game: Game, clauses: Mapping[str, Any], dealt: Any, seat: int, action: int
) -> str:
    if action not in dealt.legal_actions():
        return fragment("why", say("stale"), [])
    choice = pending(game, dealt)
    cites = list(choice["cites"])
    kind = game.info["kinds"].get(choice["element"].get("kind", ""))
    value = str(dealt.action_to_dict(action)["value"])
    if kind is not None and value in kind["members"] and kind["cites"]:
        cites += kind["cites"][kind["members"].index(value)]
    rows = [cite_text(c, dict(clauses)) for c in dict.fromkeys(cites)]
    return fragment("why", option_text(dealt, action, seat), rows or [say("no_clause")])


def _reason(reason: Mapping[str, Any], clauses: Mapping[str, Any]) -> list[str]:
    """What stands against it: in numbers and a reader's words first, then as the rules have it."""
    needs = [str(reason["needs"])] if "needs" in reason else []
    rows = [cite_text(c, dict(clauses)) for c in reason["cites"]]
    rules = say("in_the_rules", text=reason["text"]) if rows or needs else reason["text"]
    return [*needs, *rows, rules]
