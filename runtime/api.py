"""What a state can tell about itself; generated state classes hand their rarer methods on to here."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NoReturn

from rulewright.runtime import rng
from rulewright.runtime.bits import first, fresh_members, members, nth, size
from rulewright.runtime.data import Json
from rulewright.runtime.errors import (
    IN_PLAY,
    EngineError,
    IllegalAction,
    RulewrightError,
    too_many_decisions,
    too_many_steps,
)
from rulewright.runtime.given import shown, whole_number
from rulewright.runtime.info import Where
from rulewright.runtime.state import EngineState, FullState, full_flavour
from rulewright.runtime.support import STEPS

if TYPE_CHECKING:

    from rulewright.runtime.game import Game
    from rulewright.runtime.view import View


_MOST_LISTS = 1_000


def listed(lists: dict[int, tuple[int, ...]], mask: int, offset: int) -> tuple[int, ...]:
    """The actions of a set of options, kept in `lists`; they are shared, and can't be changed."""
    if len(lists) >= _MOST_LISTS:
        lists.clear()
    found = lists[mask] = actions(mask, offset)
    return found


def actions(mask: int, offset: int) -> tuple[int, ...]:
    """The actions of a set of options."""
    found = fresh_members(mask)
    return tuple([offset + i for i in found] if offset else found)


def action_number(action: object) -> int:
    """An action that is no plain int: what stands for one (a number of an array) is taken, nothing else."""
    found = whole_number(action)
    if found is None:
        raise IllegalAction(f"an action is a whole number, not {shown(action)}")
    return found


def endless(game: Game, state: EngineState) -> EngineError:
    """The error for a game that was driven for too long: at the innermost loop around what is asked now."""
    from rulewright.runtime.save import returns

    for pc in (state.pc, *returns(game, state)):
        point = game.info["points"].get(str(pc))
        if point is not None and point["loop"] is not None:
            procedure, *at = point["loop"]
            return too_many_decisions(game.most_decisions, procedure, at)
    info, pending = game.info, str(state.pc)
    asked = info["chances"].get(pending) if state.who == -1 else info["choices"].get(pending)
    return too_many_decisions(game.most_decisions, None, asked and list(asked["place"]))


# ---------------------------------------------------------------- applying


def illegal(game: Game, state: EngineState, action: int) -> IllegalAction:
    """The error for an action that is not legal, with the reasons."""
    if state.pc == 0:
        return IllegalAction("the game is over")
    if state.who == -1:
        return IllegalAction(f"{shown(action)} is not an outcome of this chance point")
    choice = game.info["choices"][str(state.pc)]
    value = action - choice["offset"]
    if not 0 <= value < choice["size"]:
        other = game.choice_of(action)
        name = f"{other['label']}" if other else f"number {shown(action)}"
        return IllegalAction(f"{name} is not asked now; the pending decision is {choice['label']}")
    reasons = why_not(game, state, choice["label"], game.option_name(choice, value))
    text = "; ".join(
        r["text"] + (f" ({', '.join(r['cites'])})" if r["cites"] else "") for r in reasons
    )
    return IllegalAction(
        f"{choice['label']} {game.option_name(choice, value)} is not allowed: {text}"
    )


def apply_full(game: Game, state: FullState, value: int) -> None:
    """Carry out a decision or an outcome in a full engine; after an error the state is as it was."""
    before = state.clone()
    try:
        if state.who >= 0:
            _tell(game, state, value)
        elif state.who == -1:
            state.barriers += 1
        game.module.run(state, value)
        settle(game, state)
    except IN_PLAY as error:
        restore(state, before)
        raise game.located(error) from error


def settle(game: Game, state: FullState) -> None:
    """Go on through chance that is sampled, then check what must hold."""
    for step in count():
        if step > STEPS:
            raise too_many_steps(-1 - state.pc)
        if state.who == -1 and not state.explicit:
            state.barriers += 1
            game.module.run(state, sample(state))
        elif state.who >= 0 and not state.asks_all and is_forced(game, state):
            value = first(state.opts)
            _tell(game, state, value)
            game.module.run(state, value)
        else:
            break
    if state.checked:
        number = game.module.broken(state)
        if number >= 0:
            invariant = game.info["invariants"][number]
            message = f"the invariant {invariant['name']} does not hold"
            raise EngineError("RW1005", -1, message, list(invariant["place"]))


def is_forced(game: Game, state: EngineState) -> bool:
    """One option, and all can see that it is the only one: nobody needs to be asked."""
    return (
        state.opts & (state.opts - 1) == 0
        and not game.info["choices"][str(state.pc)]["secret_options"]
    )


def sample(state: FullState) -> int:
    """An outcome of the pending chance point, drawn with the state's own random numbers."""
    state.rng, outcome = drawn(state, state.rng)
    return outcome


def drawn(state: FullState, x: int) -> tuple[int, int]:
    """The random state after x, and the outcome of the pending chance point that it gives."""
    if state.digit == 0:
        # dice that are rolled in a row share a number
        x = rng.step(x)
    return x, nth(state.pool, rng.digit(x, size(state.pool), state.digit)) % state.kinds


def fields_of(state: EngineState) -> tuple[str, ...]:
    """The names of a state's fields."""
    for kind in type(state).__mro__:
        found = getattr(kind, "__slots__", ())
        if found:
            return tuple(found)
    raise TypeError(f"{type(state).__name__} is no state")


def restore(state: EngineState, before: EngineState) -> None:
    for name in fields_of(state):
        setattr(state, name, getattr(before, name))


def _tell(game: Game, state: FullState, value: int) -> None:
    choice = game.info["choices"][str(state.pc)]
    declines = choice["otherwise"] is not None and value == choice["size"] - 1
    if choice["more"] and not (declines and "asks_on" not in choice):
        # the last step of a joint choice tells of all
        return
    seat = game.info["seats"][state.who]
    own = game.module.say(state, value, True)
    others = game.module.say(state, value, False)
    if own == others:
        state.story.append((-1, f"{seat} {own}"))
    else:
        state.story.append((state.who, f"{seat} {own}"))
        state.story.append((-2 - state.who, f"{seat} {others}"))


def story(state: FullState, seat: int, since: int = 0) -> list[str]:
    """The lines of the story that a seat may read."""
    out = []
    for viewer, text in state.story[since:]:
        if viewer == -1 or viewer == seat or (viewer <= -2 and -2 - viewer != seat):
            out.append(text)
    return out


# ---------------------------------------------------------------- results


def scores(game: Game, state: EngineState) -> list[int]:
    return list(state.score)


def rank_keys(game: Game, state: EngineState) -> list[tuple[int, ...]]:
    """Who is ranked, and by which numbers."""
    try:
        return game.module.rank_keys(state)
    except IN_PLAY as error:
        raise game.located(error) from error


def ranking(game: Game, state: EngineState) -> list[int]:
    """The rank of each participant, 1 is best; equals share a rank."""
    rows = rank_keys(game, state)
    whole = game.info.get("together")
    if whole is not None:
        # all of them are first, or all come after the game
        return [1 if keys[0] >= whole else 2 for _, *keys in rows]
    if game.info.get("by_team"):
        teams = {game.info["teams"][who]: keys for who, *keys in rows}
        return [1 + sum(other > keys for other in teams.values()) for _, *keys in rows]
    out = [0] * len(game.info["participants"])
    for who, *keys in rows:
        out[who] = 1 + sum(1 for _, *other in rows if other > keys)
    return out[: max(who for who, *_ in rows) + 1] if rows else out


def returns(game: Game, state: EngineState) -> list[float]:
    """One win shared among the best-ranked; nothing before the end.

    Partners have the win of their team, each of them. Those who play together against the game have what they reached
    of what there was to reach. Where a neutral participant is ranked too, players can lose together (it is first alone: 0 for each) and win
    together (they share the first place before it: 1 for each).
    """
    n: int = game.info["players"]
    if not state.is_terminal():
        return [0.0] * n
    whole = game.info.get("together")
    if whole is not None:
        return [max(0, min(key, whole)) / whole for _, key in rank_keys(game, state)]
    ranks = ranking(game, state)
    if game.info.get("by_team"):
        first = {game.info["teams"][who] for who, rank in enumerate(ranks) if rank == 1}
        return [1 / len(first) if rank == 1 else 0.0 for rank in ranks]
    best = {who for who, rank in enumerate(ranks) if rank == 1}
    neutral_ranked = any(rank > 0 for rank in ranks[n:])
    together = neutral_ranked and best == set(range(n))
    share = 1.0 if together else 1.0 / max(1, len(best))
    return [share if who in best else 0.0 for who in range(n)]


def score_breakdown(game: Game, state: EngineState) -> list[dict[str, int]]:
    """For each participant the points by reason."""
    reasons = list(game.info["reasons"])
    width = max(1, len(reasons))
    return [
        {reason: state.breakdown_[who * width + i] for i, reason in enumerate(reasons)}
        for who in range(len(game.info["participants"]))
    ]


def seed_number(seed: object) -> int:
    """A seed is any whole number."""
    found = whole_number(seed)
    if found is None:
        raise RulewrightError(f"a seed is a whole number, not {shown(seed)}")
    return found


def reseed(state: EngineState, seed: int) -> None:
    state.rng = rng.from_seed(seed_number(seed))


def chance_outcomes(game: Game, state: EngineState) -> list[tuple[int, float]]:
    """The outcomes of the pending chance point with their probabilities."""
    if state.who != -1:
        raise RulewrightError("this is not a chance point")
    pending = full_flavour(state)
    weights: dict[int, int] = {}
    for bit in members(pending.pool):
        weights[bit % pending.kinds] = weights.get(bit % pending.kinds, 0) + 1
    total = sum(weights.values())
    return [(outcome, n / total) for outcome, n in sorted(weights.items())]


# ---------------------------------------------------------------- actions in words


def action_to_dict(game: Game, state: EngineState, action: int) -> Json:
    """{"choice": label, "value": name}; for an outcome of chance {"chance": what, "value": …}."""
    action = action_number(action)
    if state.who == -1:
        chance = game.info["chances"][str(state.pc)]
        if not 0 <= action < chance["size"]:
            raise IllegalAction(f"{shown(action)} is not an outcome of this chance point")
        low = game.values.low(chance["element"])
        return {
            "chance": chance["what"],
            "value": game.values.show(chance["element"], action + low),
        }
    choice = game.choice_of(action)
    if choice is None:
        raise IllegalAction(f"there is no action number {shown(action)}")
    return {"choice": choice["label"], "value": game.option_name(choice, action - choice["offset"])}


def action_from_dict(game: Game, state: EngineState, data: Json) -> int:
    if not isinstance(data, dict):
        raise IllegalAction(f"an action is written as a mapping, not {shown(data)}")
    if "chance" in data:
        if state.who != -1:
            raise IllegalAction("this is not a chance point")
        chance = game.info["chances"][str(state.pc)]
        try:
            value = game.values.read(chance["element"], data.get("value"), chance["what"])
        except RulewrightError as error:
            raise IllegalAction(str(error)) from None
        return int(value - game.values.low(chance["element"]))
    if "choice" not in data or "value" not in data:
        raise IllegalAction('an action is written {"choice": label, "value": name}')
    choice = game.choice_named(data["choice"])
    return int(choice["offset"] + game.option_index(choice, data["value"]))


def action_to_string(game: Game, state: EngineState, action: int, viewer: int | None = None) -> str:
    """The words for an action, as its chooser or as another viewer hears it."""
    action = action_number(action)
    if state.pc == 0:
        raise IllegalAction("the game is over: nobody can do anything")
    if state.who < 0:
        return f"{action_to_dict(game, state, action)['value']}"
    choice = game.info["choices"][str(state.pc)]
    value = action - choice["offset"]
    if not 0 <= value < choice["size"]:
        told = game.choice_of(action)
        what = f"number {shown(action)}" if told is None else str(told["label"])
        raise IllegalAction(f"{what} is not asked now; the pending decision is {choice['label']}")
    full = game.full_state(state)
    try:
        return str(game.full.module.say(full, value, viewer is None or viewer == state.who))
    except IN_PLAY as error:
        raise game.full.located(error) from error


def why_not(game: Game, state: EngineState, choice: str, value: object) -> list[Json]:
    """Which conditions rule a value out now, with their clauses; [] if it is legal."""
    if state.pc == 0:
        return [_reason("the game is over")]
    if state.who == -1:
        return [_reason("chance decides now")]
    pending = game.info["choices"][str(state.pc)]
    asked = game.choice_named(choice)
    if asked["label"] != pending["label"]:
        return [_reason(f"{choice} is not asked now; the pending decision is {pending['label']}")]
    try:
        index = game.option_index(asked, value)
    except IllegalAction as error:
        # what is no value at all of this choice; which ones there are is what the rules say here
        return [_reason(str(error), pending["cites"], pending["place"])]
    if state.opts >> index & 1:
        return []
    from rulewright.runtime import needs

    full = game.full_state(state)
    sides = game.full.module.sides
    out: list[Json] = []
    for number in game.full.module.why(full, index):
        if number < -1:
            # inside the possible(…) of the condition before
            inner = game.full.info["fails"][-2 - number]
            cites = list(dict.fromkeys([*inner["cites"], *out[-1]["cites"]]))
            out[-1] = _reason(inner["text"], cites, inner["place"])
        elif number < 0:
            out.append(
                _reason(
                    "it is not among what can be chosen here", pending["cites"], pending["place"]
                )
            )
        else:
            condition = pending["conditions"][number]
            row = _reason(condition["text"], condition["cites"], condition["place"])
            out.append(row | needs.compared(condition["text"], sides(full, index, number)))
    return out or [_reason("it is not offered", pending["cites"], pending["place"])]


def _reason(text: str, cites: list[str] | None = None, place: Where | None = None) -> Json:
    return {"text": text, "cites": cites or [], "place": place}


def pending(game: Game, state: EngineState, viewer: int | None = None) -> Json | None:
    """What is asked now, as plain data; see pending.py."""
    from rulewright.runtime import pending as asked

    return asked.pending(game, state, viewer)


def preview(game: Game, state: EngineState, action: int) -> Json:
    """What an option changes until the next decision or chance, as its chooser may know it; see preview.py."""
    from rulewright.runtime import preview as ahead

    return ahead.preview(game, state, action)


# ---------------------------------------------------------------- for who trains and measures


def observe_into(game: Game, state: EngineState, buffer: object, seat: int) -> None:
    """What a seat sees, as numbers into a buffer; see observation.py."""
    game.observer.into(state, buffer, seat)


def action_mask_into(
    game: Game, state: EngineState, buffer: object, seat: int | None = None
) -> None:
    """1 for each action that the seat (without one: whoever decides) can take now, into a buffer of bytes."""
    game.observer.mask_into(state, buffer, seat)


def information_state(game: Game, state: EngineState, seat: int) -> NoReturn:
    """Only a state that keeps its history has one; see recall.py."""
    raise RulewrightError(
        "this state keeps no history; begin the game with new_initial_state(…, remember=True)"
    )


def reduced(game: Game, state: EngineState) -> tuple[object, ...]:
    """A state for pickle and copy; see revive.py."""
    from rulewright.runtime.revive import reduce_state

    return reduce_state(game, state)


def shown_as_html(game: Game, state: EngineState) -> str:
    """The position for a notebook, all that is hidden included; a view shows what one seat sees."""
    # what draws stands above the runtime, and only notebooks need it
    from rulewright.notebook import state_html

    return state_html(game, state)


# ---------------------------------------------------------------- saving, views, comparison


def to_dict(game: Game, state: EngineState) -> Json:
    from rulewright.runtime.save import save

    return save(game, state)


def view(game: Game, state: EngineState, seat: int) -> View:
    from rulewright.runtime.view import View

    return View(game, state, seat)


def key_of(game: Game, state: EngineState) -> tuple[object, ...]:
    """All that counts in a state: not the random numbers, not locals that are dead."""
    from rulewright.runtime.save import live_slots

    parts: list[object] = [state.pc, state.who, state.opts]
    for name in game.plain_fields:
        value = getattr(state, name)
        parts.append(value if isinstance(value, int) else tuple(map(_frozen, value)))
    for _, _, slot, _, _ in live_slots(game, state):
        parts.append(_frozen(getattr(state, slot)))
    return tuple(parts)


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def equal(game: Game, state: EngineState, other: object) -> bool:
    return type(other) is type(state) and key_of(game, state) == key_of(game, other)


def hash_of(game: Game, state: EngineState) -> int:
    return hash(key_of(game, state))
