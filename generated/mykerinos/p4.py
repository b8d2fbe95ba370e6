"""Mykerinos, 4 players: a generated engine. Do not edit.

From spec/mykerinos. Ruleset fc9b4692268f6b46.
"""

from __future__ import annotations

from typing import Any, Final

from rulewright.runtime import api
from rulewright.runtime.arrays import Ints, int_rows, ints
from rulewright.runtime.bits import BIT, LISTED, OPTIONS, SMALL, list_more, members, nth, pick, size
from rulewright.runtime.errors import (
    IN_PLAY,
    Over,
    empty_zone,
    lost,
    no_option,
    nothing_to_roll,
    too_many_steps,
)
from rulewright.runtime.rng import LOW, MULTIPLIER, from_seed
from rulewright.runtime.support import FORCED, STEPS, item, position, sorted_by
from rulewright.runtime.zones import add, remove

# a native engine says True
COMPILED: Final = False
RULESET: Final = "fc9b4692268f6b46"
# what is known of the game beside the rules; set when the module is loaded
GAME: Any = None


class State:
    """The whole position. The first fields are where the game stands, the last ones hold locals across decisions."""

    __slots__ = (
        # the number of the pending decision, 0 at the end
        "pc",
        # the seat that decides, -1 for chance, -4 at the end
        "who",
        # the options of the pending decision
        "opts",
        # the random state, from the seed
        "rng",
        # what a procedure gives back
        "value",
        # the list that a procedure gives back
        "values",
        "season",
        "first_player",
        "dedicated",
        "in_play",
        "pyramids",
        "laid",
        "lying",
        "personal",
        "cubes",
        "museum",
        "pass_space",
        "claimed",
        "tilted",
        "score",
        # points by reason
        "breakdown_",
        "pile",
        "used",
        "play_n_next",
        "play_n_last",
        "excavations_p",
        "survey_areas_a_rest",
        "survey_areas_a",
        "survey_w_place",
        "reward_p",
        "reward_p_2",
        "turn_back",
        "turn_p",
        "double_start_a",
        "long_extension_a",
        "long_extension_b",
        # also extend_back, book_back
        "start_back",
        # also start_w, extend_w
        "book_p",
        # also start_p, extend_p
        "book_taken",
        # also extend_at_pyramid
        "start_at_pyramid",
        "extend_a",
        "survey_ranked",
        "survey_w_all",
        "double_start_taken",
        "long_extension_taken",
        "long_extension_near",
        "start_taken",
        "extend_taken",
        "extend_near",
    )

    def __init__(
        self,
        pc: int,
        who: int,
        opts: int,
        rng: int,
        value: int,
        values: list[int],
        season: int,
        first_player: int,
        dedicated: Ints,
        in_play: int,
        pyramids: int,
        laid: Ints,
        lying: int,
        personal: Ints,
        cubes: list[int],
        museum: Ints,
        pass_space: Ints,
        claimed: Ints,
        tilted: Ints,
        score: Ints,
        breakdown_: Ints,
        pile: int,
        used: int,
        play_n_next: int,
        play_n_last: int,
        excavations_p: int,
        survey_areas_a_rest: int,
        survey_areas_a: int,
        survey_w_place: int,
        reward_p: int,
        reward_p_2: int,
        turn_back: int,
        turn_p: int,
        double_start_a: int,
        long_extension_a: int,
        long_extension_b: int,
        start_back: int,
        book_p: int,
        book_taken: int,
        start_at_pyramid: int,
        extend_a: int,
        survey_ranked: list[int],
        survey_w_all: list[int],
        double_start_taken: int,
        long_extension_taken: int,
        long_extension_near: int,
        start_taken: int,
        extend_taken: int,
        extend_near: int,
    ) -> None:
        self.pc = pc
        self.who = who
        self.opts = opts
        self.rng = rng
        self.value = value
        self.values = values
        self.season = season
        self.first_player = first_player
        self.dedicated = dedicated
        self.in_play = in_play
        self.pyramids = pyramids
        self.laid = laid
        self.lying = lying
        self.personal = personal
        self.cubes = cubes
        self.museum = museum
        self.pass_space = pass_space
        self.claimed = claimed
        self.tilted = tilted
        self.score = score
        self.breakdown_ = breakdown_
        self.pile = pile
        self.used = used
        self.play_n_next = play_n_next
        self.play_n_last = play_n_last
        self.excavations_p = excavations_p
        self.survey_areas_a_rest = survey_areas_a_rest
        self.survey_areas_a = survey_areas_a
        self.survey_w_place = survey_w_place
        self.reward_p = reward_p
        self.reward_p_2 = reward_p_2
        self.turn_back = turn_back
        self.turn_p = turn_p
        self.double_start_a = double_start_a
        self.long_extension_a = long_extension_a
        self.long_extension_b = long_extension_b
        self.start_back = start_back
        self.book_p = book_p
        self.book_taken = book_taken
        self.start_at_pyramid = start_at_pyramid
        self.extend_a = extend_a
        self.survey_ranked = survey_ranked
        self.survey_w_all = survey_w_all
        self.double_start_taken = double_start_taken
        self.long_extension_taken = long_extension_taken
        self.long_extension_near = long_extension_near
        self.start_taken = start_taken
        self.extend_taken = extend_taken
        self.extend_near = extend_near

    def clone(self) -> State:
        # the interpreter sets fields one by one faster than it calls a function with all of them
        s: State = object.__new__(State)
        s.pc = self.pc
        s.who = self.who
        s.opts = self.opts
        s.rng = self.rng
        s.value = self.value
        s.values = self.values
        s.season = self.season
        s.first_player = self.first_player
        s.dedicated = self.dedicated.copy()
        s.in_play = self.in_play
        s.pyramids = self.pyramids
        s.laid = self.laid.copy()
        s.lying = self.lying
        s.personal = self.personal.copy()
        s.cubes = self.cubes.copy()
        s.museum = self.museum.copy()
        s.pass_space = self.pass_space.copy()
        s.claimed = self.claimed.copy()
        s.tilted = self.tilted.copy()
        s.score = self.score.copy()
        s.breakdown_ = self.breakdown_.copy()
        s.pile = self.pile
        s.used = self.used
        s.play_n_next = self.play_n_next
        s.play_n_last = self.play_n_last
        s.excavations_p = self.excavations_p
        s.survey_areas_a_rest = self.survey_areas_a_rest
        s.survey_areas_a = self.survey_areas_a
        s.survey_w_place = self.survey_w_place
        s.reward_p = self.reward_p
        s.reward_p_2 = self.reward_p_2
        s.turn_back = self.turn_back
        s.turn_p = self.turn_p
        s.double_start_a = self.double_start_a
        s.long_extension_a = self.long_extension_a
        s.long_extension_b = self.long_extension_b
        s.start_back = self.start_back
        s.book_p = self.book_p
        s.book_taken = self.book_taken
        s.start_at_pyramid = self.start_at_pyramid
        s.extend_a = self.extend_a
        s.survey_ranked = self.survey_ranked
        s.survey_w_all = self.survey_w_all
        s.double_start_taken = self.double_start_taken
        s.long_extension_taken = self.long_extension_taken
        s.long_extension_near = self.long_extension_near
        s.start_taken = self.start_taken
        s.extend_taken = self.extend_taken
        s.extend_near = self.extend_near
        return s

    def current_player(self) -> int:
        return self.who

    def is_terminal(self) -> bool:
        return self.pc == 0

    def is_chance_node(self) -> bool:
        return self.who == -1

    def legal_actions(self) -> tuple[int, ...]:
        found = LEGAL[self.pc].get(self.opts)
        return (
            found if found is not None else api.listed(LEGAL[self.pc], self.opts, OFFSET[self.pc])
        )

    def apply_action(self, action: int) -> None:
        if type(action) is not int:
            action = api.action_number(action)
        value = action - OFFSET[self.pc]
        if not 0 <= value < 72 or not self.opts >> value & 1:
            raise api.illegal(GAME, self, action)
        try:
            pc = DECISIONS[self.pc](self, value)
            if pc:
                follow(self, pc)
        except IN_PLAY as error:
            raise GAME.located(error) from error

    def returns(self) -> list[float]:
        return api.returns(GAME, self)

    def scores(self) -> list[int]:
        return api.scores(GAME, self)

    def ranking(self) -> list[int]:
        return api.ranking(GAME, self)

    def score_breakdown(self) -> list[dict[str, int]]:
        return api.score_breakdown(GAME, self)

    def reseed(self, seed: int) -> None:
        return api.reseed(self, seed)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return api.chance_outcomes(GAME, self)

    def action_to_string(self, action: int, viewer: int | None = None) -> str:
        return api.action_to_string(GAME, self, action, viewer)

    def action_to_dict(self, action: int) -> dict[str, Any]:
        return api.action_to_dict(GAME, self, action)

    def action_from_dict(self, data: dict[str, Any]) -> int:
        return api.action_from_dict(GAME, self, data)

    def to_dict(self) -> dict[str, Any]:
        return api.to_dict(GAME, self)

    def pending(self, viewer: int | None = None) -> dict[str, Any] | None:
        return api.pending(GAME, self, viewer)

    def view(self, seat: int) -> Any:
        return api.view(GAME, self, seat)

    def preview(self, action: int) -> dict[str, Any]:
        return api.preview(GAME, self, action)

    def observe_into(self, buffer: Any, seat: int) -> None:
        return api.observe_into(GAME, self, buffer, seat)

    def action_mask_into(self, buffer: Any, seat: int | None = None) -> None:
        return api.action_mask_into(GAME, self, buffer, seat)

    def information_state(self, seat: int) -> Any:
        return api.information_state(GAME, self, seat)

    def _repr_html_(self) -> str:
        return api.shown_as_html(GAME, self)

    def __reduce__(self) -> tuple[Any, ...]:
        return api.reduced(GAME, self)

    def why_not(self, choice: str, value: object) -> list[Any]:
        return api.why_not(GAME, self, choice, value)

    def __eq__(self, other: object) -> bool:
        return api.equal(GAME, self, other)

    def __hash__(self) -> int:
        return api.hash_of(GAME, self)


def play_2(s: State) -> int:
    """play (game.four-seasons, game.three-phases)"""
    # setup (setup.start-player-random, setup.patron-markers)
    x: int = s.rng
    x = MULTIPLIER * (x & LOW) + (x >> 30)
    s.rng = x
    s.first_player = (x & LOW) * 4 >> 30
    placed: int = 0
    dedicated: Ints = s.dedicated
    v: int
    for v in (0, 1, 2, 3, 4):
        x = s.rng
        x = MULTIPLIER * (x & LOW) + (x >> 30)
        s.rng = x
        some: int = 31 ^ placed
        if not some:
            raise nothing_to_roll(11)
        x_: int = nth(some, (x & LOW) * size(some) >> 30)
        dedicated[v] = x_
        placed = placed | BIT[x_]
    # play (game.four-seasons, game.three-phases)
    s.play_n_next = 1
    s.play_n_last = 4
    return play_loop(s)


def play_loop(s: State) -> int:
    """play (game.four-seasons, game.three-phases)"""
    n_next: int = s.play_n_next
    n_last: int = s.play_n_last
    museum: Ints = s.museum
    if n_next <= n_last:
        s.play_n_next = n_next + 1
        s.season = n_next
        # collect_cubes (season.cubes-three, season.cubes-four)
        personal: Ints = s.personal
        personal_now: int = personal[0]
        cubes: list[int] = s.cubes
        n_2: int = 25 - personal_now - size(cubes[0]) - size(museum[0])
        personal[0] = personal_now + (8 if 8 < n_2 else n_2)
        personal_now_2: int = personal[1]
        n_3: int = 25 - personal_now_2 - size(cubes[1]) - size(museum[1])
        personal[1] = personal_now_2 + (8 if 8 < n_3 else n_3)
        personal_now_3: int = personal[2]
        n_4: int = 25 - personal_now_3 - size(cubes[2]) - size(museum[2])
        personal[2] = personal_now_3 + (8 if 8 < n_4 else n_4)
        personal_now_4: int = personal[3]
        n_5: int = 25 - personal_now_4 - size(cubes[3]) - size(museum[3])
        personal[3] = personal_now_4 + (8 if 8 < n_5 else n_5)
        # build_region (season.shuffle, region.is-board)
        s.pyramids = 0
        a: int
        for a in (0, 1, 2, 3, 4, 5):
            if AREA_FROM_SEASON[a] <= s.season:
                s.in_play |= AREA_SPACES[a]
                lay_parcel(s, AREA_LEFT[a])
                lay_parcel(s, AREA_RIGHT[a])
        # excavations (turn.first-player, turn.clockwise, phase2.last-player-one-action)
        s.excavations_p = s.first_player
        return excavations_loop(s)
    # exhibition (exhibition.wing-order, exhibition.per-card)
    same: int = museum[0]
    same_2: int = museum[1]
    same_3: int = museum[2]
    same_4: int = museum[3]
    dedicated: Ints = s.dedicated
    claimed: Ints = s.claimed
    score: Ints = s.score
    breakdown_: Ints = s.breakdown_
    v: int
    for v in (0, 1, 2, 3, 4):
        x_: int = dedicated[v]
        none: bool = True
        max_: int = 0
        r: int
        for r in members(same & ROOMS_OF[v]):
            n_6: int = ROOM_VALUE[r]
            if none or n_6 > max_:
                max_ = n_6
                none = False
        if none:
            max_ = 1
        points: int = size(claimed[0] & PARCELS_OF[x_]) * max_
        score[0] += points
        breakdown_[1] += points
        none_2: bool = True
        max__2: int = 0
        for r in members(same_2 & ROOMS_OF[v]):
            n_7: int = ROOM_VALUE[r]
            if none_2 or n_7 > max__2:
                max__2 = n_7
                none_2 = False
        if none_2:
            max__2 = 1
        points_2: int = size(claimed[1] & PARCELS_OF[x_]) * max__2
        score[1] += points_2
        breakdown_[4] += points_2
        none_3: bool = True
        max__3: int = 0
        for r in members(same_3 & ROOMS_OF[v]):
            n_8: int = ROOM_VALUE[r]
            if none_3 or n_8 > max__3:
                max__3 = n_8
                none_3 = False
        if none_3:
            max__3 = 1
        points_3: int = size(claimed[2] & PARCELS_OF[x_]) * max__3
        score[2] += points_3
        breakdown_[7] += points_3
        none_4: bool = True
        max__4: int = 0
        for r in members(same_4 & ROOMS_OF[v]):
            n_9: int = ROOM_VALUE[r]
            if none_4 or n_9 > max__4:
                max__4 = n_9
                none_4 = False
        if none_4:
            max__4 = 1
        points_4: int = size(claimed[3] & PARCELS_OF[x_]) * max__4
        score[3] += points_4
        breakdown_[10] += points_4
    # play (game.four-seasons, game.three-phases)
    series(s)
    s.pc = 0
    s.who = -4
    s.opts = 0
    return 0


def excavations_loop(s: State) -> int:
    """excavations (turn.first-player, turn.clockwise, phase2.last-player-one-action)"""
    p: int = s.excavations_p
    pass_space: Ints = s.pass_space
    cubes: list[int] = s.cubes
    tilted: Ints = s.tilted
    if (1 if not pass_space[0] else 0) + (1 if not pass_space[1] else 0) + (
        1 if not pass_space[2] else 0
    ) + (1 if not pass_space[3] else 0) > 1:
        s.turn_p = p
        s.turn_back = 51  # AT_EXCAVATIONS_BACK
        # possible_start (excavate.start)
        personal_now: int = s.personal[p]
        if not personal_now:
            possible_start_now: bool = False
        else:
            taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
            possible_start_now = (
                s.in_play
                & (
                    (0xFFFFFFFFFFFFFFFFFF ^ taken)
                    & (
                        (0 | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
                        & (0xFFFFFFFFFFFFFFFFFF | s.pyramids)
                    )
                )
                != 0
            )
        # turn (turn.one-action)
        claimed_now: int = s.claimed[p]
        m: int = (
            (15 if possible_start_now else 14)
            & (15 if possible_extend(s, p, p, False) else 13)
            & (15 if s.season >= 2 else 7)
            & (15 if personal_now else 7)
            & (
                15
                if tilted[p * 5] < size(claimed_now & 127)
                and (
                    25 - personal_now - size(cubes[p]) - size(s.museum[p]) > 0
                    and s.in_play & ~(cubes[0] | cubes[1] | cubes[2] | cubes[3] | s.pyramids) != 0
                )
                or tilted[p * 5 + 1] < size(claimed_now & 0x3F80)
                and possible_Patron_power_lemon(s, p)
                or tilted[p * 5 + 2] < size(claimed_now & 0x1FC000)
                and possible_Patron_power_brown(s, p)
                or tilted[p * 5 + 3] < size(claimed_now & 0xFE00000)
                and possible_double_start(s, p)
                or tilted[p * 5 + 4] < size(claimed_now & 0x7F0000000)
                and possible_long_extension(s, p)
                else 7
            )
        )
        if not m:
            raise no_option(1)
        s.opts = m
        s.pc = 12  # AT_TURN_ACTION
        s.who = p
        return 0 if m & (m - 1) else FORCED
    s.turn_p = p
    s.turn_back = 55  # AT_EXCAVATIONS_BACK_2
    # possible_start (excavate.start)
    personal_now_2: int = s.personal[p]
    if not personal_now_2:
        possible_start_now_2: bool = False
    else:
        taken_2: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        possible_start_now_2 = (
            s.in_play
            & (
                (0xFFFFFFFFFFFFFFFFFF ^ taken_2)
                & ((0 | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids) & (0xFFFFFFFFFFFFFFFFFF | s.pyramids))
            )
            != 0
        )
    # turn (turn.one-action)
    claimed_now_2: int = s.claimed[p]
    m_2: int = (
        (15 if possible_start_now_2 else 14)
        & (15 if possible_extend(s, p, p, False) else 13)
        & (15 if s.season >= 2 else 7)
        & (15 if personal_now_2 else 7)
        & (
            15
            if tilted[p * 5] < size(claimed_now_2 & 127)
            and (
                25 - personal_now_2 - size(cubes[p]) - size(s.museum[p]) > 0
                and s.in_play & ~(cubes[0] | cubes[1] | cubes[2] | cubes[3] | s.pyramids) != 0
            )
            or tilted[p * 5 + 1] < size(claimed_now_2 & 0x3F80)
            and possible_Patron_power_lemon(s, p)
            or tilted[p * 5 + 2] < size(claimed_now_2 & 0x1FC000)
            and possible_Patron_power_brown(s, p)
            or tilted[p * 5 + 3] < size(claimed_now_2 & 0xFE00000)
            and possible_double_start(s, p)
            or tilted[p * 5 + 4] < size(claimed_now_2 & 0x7F0000000)
            and possible_long_extension(s, p)
            else 7
        )
    )
    if not m_2:
        raise no_option(1)
    s.opts = m_2
    s.pc = 12  # AT_TURN_ACTION
    s.who = p
    return 0 if m_2 & (m_2 - 1) else FORCED


def excavations_back(s: State) -> int:
    """excavations (turn.first-player, turn.clockwise, phase2.last-player-one-action)"""
    p: int = s.excavations_p
    p = (p + 1) % 4
    s.excavations_p = p
    steps: int = 0
    pass_space: Ints = s.pass_space
    while True:
        if not pass_space[p]:
            break
        steps += 1
        if steps > STEPS:
            raise too_many_steps(0)
        p = (p + 1) % 4
        s.excavations_p = p
    return 50  # AT_EXCAVATIONS_LOOP


def excavations_back_2(s: State) -> int:
    """excavations (turn.first-player, turn.clockwise, phase2.last-player-one-action)"""
    p: int = s.excavations_p
    pass_space: Ints = s.pass_space
    if not pass_space[p]:
        # place_disk (pass.first-free-space)
        min_: int = 4
        same: int = pass_space[0]
        n: int
        for n in (1, 2, 3, 4):
            if same != n and pass_space[1] != n and pass_space[2] != n and pass_space[3] != n:
                min_ = n
                break
        pass_space[p] = min_
    # survey_areas (survey.order, season-end.when)
    s.survey_areas_a_rest = 63
    return survey_areas_loop(s)


def survey_areas_loop(s: State) -> int:
    """survey_areas (survey.order, season-end.when)"""
    a_rest: int = s.survey_areas_a_rest
    pass_space: Ints = s.pass_space
    if a_rest:
        a: int = (a_rest & -a_rest).bit_length() - 1
        s.survey_areas_a = a
        s.survey_areas_a_rest = a_rest & (a_rest - 1)
        if AREA_FROM_SEASON[a] <= s.season:
            # survey (survey.rank, survey.discard, survey.cubes-return)
            rows: list[tuple[int, int, int]] = []
            same: int = AREA_SPACES[a]
            cubes: list[int] = s.cubes
            w: int
            for w in (0, 1, 2, 3):
                cubes_now: int = cubes[w]
                if not cubes_now & same:
                    continue
                rows.append((size(cubes_now & same), -pass_space[w], w))
            ranked: list[int] = sorted_by(rows)
            s.survey_ranked = ranked
            s.survey_w_all = ranked
            s.survey_w_place = 0
            return survey_loop(s)
        return 108  # AT_SURVEY_AREAS_LOOP
    # season_end (season-end.first-player)
    rows_2: list[tuple[int, int]] = []
    p: int
    for p in (0, 1, 2, 3):
        rows_2.append((pass_space[p], p))
    order: list[int] = sorted_by(rows_2)
    s.first_player = item(order, 1)
    s.pass_space = ALL_0.copy()
    tilted: Ints = s.tilted
    key: int
    for key in (0, 1, 2, 3):
        tilted[key * 5] = 0
        tilted[key * 5 + 1] = 0
        tilted[key * 5 + 2] = 0
        tilted[key * 5 + 3] = 0
        tilted[key * 5 + 4] = 0
    return 67  # AT_PLAY_LOOP


def survey_loop(s: State) -> int:
    """survey (survey.rank, survey.discard, survey.cubes-return)"""
    a: int = s.survey_areas_a
    ranked: list[int] = s.survey_ranked
    w_all: list[int] = s.survey_w_all
    w_place: int = s.survey_w_place
    cubes: list[int] = s.cubes
    if w_place < len(w_all):
        w: int = w_all[w_place]
        s.survey_w_place = w_place + 1
        rank: int = position(w, ranked)
        # reward (survey.first-must-choose, survey.second-must-choose, survey.third-fourth)
        if rank <= 2:
            s.reward_p = w
            # first_reward (survey.first-must-choose, survey.second-must-choose)
            museum: Ints = s.museum
            museum_now: int = museum[w]
            m: int = (
                (7 if s.lying >> AREA_LEFT[a] & 1 else 6)
                & (7 if s.lying >> AREA_RIGHT[a] & 1 else 5)
                & (7 if 25 - s.personal[w] - size(cubes[w]) - size(museum_now) > 0 else 3)
            )
            # possible_book (museum.same-rules-both-ways)
            taken: int = museum[0] | museum[1] | museum[2] | museum[3]
            found: bool = False
            r: int
            for r in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14):
                if not taken >> r & 1 and (ROOM_VALUE[r] < 5 or ROOM_NEIGHBOURS[r] & museum_now):
                    found = True
                    break
            # first_reward (survey.first-must-choose, survey.second-must-choose)
            m &= 7 if found else 3
            if not m:
                raise no_option(2)
            s.opts = m
            s.pc = 14  # AT_FIRST_REWARD_REWARD
            s.who = w
            return 0 if m & (m - 1) else FORCED
        s.reward_p_2 = w
        # leftover_reward (survey.third-fourth, survey.third-no-museum)
        m_2: int = AREA_SLOTS[a] & s.lying
        if not m_2:
            return 111  # AT_SURVEY_LOOP
        s.opts = m_2 | 0x1000
        s.pc = 15  # AT_LEFTOVER_REWARD_LEFTOVER
        s.who = w
        return 0
    s.lying &= ~AREA_SLOTS[a]
    cubes[0] &= ~AREA_SPACES[a]
    cubes[1] &= ~AREA_SPACES[a]
    cubes[2] &= ~AREA_SPACES[a]
    cubes[3] &= ~AREA_SPACES[a]
    return 108  # AT_SURVEY_AREAS_LOOP


def first_reward_reward(s: State, reward_: int) -> int:
    """first_reward (survey.first-must-choose, survey.second-must-choose)"""
    p: int = s.reward_p
    a: int = s.survey_areas_a
    if reward_ == 0:
        slot: int = AREA_LEFT[a]
        # claim (claim.points, claim.flip)
        c: int = s.laid[slot]
        s.lying &= ~BIT[slot]
        s.claimed[p] |= BIT[c]
        points: int = PARCEL_POINTS[c]
        s.score[p] += points
        s.breakdown_[p * 3] += points
        return survey_loop(s)
    if reward_ == 1:
        slot_2: int = AREA_RIGHT[a]
        # claim (claim.points, claim.flip)
        c_2: int = s.laid[slot_2]
        s.lying &= ~BIT[slot_2]
        s.claimed[p] |= BIT[c_2]
        points_2: int = PARCEL_POINTS[c_2]
        s.score[p] += points_2
        s.breakdown_[p * 3] += points_2
        return survey_loop(s)
    if reward_ == 2:
        s.book_p = p
        s.start_back = 122  # book_back, AT_FIRST_REWARD_BACK
        # book (museum.same-rules-both-ways)
        museum: Ints = s.museum
        taken: int = museum[0] | museum[1] | museum[2] | museum[3]
        s.book_taken = taken
        m: int = 0x7FFF ^ taken
        r: int
        for r in members(m):
            if not (ROOM_VALUE[r] < 5 or ROOM_NEIGHBOURS[r] & museum[p]):
                m ^= BIT[r]
        if not m:
            raise no_option(3)
        s.opts = m
        s.pc = 6  # AT_BOOK_ROOM
        s.who = p
        return 0 if m & (m - 1) else FORCED
    return survey_loop(s)


def first_reward_back(s: State) -> int:
    """first_reward (survey.first-must-choose, survey.second-must-choose)"""
    return 111  # AT_SURVEY_LOOP


def leftover_reward_leftover(s: State, slot: int) -> int:
    """leftover_reward (survey.third-fourth, survey.third-no-museum)"""
    p: int = s.reward_p_2
    if slot == 12:
        return survey_loop(s)
    # claim (claim.points, claim.flip)
    c: int = s.laid[slot]
    s.lying &= ~BIT[slot]
    s.claimed[p] |= BIT[c]
    points: int = PARCEL_POINTS[c]
    s.score[p] += points
    s.breakdown_[p * 3] += points
    return survey_loop(s)


def turn_end(s: State) -> int:
    """turn (turn.one-action)"""
    pass_space: Ints = s.pass_space
    if s.turn_back == 51:  # AT_EXCAVATIONS_BACK
        # excavations (turn.first-player, turn.clockwise, phase2.last-player-one-action)
        p: int = s.excavations_p
        p = (p + 1) % 4
        s.excavations_p = p
        steps: int = 0
        while True:
            if not pass_space[p]:
                break
            steps += 1
            if steps > STEPS:
                raise too_many_steps(0)
            p = (p + 1) % 4
            s.excavations_p = p
        return 50  # AT_EXCAVATIONS_LOOP
    # excavations (turn.first-player, turn.clockwise, phase2.last-player-one-action)
    p_2: int = s.excavations_p
    if not pass_space[p_2]:
        # place_disk (pass.first-free-space)
        min_: int = 4
        same: int = pass_space[0]
        n: int
        for n in (1, 2, 3, 4):
            if same != n and pass_space[1] != n and pass_space[2] != n and pass_space[3] != n:
                min_ = n
                break
        pass_space[p_2] = min_
    # survey_areas (survey.order, season-end.when)
    s.survey_areas_a_rest = 63
    return survey_areas_loop(s)


def turn_action(s: State, action: int) -> int:
    """turn (turn.one-action)"""
    p: int = s.turn_p
    if action == 0:
        s.book_p = p  # start_w
        s.book_taken = p  # start_p
        s.start_at_pyramid = False
        s.start_back = 59  # AT_TURN_BACK
        # start (excavate.start)
        cubes: list[int] = s.cubes
        taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        s.start_taken = taken
        m_2: int = (
            s.in_play
            & ~taken
            & (0 | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
            & (0xFFFFFFFFFFFFFFFFFF | s.pyramids)
        )
        if not m_2:
            raise no_option(5)
        s.opts = m_2
        s.pc = 3  # AT_START_START_ON
        s.who = p
        return 0 if m_2 & (m_2 - 1) else FORCED
    if action == 1:
        s.book_p = p  # extend_w
        s.book_taken = p  # extend_p
        s.start_at_pyramid = False  # extend_at_pyramid
        s.start_back = 60  # extend_back, AT_TURN_BACK_2
        return extend_2(s)
    if action == 2:
        # place_disk (pass.first-free-space)
        min_: int = 4
        pass_space: Ints = s.pass_space
        same: int = pass_space[0]
        n: int
        for n in (1, 2, 3, 4):
            if same != n and pass_space[1] != n and pass_space[2] != n and pass_space[3] != n:
                min_ = n
                break
        pass_space[p] = min_
        return turn_end(s)
    if action == 3:
        # appeal (patron.tilt, patron.one-tilt-per-turn)
        m: int = 31
        same_2: int = p * 5
        claimed: Ints = s.claimed
        tilted: Ints = s.tilted
        x_: int
        for x_ in members(31):
            if tilted[same_2 + x_] >= size(claimed[p] & PARCELS_OF[x_]):
                m ^= BIT[x_]
        if m & 1:
            if not (
                25 - s.personal[p] - size(s.cubes[p]) - size(s.museum[p]) > 0
                and s.in_play & ~(s.cubes[0] | s.cubes[1] | s.cubes[2] | s.cubes[3] | s.pyramids)
            ):
                m ^= 1
        if m & 2:
            # possible_start (excavate.start)
            if not s.personal[p]:
                possible_start_now: bool = False
            else:
                cubes_2: list[int] = s.cubes
                taken_2: int = cubes_2[0] | cubes_2[1] | cubes_2[2] | cubes_2[3]
                possible_start_now = (
                    s.in_play
                    & (
                        (0xFFFFFFFFFFFFFFFFFF ^ taken_2)
                        & (
                            (0xFFFFFFFFFFFFFFFFFF | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
                            & (0 | s.pyramids)
                        )
                    )
                    != 0
                )
            # possible_Patron_power_lemon (components.patron-markers, patron.lemon-start, patron.lemon-extend)
            possible_Patron_power_lemon_now: bool = possible_start_now or possible_extend(
                s, p, p, True
            )
            # appeal (patron.tilt, patron.one-tilt-per-turn)
            if not possible_Patron_power_lemon_now:
                m ^= 2
        if m & 4:
            # possible_Patron_power_brown (components.patron-markers, patron.brown-museum, museum.same-rules-both-ways)
            if not s.personal[p]:
                possible_Patron_power_brown_now: bool = False
            else:
                # possible_book (museum.same-rules-both-ways)
                museum: Ints = s.museum
                taken_3: int = museum[0] | museum[1] | museum[2] | museum[3]
                found: bool = False
                r: int
                for r in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14):
                    if not taken_3 >> r & 1 and (
                        ROOM_VALUE[r] < 5 or ROOM_NEIGHBOURS[r] & museum[p]
                    ):
                        found = True
                        break
                possible_Patron_power_brown_now = found
            # appeal (patron.tilt, patron.one-tilt-per-turn)
            if not possible_Patron_power_brown_now:
                m ^= 4
        if m & 8:
            # possible_double_start (patron.blackmore)
            if s.personal[p] < 2:
                possible_double_start_now: bool = False
            else:
                cubes_3: list[int] = s.cubes
                taken_4: int = cubes_3[0] | cubes_3[1] | cubes_3[2] | cubes_3[3]
                found_2: bool = False
                same_3: int = s.in_play & (
                    (0xFFFFFFFFFFFFFFFFFF ^ taken_4) & (0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
                )
                a: int
                for a in members(
                    s.in_play
                    & (0xFFFFFFFFFFFFFFFFFF ^ taken_4)
                    & (0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
                ):
                    if SPACE_NEIGHBOURS[a] & same_3:
                        found_2 = True
                        break
                possible_double_start_now = found_2
            # appeal (patron.tilt, patron.one-tilt-per-turn)
            if not possible_double_start_now:
                m ^= 8
        if m & 16:
            if not possible_long_extension(s, p):
                m ^= 16
        if not m:
            raise no_option(4)
        s.opts = m
        s.pc = 13  # AT_APPEAL_APPEAL_TO
        s.who = p
        return 0 if m & (m - 1) else FORCED
    return turn_end(s)


def turn_back(s: State) -> int:
    """turn (turn.one-action)"""
    return turn_end(s)


def turn_back_2(s: State) -> int:
    """turn (turn.one-action)"""
    return turn_end(s)


def extend_2(s: State) -> int:
    """extend (excavate.extend)"""
    w: int = s.book_p  # extend_w
    p: int = s.book_taken  # extend_p
    at_pyramid: bool = s.start_at_pyramid != 0
    cubes: list[int] = s.cubes
    taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
    s.extend_taken = taken
    spaces: int = cubes[w]
    # around (adjacency.orthogonal)
    found_2: int = 0
    s_: int
    for s_ in members(spaces):
        found_2 = found_2 | SPACE_NEIGHBOURS[s_]
    # extend (excavate.extend)
    s.extend_near = found_2
    in_play_now: int = s.in_play
    pyramids_now: int = s.pyramids
    m: int = (
        in_play_now
        & ~taken
        & found_2
        & ((0xFFFFFFFFFFFFFFFFFF if at_pyramid else 0) | 0xFFFFFFFFFFFFFFFFFF ^ pyramids_now)
    )
    a: int
    for a in members(m):
        found: bool = False
        b: int
        for b in SPACE_NEIGHBOURS_LIST[a]:
            if in_play_now & BIT[b] and (
                not taken & BIT[b]
                and (
                    (at_pyramid or not pyramids_now & BIT[b])
                    and (
                        not at_pyramid
                        or (pyramids_now & BIT[a] != 0) != (pyramids_now & BIT[b] != 0)
                    )
                )
            ):
                found = True
                break
        if not found:
            m ^= BIT[a]
    if not m:
        raise no_option(6)
    s.opts = m
    s.pc = 4  # AT_EXTEND_EXTEND_OVER_A
    s.who = p
    return 0 if m & (m - 1) else FORCED


def appeal_appeal_to(s: State, x_: int) -> int:
    """appeal (patron.tilt, patron.one-tilt-per-turn)"""
    p: int = s.turn_p
    s.tilted[p * 5 + x_] += 1
    cubes: list[int] = s.cubes
    if x_ == 0:
        # Patron_power_violet (components.patron-markers, patron.violet-cube, patron.violet-then-action, patron.violet-needs-general-stock)
        s.personal[p] += 1
        # possible_start (excavate.start)
        if not s.personal[p]:
            possible_start_now: bool = False
        else:
            taken_3: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
            possible_start_now = (
                s.in_play
                & (
                    (0xFFFFFFFFFFFFFFFFFF ^ taken_3)
                    & (
                        (0 | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
                        & (0xFFFFFFFFFFFFFFFFFF | s.pyramids)
                    )
                )
                != 0
            )
        # Patron_power_violet (components.patron-markers, patron.violet-cube, patron.violet-then-action, patron.violet-needs-general-stock)
        m: int = (3 if possible_start_now else 2) & (3 if possible_extend(s, p, p, False) else 1)
        if not m:
            raise no_option(7)
        s.opts = m
        s.pc = 1  # AT_PATRON_POWER_VIOLET_VIOLET_USE
        s.who = p
        return 0 if m & (m - 1) else FORCED
    if x_ == 1:
        # possible_start (excavate.start)
        if not s.personal[p]:
            possible_start_now_2: bool = False
        else:
            taken_4: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
            possible_start_now_2 = (
                s.in_play
                & (
                    (0xFFFFFFFFFFFFFFFFFF ^ taken_4)
                    & (
                        (0xFFFFFFFFFFFFFFFFFF | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
                        & (0 | s.pyramids)
                    )
                )
                != 0
            )
        # Patron_power_lemon (components.patron-markers, patron.lemon-start, patron.lemon-extend)
        m_2: int = (3 if possible_start_now_2 else 2) & (3 if possible_extend(s, p, p, True) else 1)
        if not m_2:
            raise no_option(8)
        s.opts = m_2
        s.pc = 2  # AT_PATRON_POWER_LEMON_LEMON_USE
        s.who = p
        return 0 if m_2 & (m_2 - 1) else FORCED
    if x_ == 2:
        # Patron_power_brown (components.patron-markers, patron.brown-museum, museum.same-rules-both-ways)
        s.book_p = p
        s.start_back = 24  # book_back, AT_PATRON_POWER_BROWN_BACK
        # book (museum.same-rules-both-ways)
        museum: Ints = s.museum
        taken_5: int = museum[0] | museum[1] | museum[2] | museum[3]
        s.book_taken = taken_5
        m_5: int = 0x7FFF ^ taken_5
        r: int
        for r in members(m_5):
            if not (ROOM_VALUE[r] < 5 or ROOM_NEIGHBOURS[r] & museum[p]):
                m_5 ^= BIT[r]
        if not m_5:
            raise no_option(3)
        s.opts = m_5
        s.pc = 6  # AT_BOOK_ROOM
        s.who = p
        return 0 if m_5 & (m_5 - 1) else FORCED
    if x_ == 3:
        # double_start (patron.blackmore)
        taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        s.double_start_taken = taken
        m_3: int = s.in_play & ~(taken | s.pyramids)
        same: int = s.in_play & (
            (0xFFFFFFFFFFFFFFFFFF ^ taken) & (0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
        )
        a: int
        for a in members(m_3):
            if not SPACE_NEIGHBOURS[a] & same:
                m_3 ^= BIT[a]
        if not m_3:
            raise no_option(9)
        s.opts = m_3
        s.pc = 7  # AT_DOUBLE_START_DOUBLE_START_ON_A
        s.who = p
        return 0 if m_3 & (m_3 - 1) else FORCED
    if x_ == 4:
        # long_extension (patron.tangerine)
        taken_2: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        s.long_extension_taken = taken_2
        spaces: int = cubes[p]
        # around (adjacency.orthogonal)
        found_2: int = 0
        s_: int
        for s_ in members(spaces):
            found_2 = found_2 | SPACE_NEIGHBOURS[s_]
        # long_extension (patron.tangerine)
        s.long_extension_near = found_2
        pyramids_now: int = s.pyramids
        in_play_now: int = s.in_play
        m_4: int = in_play_now & ~taken_2 & found_2 & ~pyramids_now
        a_2: int
        for a_2 in members(m_4):
            found: bool = False
            b: int
            for b in SPACE_NEIGHBOURS_LIST[a_2]:
                if in_play_now & BIT[b] and (
                    not taken_2 & BIT[b]
                    and (
                        not pyramids_now & BIT[b]
                        and SPACE_NEIGHBOURS[b]
                        & (
                            in_play_now
                            & (
                                (0xFFFFFFFFFFFFFFFFFF ^ taken_2)
                                & C_OTHER[a_2]
                                & (0xFFFFFFFFFFFFFFFFFF ^ pyramids_now)
                            )
                        )
                    )
                ):
                    found = True
                    break
            if not found:
                m_4 ^= BIT[a_2]
        if not m_4:
            raise no_option(10)
        s.opts = m_4
        s.pc = 9  # AT_LONG_EXTENSION_LONG_EXTEND_OVER_A
        s.who = p
        return 0 if m_4 & (m_4 - 1) else FORCED
    return turn_end(s)


def Patron_power_violet_violet_use(s: State, violet_use: int) -> int:
    """Patron_power_violet (components.patron-markers, patron.violet-cube, patron.violet-then-action, patron.violet-needs-general-stock)"""
    p: int = s.turn_p
    if violet_use == 0:
        s.book_p = p  # start_w
        s.book_taken = p  # start_p
        s.start_at_pyramid = False
        s.start_back = 18  # AT_PATRON_POWER_VIOLET_BACK
        # start (excavate.start)
        cubes: list[int] = s.cubes
        taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        s.start_taken = taken
        m: int = (
            s.in_play
            & ~taken
            & (0 | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
            & (0xFFFFFFFFFFFFFFFFFF | s.pyramids)
        )
        if not m:
            raise no_option(5)
        s.opts = m
        s.pc = 3  # AT_START_START_ON
        s.who = p
        return 0 if m & (m - 1) else FORCED
    if violet_use == 1:
        s.book_p = p  # extend_w
        s.book_taken = p  # extend_p
        s.start_at_pyramid = False  # extend_at_pyramid
        s.start_back = 19  # extend_back, AT_PATRON_POWER_VIOLET_BACK_2
        return extend_2(s)
    return turn_end(s)


def Patron_power_violet_back(s: State) -> int:
    """Patron_power_violet (components.patron-markers, patron.violet-cube, patron.violet-then-action, patron.violet-needs-general-stock)"""
    return turn_end(s)


def Patron_power_violet_back_2(s: State) -> int:
    """Patron_power_violet (components.patron-markers, patron.violet-cube, patron.violet-then-action, patron.violet-needs-general-stock)"""
    return turn_end(s)


def Patron_power_lemon_lemon_use(s: State, lemon_use: int) -> int:
    """Patron_power_lemon (components.patron-markers, patron.lemon-start, patron.lemon-extend)"""
    p: int = s.turn_p
    if lemon_use == 0:
        s.book_p = p  # start_w
        s.book_taken = p  # start_p
        s.start_at_pyramid = True
        s.start_back = 21  # AT_PATRON_POWER_LEMON_BACK
        # start (excavate.start)
        cubes: list[int] = s.cubes
        taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        s.start_taken = taken
        m: int = (
            s.in_play
            & ~taken
            & (0xFFFFFFFFFFFFFFFFFF | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
            & (0 | s.pyramids)
        )
        if not m:
            raise no_option(5)
        s.opts = m
        s.pc = 3  # AT_START_START_ON
        s.who = p
        return 0 if m & (m - 1) else FORCED
    if lemon_use == 1:
        s.book_p = p  # extend_w
        s.book_taken = p  # extend_p
        s.start_at_pyramid = True  # extend_at_pyramid
        s.start_back = 22  # extend_back, AT_PATRON_POWER_LEMON_BACK_2
        return extend_2(s)
    return turn_end(s)


def Patron_power_lemon_back(s: State) -> int:
    """Patron_power_lemon (components.patron-markers, patron.lemon-start, patron.lemon-extend)"""
    return turn_end(s)


def Patron_power_lemon_back_2(s: State) -> int:
    """Patron_power_lemon (components.patron-markers, patron.lemon-start, patron.lemon-extend)"""
    return turn_end(s)


def Patron_power_brown_back(s: State) -> int:
    """Patron_power_brown (components.patron-markers, patron.brown-museum, museum.same-rules-both-ways)"""
    p: int = s.turn_p
    s.personal[p] -= 1
    return turn_end(s)


def double_start_double_start_on_a(s: State, a: int) -> int:
    """double_start (patron.blackmore)"""
    p: int = s.turn_p
    taken: int = s.double_start_taken
    s.double_start_a = a
    m: int = SPACE_NEIGHBOURS[a] & s.in_play & ~(taken | s.pyramids)
    if not m:
        raise no_option(9)
    s.opts = m
    s.pc = 8  # AT_DOUBLE_START_DOUBLE_START_ON_B
    s.who = p
    return 0 if m & (m - 1) else FORCED


def double_start_double_start_on_b(s: State, b: int) -> int:
    """double_start (patron.blackmore)"""
    p: int = s.turn_p
    a: int = s.double_start_a
    s.cubes[p] |= BIT[a] | BIT[b]
    # spend (season.personal-stock)
    s.personal[p] -= 2
    return turn_end(s)


def long_extension_long_extend_over_a(s: State, a: int) -> int:
    """long_extension (patron.tangerine)"""
    p: int = s.turn_p
    taken: int = s.long_extension_taken
    s.long_extension_a = a
    m: int = SPACE_NEIGHBOURS[a] & s.in_play & ~(taken | s.pyramids)
    same: int = s.in_play & (
        (0xFFFFFFFFFFFFFFFFFF ^ taken) & C_OTHER[a] & (0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
    )
    b: int
    for b in members(m):
        if not SPACE_NEIGHBOURS[b] & same:
            m ^= BIT[b]
    if not m:
        raise no_option(10)
    s.opts = m
    s.pc = 10  # AT_LONG_EXTENSION_LONG_EXTEND_OVER_B
    s.who = p
    return 0 if m & (m - 1) else FORCED


def long_extension_long_extend_over_b(s: State, b: int) -> int:
    """long_extension (patron.tangerine)"""
    p: int = s.turn_p
    taken: int = s.long_extension_taken
    a: int = s.long_extension_a
    s.long_extension_b = b
    m: int = SPACE_NEIGHBOURS[b] & s.in_play & (~taken & C_OTHER[a]) & ~s.pyramids
    if not m:
        raise no_option(10)
    s.opts = m
    s.pc = 11  # AT_LONG_EXTENSION_LONG_EXTEND_OVER_C
    s.who = p
    return 0 if m & (m - 1) else FORCED


def long_extension_long_extend_over_c(s: State, c: int) -> int:
    """long_extension (patron.tangerine)"""
    p: int = s.turn_p
    a: int = s.long_extension_a
    b: int = s.long_extension_b
    s.cubes[p] |= BIT[a] | BIT[b] | BIT[c]
    # spend (season.personal-stock)
    s.personal[p] -= 3
    return turn_end(s)


def book_room(s: State, r: int) -> int:
    """book (museum.same-rules-both-ways)"""
    p: int = s.book_p
    s.museum[p] |= BIT[r]
    if s.start_back == 24:  # AT_PATRON_POWER_BROWN_BACK
        # Patron_power_brown (components.patron-markers, patron.brown-museum, museum.same-rules-both-ways)
        p_2: int = s.turn_p
        s.personal[p_2] -= 1
        return turn_end(s)
    return survey_loop(s)


def start_start_on(s: State, a: int) -> int:
    """start (excavate.start)"""
    w: int = s.book_p  # start_w
    p: int = s.book_taken  # start_p
    s.cubes[w] |= BIT[a]
    # spend (season.personal-stock)
    s.personal[p] -= 1
    # start (excavate.start)
    if s.start_back == 18:  # AT_PATRON_POWER_VIOLET_BACK
        return turn_end(s)
    return turn_end(s)


def extend_extend_over_a(s: State, a: int) -> int:
    """extend (excavate.extend)"""
    p: int = s.book_taken  # extend_p
    at_pyramid: bool = s.start_at_pyramid != 0
    taken: int = s.extend_taken
    s.extend_a = a
    pyramids_now: int = s.pyramids
    m: int = (
        SPACE_NEIGHBOURS[a]
        & s.in_play
        & ~taken
        & ((0xFFFFFFFFFFFFFFFFFF if at_pyramid else 0) | 0xFFFFFFFFFFFFFFFFFF ^ pyramids_now)
    )
    b: int
    for b in members(m):
        if not (not at_pyramid or (pyramids_now & BIT[a] != 0) != (pyramids_now & BIT[b] != 0)):
            m ^= BIT[b]
    if not m:
        raise no_option(6)
    s.opts = m
    s.pc = 5  # AT_EXTEND_EXTEND_OVER_B
    s.who = p
    return 0 if m & (m - 1) else FORCED


def extend_extend_over_b(s: State, b: int) -> int:
    """extend (excavate.extend)"""
    w: int = s.book_p  # extend_w
    p: int = s.book_taken  # extend_p
    a: int = s.extend_a
    s.cubes[w] |= BIT[a] | BIT[b]
    # spend (season.personal-stock)
    s.personal[p] -= 2
    # extend (excavate.extend)
    if s.start_back == 19:  # AT_PATRON_POWER_VIOLET_BACK_2
        return turn_end(s)
    return turn_end(s)


def series(s: State) -> None:
    """series (series.five, series.multiple)"""
    none: bool = True
    min_: int = 0
    claimed: Ints = s.claimed
    x_: int
    for x_ in (0, 1, 2, 3, 4):
        n: int = size(claimed[0] & PARCELS_OF[x_])
        if none or n < min_:
            min_ = n
            none = False
    if none:
        min_ = 0
    points: int = 5 * min_
    score: Ints = s.score
    score[0] += points
    breakdown_: Ints = s.breakdown_
    breakdown_[2] += points
    none_2: bool = True
    min__2: int = 0
    for x_ in (0, 1, 2, 3, 4):
        n_2: int = size(claimed[1] & PARCELS_OF[x_])
        if none_2 or n_2 < min__2:
            min__2 = n_2
            none_2 = False
    if none_2:
        min__2 = 0
    points_2: int = 5 * min__2
    score[1] += points_2
    breakdown_[5] += points_2
    none_3: bool = True
    min__3: int = 0
    for x_ in (0, 1, 2, 3, 4):
        n_3: int = size(claimed[2] & PARCELS_OF[x_])
        if none_3 or n_3 < min__3:
            min__3 = n_3
            none_3 = False
    if none_3:
        min__3 = 0
    points_3: int = 5 * min__3
    score[2] += points_3
    breakdown_[8] += points_3
    none_4: bool = True
    min__4: int = 0
    for x_ in (0, 1, 2, 3, 4):
        n_4: int = size(claimed[3] & PARCELS_OF[x_])
        if none_4 or n_4 < min__4:
            min__4 = n_4
            none_4 = False
    if none_4:
        min__4 = 0
    points_4: int = 5 * min__4
    score[3] += points_4
    breakdown_[11] += points_4


def lay_parcel(s: State, slot: int) -> None:
    """lay_parcel (region.parcel-side-up)"""
    pile_now: int = s.pile
    if not pile_now:
        raise empty_zone(12)
    x: int = s.rng
    x = MULTIPLIER * (x & LOW) + (x >> 30)
    s.rng = x
    kind: int = nth(pile_now, (x & LOW) * size(pile_now) >> 30) % 36
    s.pile = remove(pile_now, kind, 36)
    s.used = add(s.used, kind, 36)
    x = MULTIPLIER * (x & LOW) + (x >> 30)
    s.rng = x
    turns: int = (x & LOW) * 2 >> 30
    s.laid[slot] = kind
    s.lying |= BIT[slot]
    same: int = slot * 6
    cell: int
    for cell in PARCEL_PYRAMIDS_LIST[kind]:
        s.pyramids |= SPACE_AT[same + (cell if turns == 0 else CELL_TURNED[cell])]


def refresh(s: State) -> None:
    """Work out the pending decision's options again, from what is hidden now."""


def rank_keys(s: State) -> list[tuple[int, int, int]]:
    """For the final ranking: the participant, then the keys that rank it."""
    rows: list[tuple[int, int, int]] = []
    personal: Ints = s.personal
    score: Ints = s.score
    p: int
    for p in (0, 1, 2, 3):
        rows.append((p, score[p], personal[p]))
    return rows


def heuristic(s: State, p: int) -> int:
    """How good the position looks for a player."""
    # museum_outlook
    season_now: int = s.season
    to_come: int = 7 * (4 - season_now)
    sum_: int = 0
    patrons: int = 0
    same: int = s.museum[p]
    n_2: int = 4 - season_now
    dedicated: Ints = s.dedicated
    claimed: Ints = s.claimed
    v: int
    for v in (0, 1, 2, 3, 4):
        x_: int = dedicated[v]
        cards: int = size(claimed[p] & PARCELS_OF[x_])
        none: bool = True
        max_: int = 0
        r: int
        for r in members(same & ROOMS_OF[v]):
            n: int = ROOM_VALUE[r]
            if none or n > max_:
                max_ = n
                none = False
        if none:
            max_ = 1
        sum_ = sum_ + max_ * (10 * cards + to_come)
        if cards > 0:
            patrons = patrons + 1
        sum_ = sum_ + (cards if cards < n_2 else n_2) * 8
    none_2: bool = True
    min_: int = 0
    x__2: int
    for x__2 in (0, 1, 2, 3, 4):
        n_3: int = size(claimed[p] & PARCELS_OF[x__2])
        if none_2 or n_3 < min_:
            min_ = n_3
            none_2 = False
    if none_2:
        min_ = 0
    museum_outlook_now: int = (
        sum_ + 50 * min_ + (8 * patrons if season_now < 4 else 0) + 2 * size(same)
    )
    # region_outlook
    pass_space_here: int = s.pass_space[p]
    sum_2: int = 0
    cubes: list[int] = s.cubes
    same_2: int = cubes[p]
    laid: Ints = s.laid
    a: int
    for a in (0, 1, 2, 3, 4, 5):
        if same_2 & AREA_SPACES[a] != 0:
            ahead: int = (
                (
                    1
                    if 0 != p
                    and (
                        size(cubes[0] & AREA_SPACES[a]) > size(same_2 & AREA_SPACES[a])
                        or size(cubes[0] & AREA_SPACES[a]) == size(same_2 & AREA_SPACES[a])
                        and s.pass_space[0]
                        and (pass_space_here == 0 or s.pass_space[0] < pass_space_here)
                    )
                    else 0
                )
                + (
                    1
                    if 1 != p
                    and (
                        size(cubes[1] & AREA_SPACES[a]) > size(same_2 & AREA_SPACES[a])
                        or size(cubes[1] & AREA_SPACES[a]) == size(same_2 & AREA_SPACES[a])
                        and s.pass_space[1]
                        and (pass_space_here == 0 or s.pass_space[1] < pass_space_here)
                    )
                    else 0
                )
                + (
                    1
                    if 2 != p
                    and (
                        size(cubes[2] & AREA_SPACES[a]) > size(same_2 & AREA_SPACES[a])
                        or size(cubes[2] & AREA_SPACES[a]) == size(same_2 & AREA_SPACES[a])
                        and s.pass_space[2]
                        and (pass_space_here == 0 or s.pass_space[2] < pass_space_here)
                    )
                    else 0
                )
                + (
                    1
                    if 3 != p
                    and (
                        size(cubes[3] & AREA_SPACES[a]) > size(same_2 & AREA_SPACES[a])
                        or size(cubes[3] & AREA_SPACES[a]) == size(same_2 & AREA_SPACES[a])
                        and s.pass_space[3]
                        and (pass_space_here == 0 or s.pass_space[3] < pass_space_here)
                    )
                    else 0
                )
            )
            points: int = PARCEL_POINTS[laid[AREA_LEFT[a]]] + PARCEL_POINTS[laid[AREA_RIGHT[a]]]
            if s.lying >> AREA_LEFT[a] & 1 and s.lying >> AREA_RIGHT[a] & 1:
                if ahead == 0:
                    sum_2 = sum_2 + (40 + 6 * points + size(same_2 & AREA_SPACES[a]))
                elif ahead == 1:
                    sum_2 = sum_2 + (34 + 3 * points + size(same_2 & AREA_SPACES[a]))
                elif ahead == 2:
                    sum_2 = sum_2 + 10
                else:
                    sum_2 = sum_2 + 3
            elif ahead <= 1:
                sum_2 = sum_2 + 15
    # cube_outlook
    cube_outlook_now: int = (
        0
        if season_now == 4 and pass_space_here
        else 5 * s.personal[p] + (4 if not pass_space_here else 5 - pass_space_here)
    )
    return 10 * s.score[p] + museum_outlook_now + sum_2 + cube_outlook_now


def possible_extend(s: State, w: int, p: int, at_pyramid: bool) -> bool:
    """possible_extend (excavate.extend)"""
    if s.personal[p] < 2:
        return False
    cubes: list[int] = s.cubes
    taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
    spaces: int = cubes[w]
    # around (adjacency.orthogonal)
    found_3: int = 0
    s_: int
    for s_ in members(spaces):
        found_3 = found_3 | SPACE_NEIGHBOURS[s_]
    # possible_extend (excavate.extend)
    found: bool = False
    a: int
    for a in members(
        s.in_play
        & (0xFFFFFFFFFFFFFFFFFF ^ taken)
        & found_3
        & ((0xFFFFFFFFFFFFFFFFFF if at_pyramid else 0) | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
    ):
        found_2: bool = False
        b: int
        for b in SPACE_NEIGHBOURS_LIST[a]:
            if s.in_play & BIT[b] and (
                not taken & BIT[b]
                and (
                    (at_pyramid or not s.pyramids & BIT[b])
                    and (not at_pyramid or (s.pyramids & BIT[a] != 0) != (s.pyramids & BIT[b] != 0))
                )
            ):
                found_2 = True
                break
        if found_2:
            found = True
            break
    return found


def possible_Patron_power_lemon(s: State, me: int) -> bool:
    """possible_Patron_power_lemon (components.patron-markers, patron.lemon-start, patron.lemon-extend)"""
    # possible_start (excavate.start)
    if not s.personal[me]:
        possible_start_now: bool = False
    else:
        cubes: list[int] = s.cubes
        taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        possible_start_now = (
            s.in_play
            & (
                (0xFFFFFFFFFFFFFFFFFF ^ taken)
                & ((0xFFFFFFFFFFFFFFFFFF | 0xFFFFFFFFFFFFFFFFFF ^ s.pyramids) & (0 | s.pyramids))
            )
            != 0
        )
    return possible_start_now or possible_extend(s, me, me, True)


def possible_Patron_power_brown(s: State, me: int) -> bool:
    """possible_Patron_power_brown (components.patron-markers, patron.brown-museum, museum.same-rules-both-ways)"""
    if not s.personal[me]:
        return False
    # possible_book (museum.same-rules-both-ways)
    museum: Ints = s.museum
    taken: int = museum[0] | museum[1] | museum[2] | museum[3]
    found: bool = False
    r: int
    for r in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14):
        if not taken >> r & 1 and (ROOM_VALUE[r] < 5 or ROOM_NEIGHBOURS[r] & museum[me]):
            found = True
            break
    return found


def possible_double_start(s: State, p: int) -> bool:
    """possible_double_start (patron.blackmore)"""
    if s.personal[p] < 2:
        return False
    cubes: list[int] = s.cubes
    taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
    found: bool = False
    same: int = s.in_play & ((0xFFFFFFFFFFFFFFFFFF ^ taken) & (0xFFFFFFFFFFFFFFFFFF ^ s.pyramids))
    a: int
    for a in members(
        s.in_play & (0xFFFFFFFFFFFFFFFFFF ^ taken) & (0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
    ):
        if SPACE_NEIGHBOURS[a] & same:
            found = True
            break
    return found


def possible_long_extension(s: State, p: int) -> bool:
    """possible_long_extension (patron.tangerine)"""
    if s.personal[p] < 3:
        return False
    cubes: list[int] = s.cubes
    taken: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
    spaces: int = cubes[p]
    # around (adjacency.orthogonal)
    found_3: int = 0
    s_: int
    for s_ in members(spaces):
        found_3 = found_3 | SPACE_NEIGHBOURS[s_]
    # possible_long_extension (patron.tangerine)
    found: bool = False
    a: int
    for a in members(
        s.in_play & (0xFFFFFFFFFFFFFFFFFF ^ taken) & found_3 & (0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
    ):
        found_2: bool = False
        b: int
        for b in SPACE_NEIGHBOURS_LIST[a]:
            if s.in_play & BIT[b] and (
                not taken & BIT[b]
                and (
                    not s.pyramids & BIT[b]
                    and SPACE_NEIGHBOURS[b]
                    & (
                        s.in_play
                        & (
                            (0xFFFFFFFFFFFFFFFFFF ^ taken)
                            & C_OTHER[a]
                            & (0xFFFFFFFFFFFFFFFFFF ^ s.pyramids)
                        )
                    )
                )
            ):
                found_2 = True
                break
        if found_2:
            found = True
            break
    return found


def lost_decision(s: State, v: int) -> int:
    raise lost(s.pc)


def lost_point(s: State) -> int:
    raise lost(-1)


# what goes on after each decision, and at each other point, by number
# fmt: off
DECISIONS: Final = [
    lost_decision, Patron_power_violet_violet_use, Patron_power_lemon_lemon_use,
    start_start_on, extend_extend_over_a, extend_extend_over_b, book_room,
    double_start_double_start_on_a, double_start_double_start_on_b,
    long_extension_long_extend_over_a, long_extension_long_extend_over_b,
    long_extension_long_extend_over_c, turn_action, appeal_appeal_to, first_reward_reward,
    leftover_reward_leftover,
]
POINTS: Final = [
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, Patron_power_violet_back,
    Patron_power_violet_back_2, lost_point, Patron_power_lemon_back,
    Patron_power_lemon_back_2, lost_point, Patron_power_brown_back, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, excavations_loop, excavations_back, lost_point, lost_point,
    lost_point, excavations_back_2, lost_point, lost_point, lost_point, turn_back,
    turn_back_2, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    play_loop, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, survey_areas_loop,
    lost_point, lost_point, survey_loop, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, first_reward_back,
]
# fmt: on


def run(s: State, v: int) -> None:
    """Carry out the pending decision with value v, up to the next one."""
    pc = DECISIONS[s.pc](s, v)
    if pc:
        follow(s, pc)


def follow(s: State, pc: int, steps: int = 0) -> None:
    """Jump from block to block until the game stops; a negative number ends it. Forced decisions are taken."""
    while pc > 0:
        if pc < FORCED:
            pc = POINTS[pc](s)
        else:
            # there is one option
            pc = DECISIONS[s.pc](s, s.opts.bit_length() - 1)
        steps += 1
        if steps > STEPS and pc > 0:
            raise too_many_steps(-1 - (pc if pc < FORCED else s.pc))
    if pc < 0:
        s.pc = 0
        s.who = -4
        s.opts = 0


def new_state(seed: int) -> State:
    """The table before the first step."""
    return State(
        0,
        0,
        0,
        from_seed(seed),
        0,
        [],
        1,
        0,
        [0] * 5,
        0,
        0,
        [0] * 12,
        0,
        [0] * 4,
        [0] * 4,
        [0] * 4,
        [0] * 4,
        [0] * 4,
        [0] * 20,
        [0] * 4,
        [0] * 12,
        68719476735,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        [],
        [],
        0,
        0,
        0,
        0,
        0,
        0,
    )


def begin(s: State) -> None:
    """Start the game and run to the first decision."""
    follow(s, play_2(s))


def stop(s: State, pc: int) -> None:
    """Jump from block to block like `follow`, but leave forced decisions to who must take them."""
    steps = 0
    while 0 < pc < FORCED:
        pc = POINTS[pc](s)
        steps += 1
        if steps > STEPS:
            raise too_many_steps(-1 - (pc if pc < FORCED else s.pc))
    if pc < 0:
        s.pc = 0
        s.who = -4
        s.opts = 0


def begin_asking(s: State) -> None:
    """Start the game and run to the first decision, be it forced or not."""
    stop(s, play_2(s))


def run_asking(s: State, v: int) -> None:
    """Carry out the pending decision with value v, up to the next one, be it forced or not."""
    stop(s, DECISIONS[s.pc](s, v))


def over(s: State, v: int) -> int:
    """Where the decision is that a game has at its end."""
    raise Over


def playout(s: State, x: int) -> int:
    """Play on at random to the end, choosing with the random state x; the number of decisions."""
    options, listed, points, forced = OPTIONS, LISTED.get, POINTS, len(POINTS)
    small, multiplier, digit = SMALL, MULTIPLIER, LOW
    # at the end an exception, which costs nothing before
    decisions = [over, *DECISIONS[1:]]
    low, n = x & LOW, 0
    try:
        for n in range(MOST):
            x = multiplier * low + (x >> 30)
            low = x & digit
            m = s.opts
            if m < small:
                row, many = options[m]
                v = row[low % many]
            else:
                found = listed(m)
                if found is not None:
                    row, many = found
                    v = row[low % many]
                else:
                    if not low & 15:
                        list_more(m)
                    v = nth(m, low % size(m))
            pc = decisions[s.pc](s, v)
            if pc:
                # one jump at least, seldom more than two
                pc = points[pc](s) if pc < forced else decisions[s.pc](s, s.opts.bit_length() - 1)
                if pc > 0:
                    pc = (
                        points[pc](s)
                        if pc < forced
                        else decisions[s.pc](s, s.opts.bit_length() - 1)
                    )
                if pc:
                    follow(s, pc, 2)
    except Over:
        return n
    if s.pc:
        raise api.endless(GAME, s)
    return MOST


def playout_until(s: State, x: int, n: int, who: int, weights: list[int]) -> int:
    """Play on at random for at most n decisions, only while `who` decides (-1: whoever); the random state afterwards.

    Options are taken in proportion to the weights of their actions, all alike where there are none.
    """
    while s.pc and n > 0 and (who < 0 or s.who == who):
        m = s.opts
        x = MULTIPLIER * (x & LOW) + (x >> 30)
        v = pick(m, x, OFFSET[s.pc], weights) if weights else nth(m, (x & LOW) % size(m))
        run(s, v)
        n -= 1
    return x


def playout_turns(s: State, x: int, n: int, turns: int, weights: list[int]) -> int:
    """`playout_until` for so many turns of whoever then decides, each of at most n decisions."""
    for _ in range(turns):
        x = playout_until(s, x, n, s.who, weights)
    return x


def playouts_from(s: State, seeds: list[int]) -> list[State]:
    """For each seed a copy of the state, played on at random to the end."""
    ends: list[State] = []
    for seed in seeds:
        end = s.clone()
        end.rng = from_seed(seed)
        playout(end, from_seed(seed + 1))
        ends.append(end)
    return ends


def playouts(count: int, seed: int) -> int:
    """Random games one after another; the number of decisions in all."""
    total = 0
    for i in range(count):
        s = new_state(seed + i)
        begin(s)
        total += playout(s, from_seed(seed + i + 7919))
    return total


# ---------------------------------------------------------------- where the game goes on
# fmt: off
AT_PATRON_POWER_VIOLET_VIOLET_USE: Final = 1
AT_PATRON_POWER_LEMON_LEMON_USE: Final = 2
AT_START_START_ON: Final = 3
AT_EXTEND_EXTEND_OVER_A: Final = 4
AT_EXTEND_EXTEND_OVER_B: Final = 5
AT_BOOK_ROOM: Final = 6
AT_DOUBLE_START_DOUBLE_START_ON_A: Final = 7
AT_DOUBLE_START_DOUBLE_START_ON_B: Final = 8
AT_LONG_EXTENSION_LONG_EXTEND_OVER_A: Final = 9
AT_LONG_EXTENSION_LONG_EXTEND_OVER_B: Final = 10
AT_LONG_EXTENSION_LONG_EXTEND_OVER_C: Final = 11
AT_TURN_ACTION: Final = 12
AT_APPEAL_APPEAL_TO: Final = 13
AT_FIRST_REWARD_REWARD: Final = 14
AT_LEFTOVER_REWARD_LEFTOVER: Final = 15
AT_PATRON_POWER_VIOLET_BACK: Final = 18
AT_PATRON_POWER_VIOLET_BACK_2: Final = 19
AT_PATRON_POWER_LEMON_BACK: Final = 21
AT_PATRON_POWER_LEMON_BACK_2: Final = 22
AT_PATRON_POWER_BROWN_BACK: Final = 24
AT_EXCAVATIONS_LOOP: Final = 50
AT_EXCAVATIONS_BACK: Final = 51
AT_EXCAVATIONS_BACK_2: Final = 55
AT_TURN_BACK: Final = 59
AT_TURN_BACK_2: Final = 60
AT_PLAY_LOOP: Final = 67
AT_SURVEY_AREAS_LOOP: Final = 108
AT_SURVEY_LOOP: Final = 111
AT_FIRST_REWARD_BACK: Final = 122
# fmt: on


# ---------------------------------------------------------------- tables
# fmt: off
AREA_FROM_SEASON: Final[Ints] = ints([1, 1, 1, 1, 4, 4])
AREA_SPACES: Final[list[int]] = [
    986895, 15790320, 16557350584320, 264917609349120, 277786247140862853120,
    4444579954253805649920,
]
AREA_LEFT: Final[Ints] = ints([0, 2, 4, 6, 8, 10])
AREA_RIGHT: Final[Ints] = ints([1, 3, 5, 7, 9, 11])
AREA_SLOTS: Final[Ints] = ints([3, 12, 48, 192, 768, 3072])
ROOM_VALUE: Final[Ints] = ints([3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 5, 5, 5, 5, 5])
ROOM_NEIGHBOURS: Final[Ints] = ints([
    1024, 2048, 4096, 8192, 16384, 3072, 6144, 12288, 24576, 17408, 545, 98, 196, 392, 784,
])
PARCELS_OF: Final[Ints] = ints([127, 16256, 2080768, 266338304, 34091302912])
SPACE_NEIGHBOURS_LIST: Final[list[Ints]] = int_rows([
    [1, 8], [0, 2, 9], [1, 3, 10], [2, 4, 11], [3, 5, 12], [4, 6, 13], [5, 7, 14], [6, 15],
    [0, 9, 16], [1, 8, 10, 17], [2, 9, 11, 18], [3, 10, 12, 19], [4, 11, 13, 20], [5, 12, 14,
    21], [6, 13, 15, 22], [7, 14, 23], [8, 17, 24], [9, 16, 18, 25], [10, 17, 19, 26], [11,
    18, 20, 27], [12, 19, 21, 28], [13, 20, 22, 29], [14, 21, 23, 30], [15, 22, 31], [16, 25,
    32], [17, 24, 26, 33], [18, 25, 27, 34], [19, 26, 28, 35], [20, 27, 29, 36], [21, 28, 30,
    37], [22, 29, 31, 38], [23, 30, 39], [24, 33, 40], [25, 32, 34, 41], [26, 33, 35, 42],
    [27, 34, 36, 43], [28, 35, 37, 44], [29, 36, 38, 45], [30, 37, 39, 46], [31, 38, 47], [32,
    41, 48], [33, 40, 42, 49], [34, 41, 43, 50], [35, 42, 44, 51], [36, 43, 45, 52], [37, 44,
    46, 53], [38, 45, 47, 54], [39, 46, 55], [40, 49, 56], [41, 48, 50, 57], [42, 49, 51, 58],
    [43, 50, 52, 59], [44, 51, 53, 60], [45, 52, 54, 61], [46, 53, 55, 62], [47, 54, 63], [48,
    57, 64], [49, 56, 58, 65], [50, 57, 59, 66], [51, 58, 60, 67], [52, 59, 61, 68], [53, 60,
    62, 69], [54, 61, 63, 70], [55, 62, 71], [56, 65], [57, 64, 66], [58, 65, 67], [59, 66,
    68], [60, 67, 69], [61, 68, 70], [62, 69, 71], [63, 70],
])
SPACE_NEIGHBOURS: Final[list[int]] = [
    258, 517, 1034, 2068, 4136, 8272, 16544, 32832, 66049, 132354, 264708, 529416, 1058832,
    2117664, 4235328, 8405120, 16908544, 33882624, 67765248, 135530496, 271060992, 542121984,
    1084243968, 2151710720, 4328587264, 8673951744, 17347903488, 34695806976, 69391613952,
    138783227904, 277566455808, 550837944320, 1108118339584, 2220531646464, 4441063292928,
    8882126585856, 17764253171712, 35528506343424, 71057012686848, 141014513745920,
    283678294933504, 568456101494784, 1136912202989568, 2273824405979136, 4547648811958272,
    9095297623916544, 18190595247833088, 36099715518955520, 72621643502977024,
    145524761982664704, 291049523965329408, 582099047930658816, 1164198095861317632,
    2328396191722635264, 4656792383445270528, 9241527172852613120, 18591140736762118144,
    37254339067562164224, 74508678135124328448, 149017356270248656896, 298034712540497313792,
    596069425080994627584, 1192138850161989255168, 2365830956250268958720,
    36965545741457031168, 92377835556623613952, 184755671113247227904, 369511342226494455808,
    739022684452988911616, 1478045368905977823232, 2956090737811955646464,
    1189814992754266079232,
]
C_OTHER: Final[list[int]] = [
    4722366482869645213694, 4722366482869645213693, 4722366482869645213691,
    4722366482869645213687, 4722366482869645213679, 4722366482869645213663,
    4722366482869645213631, 4722366482869645213567, 4722366482869645213439,
    4722366482869645213183, 4722366482869645212671, 4722366482869645211647,
    4722366482869645209599, 4722366482869645205503, 4722366482869645197311,
    4722366482869645180927, 4722366482869645148159, 4722366482869645082623,
    4722366482869644951551, 4722366482869644689407, 4722366482869644165119,
    4722366482869643116543, 4722366482869641019391, 4722366482869636825087,
    4722366482869628436479, 4722366482869611659263, 4722366482869578104831,
    4722366482869510995967, 4722366482869376778239, 4722366482869108342783,
    4722366482868571471871, 4722366482867497730047, 4722366482865350246399,
    4722366482861055279103, 4722366482852465344511, 4722366482835285475327,
    4722366482800925736959, 4722366482732206260223, 4722366482594767306751,
    4722366482319889399807, 4722366481770133585919, 4722366480670621958143,
    4722366478471598702591, 4722366474073552191487, 4722366465277459169279,
    4722366447685273124863, 4722366412500901036031, 4722366342132156858367,
    4722366201394668503039, 4722365919919691792383, 4722365356969738371071,
    4722364231069831528447, 4722361979270017843199, 4722357475670390472703,
    4722348468471135731711, 4722330454072626249727, 4722294425275607285759,
    4722222367681569357823, 4722078252493493501951, 4721790022117341790207,
    4721213561365038366719, 4720060639860431519743, 4717754796851217825791,
    4713143110832790437887, 4703919738795935662079, 4685472994722226110463,
    4648579506574807007231, 4574792530279968800767, 4427218577690292387839,
    4132070672510939561983, 3541774862152233910271, 2361183241434822606847,
]
ALL_0: Final[Ints] = ints([0, 0, 0, 0])
ROOMS_OF: Final[Ints] = ints([1569, 2146, 4292, 8584, 17168])
PARCEL_PYRAMIDS_LIST: Final[list[Ints]] = int_rows([
    [], [0], [1], [2], [0, 1], [0, 2], [0, 3], [], [0], [1], [2], [0, 4], [0, 5], [1, 2], [],
    [0], [1], [2], [1, 3], [1, 4], [2, 3], [], [0], [1], [2], [0, 1], [0, 2], [0, 3], [], [0],
    [1], [2], [0, 4], [0, 5], [1, 2], [0, 5],
])
SPACE_AT: Final[list[int]] = [
    1, 2, 256, 512, 65536, 131072, 4, 8, 1024, 2048, 262144, 524288, 16, 32, 4096, 8192,
    1048576, 2097152, 64, 128, 16384, 32768, 4194304, 8388608, 16777216, 33554432, 4294967296,
    8589934592, 1099511627776, 2199023255552, 67108864, 134217728, 17179869184, 34359738368,
    4398046511104, 8796093022208, 268435456, 536870912, 68719476736, 137438953472,
    17592186044416, 35184372088832, 1073741824, 2147483648, 274877906944, 549755813888,
    70368744177664, 140737488355328, 281474976710656, 562949953421312, 72057594037927936,
    144115188075855872, 18446744073709551616, 36893488147419103232, 1125899906842624,
    2251799813685248, 288230376151711744, 576460752303423488, 73786976294838206464,
    147573952589676412928, 4503599627370496, 9007199254740992, 1152921504606846976,
    2305843009213693952, 295147905179352825856, 590295810358705651712, 18014398509481984,
    36028797018963968, 4611686018427387904, 9223372036854775808, 1180591620717411303424,
    2361183241434822606848,
]
CELL_TURNED: Final[Ints] = ints([5, 4, 3, 2, 1, 0])
PARCEL_POINTS: Final[Ints] = ints([
    0, 0, 0, 2, 2, 3, 3, 0, 0, 2, 2, 3, 3, 0, 0, 2, 2, 3, 3, 0, 0, 2, 2, 3, 3, 0, 0, 0, 2, 3,
    3, 0, 0, 0, 2, 5,
])

# the first action of each decision, by its number
OFFSET: Final[list[int]] = [
    0, 0, 2, 4, 76, 148, 220, 235, 307, 379, 451, 523, 595, 599, 604, 607, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]
# fmt: on
# whoever plays a whole game stops after so many decisions: then it has no end
MOST: Final = 100000
# of each decision the actions that were legal before, by their set of options
LEGAL: Final[list[dict[int, tuple[int, ...]]]] = [{} for _ in OFFSET]
