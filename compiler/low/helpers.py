"""The functions, errors and constants of the runtime that a program may use: where each stands, and how many arguments it takes."""

from __future__ import annotations

from typing import NamedTuple


class Helper(NamedTuple):
    """`module` of the runtime, nothing for what Python itself has; `args`: the least and the most."""

    module: str
    args: tuple[int, int]


def _each(module: str, args: int, *names: str) -> dict[str, Helper]:
    return {name: Helper(module, (args, args)) for name in names}


FUNCTIONS: dict[str, Helper] = {
    **_each("bits", 1, "list_more", "bit", "first", "topmost", "members", "size", "up_to"),
    **_each("bits", 2, "nth"),
    **_each("bits", 4, "pick"),
    **_each("support", 1, "best_of", "sorted_by"),
    **_each("support", 2, "first_of", "grouped_by", "item", "mask_of", "members_from", "mixed", "name_or_none", "names_of", "position", "times"),
    "in_range": Helper("support", (4, 5)),
    **_each("support", 5, "in_length"),
    # parts of lists, made anew
    **_each("support", 2, "filled", "joined"),
    **_each("support", 3, "cut"),
    **_each("zones", 3, "add", "count", "remove", "union"),
    # an array that may be changed, from one that may not
    **_each("", 1, "copy"),
    **_each("", 1, "bool", "int", "len", "max", "min"),
}  # fmt: skip

# those that are told the state
ON_STATE: dict[str, Helper] = {**_each("rng", 2, "counted_dice")}

ERRORS: dict[str, Helper] = {
    "empty_zone": Helper("errors", (1, 3)),
    **_each("errors", 1, "lost", "no_extreme", "no_option", "not_in_list", "nothing_to_roll", "too_many_steps"),
    # of a game that has no end; it stands where the state is at hand
    **_each("", 0, "endless"),
    **_each("errors", 3, "list_too_long"),
    **_each("errors", 4, "out_of_range"),
}  # fmt: skip

CONSTANTS: dict[str, Helper] = {
    # after so many decisions a game has no end
    **_each("", 0, "MOST"),
    **_each("bits", 0, "BIT", "FEW", "LISTED", "OPTIONS", "SMALL"),
    **_each("rng", 0, "LOW", "MULTIPLIER"),
    **_each("support", 0, "FORCED", "MANY", "STEPS"),
}

# how arrays are made
ARRAYS = ("Ints", "int_rows", "ints")
# what the module around a program is made of, and the methods of its state: names that nothing of the rules may have; a test
# compares them with the templates
AROUND = """
State GAME RULESET OFFSET LEGAL DECISIONS POINTS IN_PLAY COMPILED Any Final api run lost_decision lost_point follow begin
stop begin_asking run_asking MOST
new_state over playout playout_until playout_turns playouts playouts_from from_seed
""".split()
# methods of the state that only hand on: name, parameters, result, call
STATE_METHODS = (
    ("returns", "", "list[float]", "api.returns(GAME, self)"),
    ("scores", "", "list[int]", "api.scores(GAME, self)"),
    ("ranking", "", "list[int]", "api.ranking(GAME, self)"),
    ("score_breakdown", "", "list[dict[str, int]]", "api.score_breakdown(GAME, self)"),
    ("reseed", ", seed: int", "None", "api.reseed(self, seed)"),
    ("chance_outcomes", "", "list[tuple[int, float]]", "api.chance_outcomes(GAME, self)"),
    ("action_to_string", ", action: int, viewer: int | None = None", "str", "api.action_to_string(GAME, self, action, viewer)"),
    ("action_to_dict", ", action: int", "dict[str, Any]", "api.action_to_dict(GAME, self, action)"),
    ("action_from_dict", ", data: dict[str, Any]", "int", "api.action_from_dict(GAME, self, data)"),
    ("to_dict", "", "dict[str, Any]", "api.to_dict(GAME, self)"),
    ("pending", ", viewer: int | None = None", "dict[str, Any] | None", "api.pending(GAME, self, viewer)"),
    ("view", ", seat: int", "Any", "api.view(GAME, self, seat)"),
    ("preview", ", action: int", "dict[str, Any]", "api.preview(GAME, self, action)"),
    ("observe_into", ", buffer: Any, seat: int", "None", "api.observe_into(GAME, self, buffer, seat)"),
    ("action_mask_into", ", buffer: Any, seat: int | None = None", "None", "api.action_mask_into(GAME, self, buffer, seat)"),
    ("information_state", ", seat: int", "Any", "api.information_state(GAME, self, seat)"),
    ("_repr_html_", "", "str", "api.shown_as_html(GAME, self)"),
    ("__reduce__", "", "tuple[Any, ...]", "api.reduced(GAME, self)"),
    ("why_not", ", choice: str, value: object", "list[Any]", "api.why_not(GAME, self, choice, value)"),
    ("__eq__", ", other: object", "bool", "api.equal(GAME, self, other)"),
    ("__hash__", "", "int", "api.hash_of(GAME, self)"),
)  # fmt: skip
METHODS = [
    *"clone current_player is_terminal is_chance_node legal_actions apply_action __init__ __slots__".split(),
    *(name for name, *_ in STATE_METHODS),
]
