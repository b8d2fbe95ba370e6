"""Yspahan, 4 players, with four-players: a generated engine. Do not edit.

From spec/yspahan. Ruleset 7dddee33cb068cab.
"""

from __future__ import annotations

from typing import Any, Final

from rulewright.runtime import api
from rulewright.runtime.arrays import Ints, int_rows, ints
from rulewright.runtime.bits import (
    BIT,
    FEW,
    LISTED,
    OPTIONS,
    SMALL,
    list_more,
    members,
    nth,
    pick,
    size,
    up_to,
)
from rulewright.runtime.errors import IN_PLAY, Over, empty_zone, lost, no_option, too_many_steps
from rulewright.runtime.rng import LOW, MULTIPLIER, counted_dice, from_seed
from rulewright.runtime.support import FORCED, STEPS, first_of, item, sorted_by, times
from rulewright.runtime.zones import union

# a native engine says True
COMPILED: Final = False
RULESET: Final = "7dddee33cb068cab"
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
        "week_marker",
        "day_marker",
        "first_",
        "order",
        "supervisor",
        "camels",
        "gold",
        "cubes",
        "caravan",
        "built",
        "white_cast",
        "yellow_cast",
        "white_on",
        "yellow_on",
        "value_on",
        "score",
        # points by reason
        "breakdown_",
        "deck",
        "drawn",
        "hand",
        "discard",
        "day_p",
        "action_phase_p_place",
        "action_phase_p",
        "select_group_s",
        "select_group_dice",
        "select_group_value",
        "boost_by_card_extra",
        "move_supervisor_adjustable",
        "send_goods_leaving",
        "send_goods_s_rest",
        "send_goods_s",
        "construct_building_b",
        # also supply_shops_back, send_from_back
        "free_cards_back",
        # also supply_shops_p, send_from_q_rest
        "free_cards_p",
        # also supply_shops_n, send_from_s
        "put_cube_in_shop_filled",
        # also supply_shops_dice, send_from_q
        "put_cube_in_shop_foreign",
        # also place_cubes_i_next
        "put_cube_in_shop_waiting",
        # also place_cubes_i_last
        "CardKind_effect_gold_for_points_most",
        # also place_cubes_filled
        "CardKind_effect_gold_for_points_points",
        # also place_cubes_foreign
        "CardKind_effect_camels_for_points_most",
        # also place_cubes_waiting
        "CardKind_effect_camels_for_points_points",
        "action_phase_p_all",
    )

    def __init__(
        self,
        pc: int,
        who: int,
        opts: int,
        rng: int,
        value: int,
        values: list[int],
        week_marker: int,
        day_marker: int,
        first_: int,
        order: list[int],
        supervisor: int,
        camels: Ints,
        gold: Ints,
        cubes: Ints,
        caravan: Ints,
        built: Ints,
        white_cast: Ints,
        yellow_cast: Ints,
        white_on: Ints,
        yellow_on: Ints,
        value_on: Ints,
        score: Ints,
        breakdown_: Ints,
        deck: int,
        drawn: Ints,
        hand: Ints,
        discard: int,
        day_p: int,
        action_phase_p_place: int,
        action_phase_p: int,
        select_group_s: int,
        select_group_dice: int,
        select_group_value: int,
        boost_by_card_extra: int,
        move_supervisor_adjustable: int,
        send_goods_leaving: int,
        send_goods_s_rest: int,
        send_goods_s: int,
        construct_building_b: int,
        free_cards_back: int,
        free_cards_p: int,
        put_cube_in_shop_filled: int,
        put_cube_in_shop_foreign: int,
        put_cube_in_shop_waiting: int,
        CardKind_effect_gold_for_points_most: int,
        CardKind_effect_gold_for_points_points: int,
        CardKind_effect_camels_for_points_most: int,
        CardKind_effect_camels_for_points_points: int,
        action_phase_p_all: list[int],
    ) -> None:
        self.pc = pc
        self.who = who
        self.opts = opts
        self.rng = rng
        self.value = value
        self.values = values
        self.week_marker = week_marker
        self.day_marker = day_marker
        self.first_ = first_
        self.order = order
        self.supervisor = supervisor
        self.camels = camels
        self.gold = gold
        self.cubes = cubes
        self.caravan = caravan
        self.built = built
        self.white_cast = white_cast
        self.yellow_cast = yellow_cast
        self.white_on = white_on
        self.yellow_on = yellow_on
        self.value_on = value_on
        self.score = score
        self.breakdown_ = breakdown_
        self.deck = deck
        self.drawn = drawn
        self.hand = hand
        self.discard = discard
        self.day_p = day_p
        self.action_phase_p_place = action_phase_p_place
        self.action_phase_p = action_phase_p
        self.select_group_s = select_group_s
        self.select_group_dice = select_group_dice
        self.select_group_value = select_group_value
        self.boost_by_card_extra = boost_by_card_extra
        self.move_supervisor_adjustable = move_supervisor_adjustable
        self.send_goods_leaving = send_goods_leaving
        self.send_goods_s_rest = send_goods_s_rest
        self.send_goods_s = send_goods_s
        self.construct_building_b = construct_building_b
        self.free_cards_back = free_cards_back
        self.free_cards_p = free_cards_p
        self.put_cube_in_shop_filled = put_cube_in_shop_filled
        self.put_cube_in_shop_foreign = put_cube_in_shop_foreign
        self.put_cube_in_shop_waiting = put_cube_in_shop_waiting
        self.CardKind_effect_gold_for_points_most = CardKind_effect_gold_for_points_most
        self.CardKind_effect_gold_for_points_points = CardKind_effect_gold_for_points_points
        self.CardKind_effect_camels_for_points_most = CardKind_effect_camels_for_points_most
        self.CardKind_effect_camels_for_points_points = CardKind_effect_camels_for_points_points
        self.action_phase_p_all = action_phase_p_all

    def clone(self) -> State:
        # the interpreter sets fields one by one faster than it calls a function with all of them
        s: State = object.__new__(State)
        s.pc = self.pc
        s.who = self.who
        s.opts = self.opts
        s.rng = self.rng
        s.value = self.value
        s.values = self.values
        s.week_marker = self.week_marker
        s.day_marker = self.day_marker
        s.first_ = self.first_
        s.order = self.order
        s.supervisor = self.supervisor
        s.camels = self.camels.copy()
        s.gold = self.gold.copy()
        s.cubes = self.cubes.copy()
        s.caravan = self.caravan.copy()
        s.built = self.built.copy()
        s.white_cast = self.white_cast.copy()
        s.yellow_cast = self.yellow_cast.copy()
        s.white_on = self.white_on.copy()
        s.yellow_on = self.yellow_on.copy()
        s.value_on = self.value_on.copy()
        s.score = self.score.copy()
        s.breakdown_ = self.breakdown_.copy()
        s.deck = self.deck
        s.drawn = self.drawn.copy()
        s.hand = self.hand.copy()
        s.discard = self.discard
        s.day_p = self.day_p
        s.action_phase_p_place = self.action_phase_p_place
        s.action_phase_p = self.action_phase_p
        s.select_group_s = self.select_group_s
        s.select_group_dice = self.select_group_dice
        s.select_group_value = self.select_group_value
        s.boost_by_card_extra = self.boost_by_card_extra
        s.move_supervisor_adjustable = self.move_supervisor_adjustable
        s.send_goods_leaving = self.send_goods_leaving
        s.send_goods_s_rest = self.send_goods_s_rest
        s.send_goods_s = self.send_goods_s
        s.construct_building_b = self.construct_building_b
        s.free_cards_back = self.free_cards_back
        s.free_cards_p = self.free_cards_p
        s.put_cube_in_shop_filled = self.put_cube_in_shop_filled
        s.put_cube_in_shop_foreign = self.put_cube_in_shop_foreign
        s.put_cube_in_shop_waiting = self.put_cube_in_shop_waiting
        s.CardKind_effect_gold_for_points_most = self.CardKind_effect_gold_for_points_most
        s.CardKind_effect_gold_for_points_points = self.CardKind_effect_gold_for_points_points
        s.CardKind_effect_camels_for_points_most = self.CardKind_effect_camels_for_points_most
        s.CardKind_effect_camels_for_points_points = self.CardKind_effect_camels_for_points_points
        s.action_phase_p_all = self.action_phase_p_all
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
        if not 0 <= value < 500 or not self.opts >> value & 1:
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
    """play (structure.three-weeks, end.after-week-three)"""
    # setup (setup.week-day, setup.gold)
    s.week_marker = 1
    s.day_marker = 1
    s.first_ = 0
    s.supervisor = 0
    s.gold = ALL_2.copy()
    return play_loop(s)


def play_loop(s: State) -> int:
    """play (structure.three-weeks, end.after-week-three)"""
    if s.week_marker <= 3:
        # playing_order (four.last-day-order, four.last-day-first-player, four.last-day-score-time)
        if s.week_marker < 3 or s.day_marker < 7:
            playing_order_now: list[int] = CLOCKWISE_FROM[s.first_]
        else:
            rows: list[tuple[int, int, int]] = []
            score: Ints = s.score
            p_2: int
            for p_2 in (0, 1, 2, 3):
                rows.append((-score[p_2], ((p_2 - s.first_) % 4 + 1) % 4, p_2))
            order: list[int] = sorted_by(rows)
            playing_order_now = order
        # day (structure.day-phases, structure.seven-days)
        s.order = playing_order_now
        s.first_ = item(playing_order_now, 1)
        p: int = s.first_
        s.day_p = p
        # supply (supply.only-first-player)
        if not s.hand[p]:
            n: int = s.gold[p]
            m: int = 15 & N_UP_TO[n if n < 4 else 4]
            if not m:
                raise no_option(0)
            s.opts = m
            s.pc = 15  # AT_SUPPLY_YELLOW_DICE
            s.who = p
            return 0 if m & (m - 1) else FORCED
        s.free_cards_p = p
        s.free_cards_back = 135  # AT_SUPPLY_BACK
        return free_cards_loop(s)
    s.pc = 0
    s.who = -4
    s.opts = 0
    return 0


def supply_back(s: State) -> int:
    """supply (supply.only-first-player)"""
    p: int = s.day_p
    n: int = s.gold[p]
    m: int = 15 & N_UP_TO[n if n < 4 else 4]
    if not m:
        raise no_option(0)
    s.opts = m
    s.pc = 15  # AT_SUPPLY_YELLOW_DICE
    s.who = p
    return 0 if m & (m - 1) else FORCED


def supply_yellow_dice(s: State, n: int) -> int:
    """supply (supply.only-first-player)"""
    p: int = s.day_p
    s.gold[p] -= n
    # cast_dice (supply.nine-white, supply.group-by-value)
    s.white_cast = counted_dice(s, 6, 9)
    yellow_cast: Ints = counted_dice(s, 6, n)
    s.yellow_cast = yellow_cast
    # fill_tower (tower.bottom-up, tower.gaps-below-gold)
    max_: int = 0
    white_cast: Ints = s.white_cast
    v: int
    for v in (6, 5, 4, 3, 2, 1):
        if white_cast[v - 1] or yellow_cast[v - 1]:
            max_ = v
            break
    square: int = 0
    white_on: Ints = s.white_on
    yellow_on: Ints = s.yellow_on
    value_on: Ints = s.value_on
    v_2: int
    for v_2 in (1, 2, 3, 4, 5, 6):
        if white_cast[v_2 - 1] or yellow_cast[v_2 - 1]:
            if v_2 == max_ and square != 0:
                # put_group (supply.group-by-value)
                white_on[5] = white_cast[v_2 - 1]
                yellow_on[5] = yellow_cast[v_2 - 1]
                value_on[5] = v_2
            else:
                # put_group (supply.group-by-value)
                white_on[square] = white_cast[v_2 - 1]
                yellow_on[square] = yellow_cast[v_2 - 1]
                value_on[square] = v_2
                # fill_tower (tower.bottom-up, tower.gaps-below-gold)
                square = TOWER_SQUARE_ABOVE[square]
    # action_phase (structure.clockwise)
    s.action_phase_p_all = s.order
    s.action_phase_p_place = 0
    return action_phase_loop(s)


def action_phase_loop(s: State) -> int:
    """action_phase (structure.clockwise)"""
    p_all: list[int] = s.action_phase_p_all
    p_place: int = s.action_phase_p_place
    if p_place < len(p_all):
        p: int = p_all[p_place]
        s.action_phase_p = p
        s.action_phase_p_place = p_place + 1
        # turn (turn.select-then-build, card.own-turn-only)
        if not s.hand[p]:
            return turn_back(s)
        s.free_cards_p = p
        s.free_cards_back = 167  # AT_TURN_BACK
        return free_cards_loop(s)
    # end_of_day (day.tower-emptied, day.marker)
    s.white_on = ALL_0_2.copy()
    s.yellow_on = ALL_0_2.copy()
    s.value_on = ALL_0_2.copy()
    if s.day_marker == 7:
        # count_souks (week.souks-scored, week.player-order)
        cubes: Ints = s.cubes
        built: Ints = s.built
        score: Ints = s.score
        breakdown_: Ints = s.breakdown_
        p_2: int
        for p_2 in CLOCKWISE_FROM[s.first_]:
            same: int = ~cubes[p_2]
            k: int
            for k in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13):
                if not SHOPS_OF[k] & same:
                    # souk_points (week.souks-scored)
                    result: int = SOUK_POINTS_BASE[k]
                    if built[p_2] & 16:
                        result = result + 2
                    # count_souks (week.souks-scored, week.player-order)
                    score[p_2] += result
                    breakdown_[p_2 * 5] += result
        # empty_shops (week.shops-emptied)
        s.cubes = ALL_0.copy()
        # end_of_week (week.order-of-counting)
        count_caravan(s)
        s.week_marker += 1
        s.day_marker = 1
        s.supervisor = 0
        s.first_ = (s.first_ + 1) % 4
    else:
        s.day_marker += 1
        s.first_ = (s.first_ + 1) % 4
    return 80  # AT_PLAY_LOOP


def turn_back(s: State) -> int:
    """turn (turn.select-then-build, card.own-turn-only)"""
    p: int = s.action_phase_p
    # select_group (select.compulsory, select.one-group)
    m: int = 0
    white_on: Ints = s.white_on
    if white_on[0] or s.yellow_on[0]:
        m |= 1
    if white_on[1] or s.yellow_on[1]:
        m |= 2
    if white_on[2] or s.yellow_on[2]:
        m |= 4
    if white_on[3] or s.yellow_on[3]:
        m |= 8
    if white_on[4] or s.yellow_on[4]:
        m |= 16
    if white_on[5] or s.yellow_on[5]:
        m |= 32
    if not m:
        s.select_group_s = -1
        draw_card(s, p)
        return turn_then_2(s)
    s.opts = m
    s.pc = 16  # AT_SELECT_GROUP_TAKE_GROUP
    s.who = p
    return 0 if m & (m - 1) else FORCED


def turn_then_2(s: State) -> int:
    """turn (turn.select-then-build, card.own-turn-only)"""
    p: int = s.action_phase_p
    # yellow_dice_leave (yellow.removed-after-first-action)
    if p == s.first_:
        yellow_on: Ints = s.yellow_on
        yellow_on[0] = 0
        white_on: Ints = s.white_on
        value_on: Ints = s.value_on
        if not white_on[0]:
            value_on[0] = 0
        yellow_on[1] = 0
        if not white_on[1]:
            value_on[1] = 0
        yellow_on[2] = 0
        if not white_on[2]:
            value_on[2] = 0
        yellow_on[3] = 0
        if not white_on[3]:
            value_on[3] = 0
        yellow_on[4] = 0
        if not white_on[4]:
            value_on[4] = 0
        yellow_on[5] = 0
        if not white_on[5]:
            value_on[5] = 0
    # turn (turn.select-then-build, card.own-turn-only)
    if not s.hand[p]:
        return turn_back_2(s)
    s.free_cards_p = p
    s.free_cards_back = 170  # AT_TURN_BACK_2
    return free_cards_loop(s)


def select_group_take_group(s: State, s_: int) -> int:
    """select_group (select.compulsory, select.one-group)"""
    p: int = s.action_phase_p
    s.select_group_s = s_
    dice: int = s.white_on[s_] + s.yellow_on[s_]
    s.select_group_dice = dice
    s.select_group_value = s.value_on[s_]
    # remove_group (select.group-removed)
    s.white_on[s_] = 0
    s.yellow_on[s_] = 0
    s.value_on[s_] = 0
    if s_ == 0:
        possible_TowerSquare_action_now: bool = True
    elif s_ == 1:
        possible_TowerSquare_action_now = possible_supply_shops(s, p, 0, dice)
    elif s_ == 2:
        possible_TowerSquare_action_now = possible_supply_shops(s, p, 1, dice)
    elif s_ == 3:
        possible_TowerSquare_action_now = possible_supply_shops(s, p, 2, dice)
    else:
        possible_TowerSquare_action_now = possible_supply_shops(s, p, 3, dice) if s_ == 4 else True
    # carry_out (select.one-of-three)
    m: int = 7 if possible_TowerSquare_action_now else 6
    if not m:
        raise no_option(1)
    s.opts = m
    s.pc = 17  # AT_CARRY_OUT_DICE_ACTION
    s.who = p
    return 0 if m & (m - 1) else FORCED


def carry_out_dice_action(s: State, dice_action: int) -> int:
    """carry_out (select.one-of-three)"""
    p: int = s.action_phase_p
    value: int = s.select_group_value
    if dice_action == 0:
        # boost_by_card (card.boost-one, card.boost-max-one, card.boost-not-empty)
        hand_now: int = s.hand[p]
        if not hand_now:
            s.boost_by_card_extra = 0
            return carry_out_then_2(s)
        m: int = hand_now & 511
        s.opts = m | 512
        s.pc = 18  # AT_BOOST_BY_CARD_BOOST
        s.who = p
        return 0
    if dice_action == 1:
        # free_steps (supervisor.adjust-cost)
        result: int = 0
        if s.built[p] & 4:
            result = 3
        # move_supervisor (supervisor.move-by-value)
        adjustable: int = result + s.gold[p]
        s.move_supervisor_adjustable = adjustable
        n: int = value - adjustable
        n_2: int = 0 if 0 > n else n
        n_3: int = value + adjustable
        m_2: int = (
            ROAD_SQUARE_DISTANCE_FROM[s.supervisor * 19 + (n_2 if n_2 < 18 else 18)]
            & ROAD_SQUARE_DISTANCE_UP_TO[
                s.supervisor * 20 + ((-1 if n_3 < -1 else n_3 if n_3 < 18 else 18) + 1)
            ]
        )
        if not m_2:
            raise no_option(2)
        s.opts = m_2
        s.pc = 12  # AT_MOVE_SUPERVISOR_SUPERVISOR_TO
        s.who = p
        return 0 if m_2 & (m_2 - 1) else FORCED
    if dice_action == 2:
        # take_card (takecard.one)
        draw_card(s, p)
        return turn_then_2(s)
    return turn_then_2(s)


def carry_out_then_2(s: State) -> int:
    """carry_out (select.one-of-three)"""
    p: int = s.action_phase_p
    s_: int = s.select_group_s
    dice: int = s.select_group_dice
    extra: int = s.boost_by_card_extra
    if s_ == 0:
        dice_2: int = dice + extra
        # camels_taken (camels.per-die)
        result: int = dice_2
        if s.built[p] & 1:
            result = dice_2 + 1
        # gain_camels (setup.general-stock)
        s.camels[p] += result
        return turn_then_2(s)
    if s_ == 1:
        dice_3: int = dice + extra
        # TowerSquare_action_sack (tower.squares, select.neighbourhood-actions)
        s.free_cards_p = p  # supply_shops_p
        s.put_cube_in_shop_filled = 0  # supply_shops_n
        s.put_cube_in_shop_foreign = dice_3  # supply_shops_dice
        s.free_cards_back = 29  # supply_shops_back, AT_TOWER_SQUARE_ACTION_SACK_BACK
        # cubes_supplied (shops.per-die)
        result_2: int = dice_3
        if s.built[p] & 32:
            result_2 = dice_3 + 1
        # place_cubes (shops.must-place-all, shops.several-turns, shops.finish-and-start)
        s.put_cube_in_shop_waiting = 1  # place_cubes_i_next
        s.CardKind_effect_gold_for_points_most = result_2  # place_cubes_i_last
        return place_cubes_loop(s)
    if s_ == 2:
        dice_4: int = dice + extra
        # TowerSquare_action_barrel (tower.squares, select.neighbourhood-actions)
        s.free_cards_p = p  # supply_shops_p
        s.put_cube_in_shop_filled = 1  # supply_shops_n
        s.put_cube_in_shop_foreign = dice_4  # supply_shops_dice
        s.free_cards_back = 30  # supply_shops_back, AT_TOWER_SQUARE_ACTION_BARREL_BACK
        # cubes_supplied (shops.per-die)
        result_3: int = dice_4
        if s.built[p] & 32:
            result_3 = dice_4 + 1
        # place_cubes (shops.must-place-all, shops.several-turns, shops.finish-and-start)
        s.put_cube_in_shop_waiting = 1  # place_cubes_i_next
        s.CardKind_effect_gold_for_points_most = result_3  # place_cubes_i_last
        return place_cubes_loop(s)
    if s_ == 3:
        dice_5: int = dice + extra
        # TowerSquare_action_chest (tower.squares, select.neighbourhood-actions)
        s.free_cards_p = p  # supply_shops_p
        s.put_cube_in_shop_filled = 2  # supply_shops_n
        s.put_cube_in_shop_foreign = dice_5  # supply_shops_dice
        s.free_cards_back = 31  # supply_shops_back, AT_TOWER_SQUARE_ACTION_CHEST_BACK
        # cubes_supplied (shops.per-die)
        result_4: int = dice_5
        if s.built[p] & 32:
            result_4 = dice_5 + 1
        # place_cubes (shops.must-place-all, shops.several-turns, shops.finish-and-start)
        s.put_cube_in_shop_waiting = 1  # place_cubes_i_next
        s.CardKind_effect_gold_for_points_most = result_4  # place_cubes_i_last
        return place_cubes_loop(s)
    if s_ == 4:
        dice_6: int = dice + extra
        # TowerSquare_action_vase (tower.squares, select.neighbourhood-actions)
        s.free_cards_p = p  # supply_shops_p
        s.put_cube_in_shop_filled = 3  # supply_shops_n
        s.put_cube_in_shop_foreign = dice_6  # supply_shops_dice
        s.free_cards_back = 32  # supply_shops_back, AT_TOWER_SQUARE_ACTION_VASE_BACK
        # cubes_supplied (shops.per-die)
        result_5: int = dice_6
        if s.built[p] & 32:
            result_5 = dice_6 + 1
        # place_cubes (shops.must-place-all, shops.several-turns, shops.finish-and-start)
        s.put_cube_in_shop_waiting = 1  # place_cubes_i_next
        s.CardKind_effect_gold_for_points_most = result_5  # place_cubes_i_last
        return place_cubes_loop(s)
    if s_ == 5:
        dice_7: int = dice + extra
        # gold_taken (gold.per-die)
        result_6: int = dice_7
        if s.built[p] & 2:
            result_6 = dice_7 + 2
        # gain_gold (setup.general-stock)
        s.gold[p] += result_6
        return turn_then_2(s)
    return turn_then_2(s)


def boost_by_card_boost(s: State, c: int) -> int:
    """boost_by_card (card.boost-one, card.boost-max-one, card.boost-not-empty)"""
    p: int = s.action_phase_p
    if c == 9:
        s.boost_by_card_extra = 0
        return carry_out_then_2(s)
    # discard_card (card.discarded)
    hand_now: int = s.hand[p]
    if not hand_now >> c & 1:
        raise empty_zone(3, c, p)
    piece: int = BIT[c]
    s.hand[p] = hand_now ^ (piece << 9 if hand_now & piece << 9 else piece)
    s.discard |= piece << 9 if s.discard & piece else piece
    # boost_by_card (card.boost-one, card.boost-max-one, card.boost-not-empty)
    s.boost_by_card_extra = 1
    return carry_out_then_2(s)


def TowerSquare_action_sack_back(s: State) -> int:
    """TowerSquare_action_sack (tower.squares, select.neighbourhood-actions)"""
    return turn_then_2(s)


def TowerSquare_action_barrel_back(s: State) -> int:
    """TowerSquare_action_barrel (tower.squares, select.neighbourhood-actions)"""
    return turn_then_2(s)


def TowerSquare_action_chest_back(s: State) -> int:
    """TowerSquare_action_chest (tower.squares, select.neighbourhood-actions)"""
    return turn_then_2(s)


def TowerSquare_action_vase_back(s: State) -> int:
    """TowerSquare_action_vase (tower.squares, select.neighbourhood-actions)"""
    return turn_then_2(s)


def move_supervisor_supervisor_to(s: State, q: int) -> int:
    """move_supervisor (supervisor.move-by-value)"""
    p: int = s.action_phase_p
    value: int = s.select_group_value
    n: int = ROAD_SQUARE_DISTANCE[s.supervisor * 29 + q] - value
    # free_steps (supervisor.adjust-cost)
    result: int = 0
    if s.built[p] & 4:
        result = 3
    # move_supervisor (supervisor.move-by-value)
    n_2: int = (n if n >= 0 else -n) - result
    s.gold[p] -= 0 if 0 > n_2 else n_2
    s.supervisor = q
    # send_goods (sending.automatic, supervisor.no-cube-ok, supervisor.end-on-centre)
    cubes: Ints = s.cubes
    s.send_goods_leaving = ROAD_SQUARE_FACES[q] & (cubes[0] | cubes[1] | cubes[2] | cubes[3])
    leaving: int = s.send_goods_leaving
    if leaving & (leaving - 1):
        if not leaving:
            raise no_option(4)
        s.opts = leaving
        s.pc = 13  # AT_SEND_GOODS_SEND_FIRST
        s.who = p
        return 0 if leaving & (leaving - 1) else FORCED
    s.send_goods_s_rest = leaving
    if leaving:
        s_: int = (leaving & -leaving).bit_length() - 1
        s.send_goods_s_rest = leaving & (leaving - 1)
        s.put_cube_in_shop_filled = s_  # send_from_s
        s.free_cards_back = 124  # send_from_back, AT_SEND_GOODS_BACK_2
        # send_from (sending.automatic)
        s.free_cards_p = 15  # send_from_q_rest
        return send_from_loop(s)
    return turn_then_2(s)


def send_goods_loop(s: State) -> int:
    """send_goods (sending.automatic, supervisor.no-cube-ok, supervisor.end-on-centre)"""
    p: int = s.action_phase_p
    leaving: int = s.send_goods_leaving
    if leaving & (leaving - 1):
        if not leaving:
            raise no_option(4)
        s.opts = leaving
        s.pc = 13  # AT_SEND_GOODS_SEND_FIRST
        s.who = p
        return 0 if leaving & (leaving - 1) else FORCED
    s.send_goods_s_rest = leaving
    if leaving:
        s_: int = (leaving & -leaving).bit_length() - 1
        s.send_goods_s_rest = leaving & (leaving - 1)
        s.put_cube_in_shop_filled = s_  # send_from_s
        s.free_cards_back = 124  # send_from_back, AT_SEND_GOODS_BACK_2
        # send_from (sending.automatic)
        s.free_cards_p = 15  # send_from_q_rest
        return send_from_loop(s)
    return turn_then_2(s)


def send_goods_send_first(s: State, s_: int) -> int:
    """send_goods (sending.automatic, supervisor.no-cube-ok, supervisor.end-on-centre)"""
    s.send_goods_s = s_
    s.put_cube_in_shop_filled = s_  # send_from_s
    s.free_cards_back = 121  # send_from_back, AT_SEND_GOODS_BACK
    # send_from (sending.automatic)
    s.free_cards_p = 15  # send_from_q_rest
    return send_from_loop(s)


def send_goods_back(s: State) -> int:
    """send_goods (sending.automatic, supervisor.no-cube-ok, supervisor.end-on-centre)"""
    leaving: int = s.send_goods_leaving
    s_: int = s.send_goods_s
    s.send_goods_leaving = leaving & ~BIT[s_]
    return 120  # AT_SEND_GOODS_LOOP


def send_goods_loop_2(s: State) -> int:
    """send_goods (sending.automatic, supervisor.no-cube-ok, supervisor.end-on-centre)"""
    s_rest: int = s.send_goods_s_rest
    if s_rest:
        s_: int = (s_rest & -s_rest).bit_length() - 1
        s.send_goods_s_rest = s_rest & (s_rest - 1)
        s.put_cube_in_shop_filled = s_  # send_from_s
        s.free_cards_back = 124  # send_from_back, AT_SEND_GOODS_BACK_2
        # send_from (sending.automatic)
        s.free_cards_p = 15  # send_from_q_rest
        return send_from_loop(s)
    return turn_then_2(s)


def send_goods_back_2(s: State) -> int:
    """send_goods (sending.automatic, supervisor.no-cube-ok, supervisor.end-on-centre)"""
    return 123  # AT_SEND_GOODS_LOOP_2


def turn_back_2(s: State) -> int:
    """turn (turn.select-then-build, card.own-turn-only)"""
    p: int = s.action_phase_p
    # construct_building (building.optional, building.one-per-turn)
    n: int = s.camels[p]
    n_2: int = s.gold[p]
    m: int = (
        (63 ^ s.built[p])
        & BUILDING_CAMELS_UP_TO[n if n < 5 else 5]
        & BUILDING_GOLD_UP_TO[n_2 if n_2 < 5 else 5]
    )
    if not m:
        s.construct_building_b = -1
        return 93  # AT_ACTION_PHASE_LOOP
    s.opts = m | 64
    s.pc = 1  # AT_CONSTRUCT_BUILDING_BUILD
    s.who = p
    return 0


def construct_building_build(s: State, b: int) -> int:
    """construct_building (building.optional, building.one-per-turn)"""
    p: int = s.action_phase_p
    if b == 6:
        s.construct_building_b = -1
        return action_phase_loop(s)
    s.camels[p] -= BUILDING_CAMELS[b]
    s.gold[p] -= BUILDING_GOLD[b]
    # put_up (building.cube-marker)
    s.built[p] |= BIT[b]
    n: int = size(s.built[p])
    points: int = item(LIST, n) if n <= 6 else 0
    s.score[p] += points
    s.breakdown_[p * 5 + 3] += points
    # construct_building (building.optional, building.one-per-turn)
    s.construct_building_b = b
    # turn (turn.select-then-build, card.own-turn-only)
    if b >= 0:
        if not s.hand[p]:
            return action_phase_loop(s)
        s.free_cards_p = p
        s.free_cards_back = 173  # AT_TURN_BACK_3
        return free_cards_loop(s)
    return action_phase_loop(s)


def turn_back_3(s: State) -> int:
    """turn (turn.select-then-build, card.own-turn-only)"""
    return 93  # AT_ACTION_PHASE_LOOP


def free_cards_loop(s: State) -> int:
    """free_cards (card.free-action, card.own-turn-only, card.unlimited)"""
    p: int = s.free_cards_p
    if s.hand[p]:
        m: int = s.hand[p] & 511
        if m & 4:
            n: int = s.gold[p]
            if not (63 ^ s.built[p]) & BUILDING_GOLD_UP_TO[n if n < 5 else 5]:
                m ^= 4
        if m & 8:
            n_2: int = s.camels[p]
            if not (63 ^ s.built[p]) & BUILDING_CAMELS_UP_TO[n_2 if n_2 < 5 else 5]:
                m ^= 8
        if m & 32:
            if not possible_put_cube_in_shop(s, p):
                m ^= 32
        if m & 64:
            n_3: int = s.gold[p]
            if 1 > n_3:
                m ^= 64
        if m & 128:
            n_4: int = s.camels[p]
            if 1 > n_4:
                m ^= 128
        if m & 256:
            if not (s.camels[p] > 0 or s.gold[p] > 0):
                m ^= 256
        s.opts = m | 512
        s.pc = 4  # AT_FREE_CARDS_PLAY_CARD
        s.who = p
        return 0
    if s.free_cards_back == 135:  # AT_SUPPLY_BACK
        # supply (supply.only-first-player)
        p_2: int = s.day_p
        n_5: int = s.gold[p_2]
        m_2: int = 15 & N_UP_TO[n_5 if n_5 < 4 else 4]
        if not m_2:
            raise no_option(0)
        s.opts = m_2
        s.pc = 15  # AT_SUPPLY_YELLOW_DICE
        s.who = p_2
        return 0 if m_2 & (m_2 - 1) else FORCED
    if s.free_cards_back == 167:  # AT_TURN_BACK
        return turn_back(s)
    if s.free_cards_back == 170:  # AT_TURN_BACK_2
        return turn_back_2(s)
    return 93  # AT_ACTION_PHASE_LOOP


def free_cards_play_card(s: State, c: int) -> int:
    """free_cards (card.free-action, card.own-turn-only, card.unlimited)"""
    p: int = s.free_cards_p
    if c == 9:
        if s.free_cards_back == 135:  # AT_SUPPLY_BACK
            return supply_back(s)
        if s.free_cards_back == 167:  # AT_TURN_BACK
            return turn_back(s)
        if s.free_cards_back == 170:  # AT_TURN_BACK_2
            return turn_back_2(s)
        return action_phase_loop(s)
    # discard_card (card.discarded)
    hand_now: int = s.hand[p]
    if not hand_now >> c & 1:
        raise empty_zone(3, c, p)
    piece: int = BIT[c]
    s.hand[p] = hand_now ^ (piece << 9 if hand_now & piece << 9 else piece)
    s.discard |= piece << 9 if s.discard & piece else piece
    # free_cards (card.free-action, card.own-turn-only, card.unlimited)
    if c == 0:
        # gain_camels (setup.general-stock)
        s.camels[p] += 3
        return free_cards_loop(s)
    if c == 1:
        # gain_gold (setup.general-stock)
        s.gold[p] += 3
        return free_cards_loop(s)
    if c == 2:
        # construct_for_gold (card.build-without-camels, card.build-one-each, card.build-not-part-b)
        n: int = s.gold[p]
        m: int = (63 ^ s.built[p]) & BUILDING_GOLD_UP_TO[n if n < 5 else 5]
        if not m:
            raise no_option(5)
        s.opts = m
        s.pc = 2  # AT_CONSTRUCT_FOR_GOLD_BUILD_FOR_GOLD
        s.who = p
        return 0 if m & (m - 1) else FORCED
    if c == 3:
        # construct_for_camels (card.build-without-gold, card.build-one-each, card.build-not-part-b)
        n_2: int = s.camels[p]
        m_2: int = (63 ^ s.built[p]) & BUILDING_CAMELS_UP_TO[n_2 if n_2 < 5 else 5]
        if not m_2:
            raise no_option(6)
        s.opts = m_2
        s.pc = 3  # AT_CONSTRUCT_FOR_CAMELS_BUILD_FOR_CAMELS
        s.who = p
        return 0 if m_2 & (m_2 - 1) else FORCED
    if c == 4:
        # CardKind_effect_cube_to_caravan (components.cards, card.cube-to-caravan, caravan.full-by-card)
        load_caravan(s, p)
        return free_cards_loop(s)
    if c == 5:
        # put_cube_in_shop (card.cube-to-shop)
        cubes: Ints = s.cubes
        filled_: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        s.put_cube_in_shop_filled = filled_
        foreign: int = (
            foreign_shops(s, p, 0)
            | foreign_shops(s, p, 1)
            | foreign_shops(s, p, 2)
            | foreign_shops(s, p, 3)
        )
        s.put_cube_in_shop_foreign = foreign
        waiting: int = (
            waiting_shops(s, p, 0)
            | waiting_shops(s, p, 1)
            | waiting_shops(s, p, 2)
            | waiting_shops(s, p, 3)
        )
        s.put_cube_in_shop_waiting = waiting
        m_3: int = 0x7FFFFFFFFFFF ^ (filled_ | foreign | waiting)
        if not m_3:
            raise no_option(7)
        s.opts = m_3
        s.pc = 10  # AT_PUT_CUBE_IN_SHOP_CUBE_TO_SHOP
        s.who = p
        return 0 if m_3 & (m_3 - 1) else FORCED
    if c == 6:
        # CardKind_effect_gold_for_points (components.cards, card.gold-for-points)
        s.CardKind_effect_gold_for_points_most = 10
        s.CardKind_effect_gold_for_points_points = 1
        # discard_gold (card.gold-for-points)
        n_3: int = s.gold[p]
        most_2: int = 10 if 10 < n_3 else n_3
        m_4: int = up_to(most_2)
        if not m_4:
            raise no_option(8)
        s.opts = m_4
        s.pc = 6  # AT_DISCARD_GOLD_GOLD_DISCARDED
        s.who = p
        return 0 if m_4 & (m_4 - 1) else FORCED
    if c == 7:
        # CardKind_effect_camels_for_points (components.cards, card.camels-for-points)
        s.CardKind_effect_camels_for_points_most = 4
        s.CardKind_effect_camels_for_points_points = 2
        # discard_camels (card.camels-for-points)
        n_4: int = s.camels[p]
        most_4: int = 4 if 4 < n_4 else n_4
        m_5: int = up_to(most_4)
        if not m_5:
            raise no_option(9)
        s.opts = m_5
        s.pc = 5  # AT_DISCARD_CAMELS_CAMELS_DISCARDED
        s.who = p
        return 0 if m_5 & (m_5 - 1) else FORCED
    if c == 8:
        # exchange_with_stock (card.exchange, card.exchange-direction)
        m_6: int = (3 if s.camels[p] else 2) & (3 if s.gold[p] else 1)
        if not m_6:
            raise no_option(10)
        s.opts = m_6
        s.pc = 7  # AT_EXCHANGE_WITH_STOCK_EXCHANGE
        s.who = p
        return 0 if m_6 & (m_6 - 1) else FORCED
    return free_cards_loop(s)


def construct_for_gold_build_for_gold(s: State, b: int) -> int:
    """construct_for_gold (card.build-without-camels, card.build-one-each, card.build-not-part-b)"""
    p: int = s.free_cards_p
    s.gold[p] -= BUILDING_GOLD[b]
    # put_up (building.cube-marker)
    s.built[p] |= BIT[b]
    n: int = size(s.built[p])
    points: int = item(LIST, n) if n <= 6 else 0
    s.score[p] += points
    s.breakdown_[p * 5 + 3] += points
    return free_cards_loop(s)


def construct_for_camels_build_for_camels(s: State, b: int) -> int:
    """construct_for_camels (card.build-without-gold, card.build-one-each, card.build-not-part-b)"""
    p: int = s.free_cards_p
    s.camels[p] -= BUILDING_CAMELS[b]
    # put_up (building.cube-marker)
    s.built[p] |= BIT[b]
    n: int = size(s.built[p])
    points: int = item(LIST, n) if n <= 6 else 0
    s.score[p] += points
    s.breakdown_[p * 5 + 3] += points
    return free_cards_loop(s)


def put_cube_in_shop_cube_to_shop(s: State, s_: int) -> int:
    """put_cube_in_shop (card.cube-to-shop)"""
    p: int = s.free_cards_p
    # place_one_cube (shops.one-cube)
    s.cubes[p] |= BIT[s_]
    return free_cards_loop(s)


def discard_gold_gold_discarded(s: State, v: int) -> int:
    """discard_gold (card.gold-for-points)"""
    p: int = s.free_cards_p
    points: int = s.CardKind_effect_gold_for_points_points
    n: int = v + 1
    s.gold[p] -= n
    points_2: int = points * n
    s.score[p] += points_2
    s.breakdown_[p * 5 + 4] += points_2
    return free_cards_loop(s)


def discard_camels_camels_discarded(s: State, v: int) -> int:
    """discard_camels (card.camels-for-points)"""
    p: int = s.free_cards_p
    points: int = s.CardKind_effect_camels_for_points_points
    n: int = v + 1
    s.camels[p] -= n
    points_2: int = points * n
    s.score[p] += points_2
    s.breakdown_[p * 5 + 4] += points_2
    return free_cards_loop(s)


def exchange_with_stock_exchange(s: State, exchange: int) -> int:
    """exchange_with_stock (card.exchange, card.exchange-direction)"""
    p: int = s.free_cards_p
    if exchange == 0:
        most: int = s.camels[p]
        m: int = up_to(most)
        if not m:
            raise no_option(11)
        s.opts = m
        s.pc = 8  # AT_EXCHANGE_WITH_STOCK_CAMELS_EXCHANGED
        s.who = p
        return 0 if m & (m - 1) else FORCED
    if exchange == 1:
        most_2: int = s.gold[p]
        m_2: int = up_to(most_2)
        if not m_2:
            raise no_option(12)
        s.opts = m_2
        s.pc = 9  # AT_EXCHANGE_WITH_STOCK_GOLD_EXCHANGED
        s.who = p
        return 0 if m_2 & (m_2 - 1) else FORCED
    return free_cards_loop(s)


def exchange_with_stock_camels_exchanged(s: State, v: int) -> int:
    """exchange_with_stock (card.exchange, card.exchange-direction)"""
    p: int = s.free_cards_p
    n: int = v + 1
    s.camels[p] -= n
    # gain_gold (setup.general-stock)
    s.gold[p] += n
    return free_cards_loop(s)


def exchange_with_stock_gold_exchanged(s: State, v: int) -> int:
    """exchange_with_stock (card.exchange, card.exchange-direction)"""
    p: int = s.free_cards_p
    n: int = v + 1
    s.gold[p] -= n
    # gain_camels (setup.general-stock)
    s.camels[p] += n
    return free_cards_loop(s)


def place_cubes_loop(s: State) -> int:
    """place_cubes (shops.must-place-all, shops.several-turns, shops.finish-and-start)"""
    p: int = s.free_cards_p  # supply_shops_p
    n: int = s.put_cube_in_shop_filled  # supply_shops_n
    i_next: int = s.put_cube_in_shop_waiting  # place_cubes_i_next
    i_last: int = s.CardKind_effect_gold_for_points_most  # place_cubes_i_last
    if i_next <= i_last:
        s.put_cube_in_shop_waiting = i_next + 1  # place_cubes_i_next
        cubes: Ints = s.cubes
        filled_: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
        s.CardKind_effect_gold_for_points_points = filled_  # place_cubes_filled
        # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
        cubes_now: int = cubes[p]
        others_cubes: int = filled_ ^ cubes_now
        found: int = 0
        # unfinished_shops (shops.finish-first)
        found_2: int = 0
        # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
        shops_of_: int
        for shops_of_ in SOUKS_IN_SHOPS_OF[n]:
            if shops_of_ & others_cubes:
                found = found | shops_of_
            # unfinished_shops (shops.finish-first)
            if shops_of_ & cubes_now and shops_of_ & ~cubes_now:
                found_2 = found_2 | shops_of_
        # place_cubes (shops.must-place-all, shops.several-turns, shops.finish-and-start)
        s.CardKind_effect_camels_for_points_most = found  # place_cubes_foreign
        # waiting_shops (shops.finish-first, shops.finish-first-local, shops.two-unfinished)
        waiting: int = 0 if not found_2 else SHOP_SOUK_NEIGHBOURHOOD_EQUAL[n] & ~found_2
        # place_cubes (shops.must-place-all, shops.several-turns, shops.finish-and-start)
        s.CardKind_effect_camels_for_points_points = waiting  # place_cubes_waiting
        m: int = SHOP_SOUK_NEIGHBOURHOOD_EQUAL[n] & ~(filled_ | found | waiting)
        if not m:
            # supply_shops (shops.per-die)
            if s.free_cards_back == 29:  # AT_TOWER_SQUARE_ACTION_SACK_BACK
                return turn_then_2(s)
            if s.free_cards_back == 30:  # AT_TOWER_SQUARE_ACTION_BARREL_BACK
                return turn_then_2(s)
            return turn_then_2(s)
        s.opts = m
        s.pc = 11  # AT_PLACE_CUBES_PLACE_CUBE
        s.who = p
        return 0 if m & (m - 1) else FORCED
    # supply_shops (shops.per-die)
    if s.free_cards_back == 29:  # AT_TOWER_SQUARE_ACTION_SACK_BACK
        return turn_then_2(s)
    if s.free_cards_back == 30:  # AT_TOWER_SQUARE_ACTION_BARREL_BACK
        return turn_then_2(s)
    return turn_then_2(s)


def place_cubes_place_cube(s: State, s_: int) -> int:
    """place_cubes (shops.must-place-all, shops.several-turns, shops.finish-and-start)"""
    p: int = s.free_cards_p  # supply_shops_p
    # place_one_cube (shops.one-cube)
    s.cubes[p] |= BIT[s_]
    return place_cubes_loop(s)


def send_from_loop(s: State) -> int:
    """send_from (sending.automatic)"""
    s_: int = s.put_cube_in_shop_filled  # send_from_s
    q_rest: int = s.free_cards_p  # send_from_q_rest
    if q_rest:
        q: int = (q_rest & -q_rest).bit_length() - 1
        s.put_cube_in_shop_foreign = q  # send_from_q
        s.free_cards_p = q_rest & (q_rest - 1)  # send_from_q_rest
        if s.cubes[q] >> s_ & 1:
            # send_good (sending.one-after-another, sending.camel-per-cube)
            if s.camels[q]:
                s.opts = 3
                s.pc = 14  # AT_SEND_GOOD_PROTECT
                s.who = q
                return 0
            s.cubes[q] &= ~BIT[s_]
            # load_caravan (caravan.load-order, caravan.load-points)
            caravan: Ints = s.caravan
            camel: int = first_of(0xFFF ^ (caravan[0] | caravan[1] | caravan[2] | caravan[3]), 13)
            caravan[q] |= BIT[camel]
            points: int = CARAVAN_CAMEL_POINTS[camel]
            s.score[q] += points
            s.breakdown_[q * 5 + 1] += points
            if size(s.caravan[0] | s.caravan[1] | s.caravan[2] | s.caravan[3]) == 12:
                count_caravan(s)
                s.caravan = ALL_0.copy()
            # send_good (sending.one-after-another, sending.camel-per-cube)
            if s.built[q] & 8:
                draw_card(s, q)
            return 125  # AT_SEND_FROM_LOOP
        return 125  # AT_SEND_FROM_LOOP
    if s.free_cards_back == 121:  # AT_SEND_GOODS_BACK
        # send_goods (sending.automatic, supervisor.no-cube-ok, supervisor.end-on-centre)
        leaving: int = s.send_goods_leaving
        s_2: int = s.send_goods_s
        s.send_goods_leaving = leaving & ~BIT[s_2]
        return 120  # AT_SEND_GOODS_LOOP
    return 123  # AT_SEND_GOODS_LOOP_2


def send_good_protect(s: State, protect: int) -> int:
    """send_good (sending.one-after-another, sending.camel-per-cube)"""
    s_: int = s.put_cube_in_shop_filled  # send_from_s
    q: int = s.put_cube_in_shop_foreign  # send_from_q
    if protect == 0:
        s.camels[q] -= 1
    elif protect == 1:
        s.cubes[q] &= ~BIT[s_]
    # load_caravan (caravan.load-order, caravan.load-points)
    caravan: Ints = s.caravan
    camel: int = first_of(0xFFF ^ (caravan[0] | caravan[1] | caravan[2] | caravan[3]), 13)
    caravan[q] |= BIT[camel]
    points: int = CARAVAN_CAMEL_POINTS[camel]
    s.score[q] += points
    s.breakdown_[q * 5 + 1] += points
    if size(s.caravan[0] | s.caravan[1] | s.caravan[2] | s.caravan[3]) == 12:
        count_caravan(s)
        s.caravan = ALL_0.copy()
    # send_good (sending.one-after-another, sending.camel-per-cube)
    if s.built[q] & 8:
        draw_card(s, q)
    return send_from_loop(s)


def load_caravan(s: State, p: int) -> None:
    """load_caravan (caravan.load-order, caravan.load-points)"""
    caravan: Ints = s.caravan
    camel: int = first_of(0xFFF ^ (caravan[0] | caravan[1] | caravan[2] | caravan[3]), 13)
    caravan[p] |= BIT[camel]
    points: int = CARAVAN_CAMEL_POINTS[camel]
    s.score[p] += points
    s.breakdown_[p * 5 + 1] += points
    if size(s.caravan[0] | s.caravan[1] | s.caravan[2] | s.caravan[3]) == 12:
        count_caravan(s)
        s.caravan = ALL_0.copy()


def count_caravan(s: State) -> None:
    """count_caravan (caravan.count-formula)"""
    caravan: Ints = s.caravan
    score: Ints = s.score
    breakdown_: Ints = s.breakdown_
    p: int
    for p in CLOCKWISE_FROM[s.first_]:
        none: bool = True
        max_: int = 0
        c: int
        for c in members(caravan[p]):
            n: int = CARAVAN_CAMEL_LINE[c]
            if none or n > max_:
                max_ = n
                none = False
        if none:
            max_ = 0
        points: int = size(caravan[p]) * max_
        score[p] += points
        breakdown_[p * 5 + 2] += points


def draw_card(s: State, p: int) -> None:
    """draw_card (takecard.hand)"""
    # refill_deck (deck.reshuffle)
    if not s.deck:
        s.deck = union(s.deck, s.discard, 9)
        s.discard = 0
    # draw_card (takecard.hand)
    deck_now: int = s.deck
    if deck_now:
        x: int = s.rng
        x = MULTIPLIER * (x & LOW) + (x >> 30)
        s.rng = x
        place: int = (x & LOW) * size(deck_now) >> 30
        among: list[int] = FEW[deck_now & 511]
        if place < len(among):
            kind: int = among[place]
        else:
            kind = FEW[deck_now >> 9][place - len(among)]
        piece: int = BIT[kind]
        s.deck = deck_now ^ (piece << 9 if deck_now & piece << 9 else piece)
        hand_now: int = s.hand[p]
        s.hand[p] = hand_now | (piece << 9 if hand_now & piece else piece)


def refresh(s: State) -> None:
    """Work out the pending decision's options again, from what is hidden now."""
    if s.pc == 18:  # AT_BOOST_BY_CARD_BOOST
        p: int = s.action_phase_p
        m: int = s.hand[p] & 511
        s.opts = m | 512
    if s.pc == 4:  # AT_FREE_CARDS_PLAY_CARD
        p_2: int = s.free_cards_p
        m_2: int = s.hand[p_2] & 511
        if m_2 & 4:
            n: int = s.gold[p_2]
            if not (63 ^ s.built[p_2]) & BUILDING_GOLD_UP_TO[n if n < 5 else 5]:
                m_2 ^= 4
        if m_2 & 8:
            n_2: int = s.camels[p_2]
            if not (63 ^ s.built[p_2]) & BUILDING_CAMELS_UP_TO[n_2 if n_2 < 5 else 5]:
                m_2 ^= 8
        if m_2 & 32:
            if not possible_put_cube_in_shop(s, p_2):
                m_2 ^= 32
        if m_2 & 64:
            n_3: int = s.gold[p_2]
            if 1 > n_3:
                m_2 ^= 64
        if m_2 & 128:
            n_4: int = s.camels[p_2]
            if 1 > n_4:
                m_2 ^= 128
        if m_2 & 256:
            if not (s.camels[p_2] > 0 or s.gold[p_2] > 0):
                m_2 ^= 256
        s.opts = m_2 | 512


def rank_keys(s: State) -> list[tuple[int, int]]:
    """For the final ranking: the participant, then the keys that rank it."""
    rows: list[tuple[int, int]] = []
    score: Ints = s.score
    p: int
    for p in (0, 1, 2, 3):
        rows.append((p, score[p]))
    return rows


def heuristic(s: State, p: int) -> int:
    """How good the position looks for a player."""
    none: bool = True
    max_: int = 0
    c: int
    for c in members(s.caravan[p]):
        n: int = CARAVAN_CAMEL_LINE[c]
        if none or n > max_:
            max_ = n
            none = False
    if none:
        max_ = 0
    # goods_outlook
    mine: int = s.cubes[p]
    sum_: int = 0
    if not mine:
        goods_outlook_now: int = 0
    else:
        k: int
        for k in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13):
            if SHOPS_OF[k] & mine:
                there: int = size(SHOPS_OF[k] & mine)
                missing: int = size(SHOPS_OF[k]) - there
                if missing == 0:
                    # souk_points (week.souks-scored)
                    result: int = SOUK_POINTS_BASE[k]
                    if s.built[p] & 16:
                        result = result + 2
                    # goods_outlook
                    sum_ = sum_ + times(18 if s.day_marker < 7 else 20, result)
                elif s.day_marker < 7:
                    # souk_points (week.souks-scored)
                    result_2: int = SOUK_POINTS_BASE[k]
                    if s.built[p] & 16:
                        result_2 = result_2 + 2
                    # goods_outlook
                    sum_ = sum_ + times(10 * result_2, there) // (there + missing)
                else:
                    # souk_points (week.souks-scored)
                    result_3: int = SOUK_POINTS_BASE[k]
                    if s.built[p] & 16:
                        result_3 = result_3 + 2
                    # goods_outlook
                    sum_ = sum_ + times(8 * result_3, there) // ((there + missing) * missing)
        goods_outlook_now = sum_
    # building_outlook
    n_2: int = (3 - s.week_marker) * 7 + 7 - s.day_marker
    left: int = n_2 if n_2 < 12 else 12
    soon: int = left if left < 5 else 5
    built_now: int = s.built[p]
    n_3: int = size(built_now)
    n_4: int = (n_3 if n_3 < 2 else 2) - 1
    n_5: int = (n_3 if n_3 < 5 else 5) - 2
    n_6: int = n_3 - 5
    sum_2: int = (
        7 * left * (n_3 if n_3 < 1 else 1)
        + 20 * soon * (0 if 0 > n_4 else n_4)
        + 4 * soon * (0 if 0 > n_5 else n_5)
        - 12 * soon * (0 if 0 > n_6 else n_6)
    )
    if built_now & 32:
        sum_2 = sum_2 + (10 + 9 * left)
    if built_now & 16:
        sum_2 = sum_2 + 5 * left
    if built_now & 2:
        sum_2 = sum_2 + 3 * left
    if built_now & 8:
        sum_2 = sum_2 + 3 * left
    # stock_outlook
    n_7: int = 9 + 3 * n_2
    of_camel: int = 24 if 24 < n_7 else n_7
    n_8: int = 2 + 4 * n_2
    of_gold: int = 20 if 20 < n_8 else n_8
    n_9: int = 14 + 12 * n_2
    of_card: int = 42 if 42 < n_9 else n_9
    n_10: int = s.camels[p]
    n_11: int = s.gold[p]
    n_13: int = (n_10 if n_10 < 14 else 14) - 8
    n_15: int = (n_11 if n_11 < 14 else 14) - 8
    stock_outlook_now: int = (
        of_camel * (n_10 if n_10 < 8 else 8)
        + of_gold * (n_11 if n_11 < 8 else 8)
        + 9 * (0 if 0 > n_13 else n_13)
        + 9 * (0 if 0 > n_15 else n_15)
        + of_card * size(s.hand[p])
    )
    caravan_now: int = s.caravan[p]
    return (
        20 * s.score[p]
        + goods_outlook_now
        + (20 * (size(caravan_now) * max_) * (4 - s.week_marker) + 8 * size(caravan_now))
        + sum_2
        + stock_outlook_now
    )


def possible_put_cube_in_shop(s: State, p: int) -> bool:
    """possible_put_cube_in_shop (card.cube-to-shop)"""
    cubes: Ints = s.cubes
    filled_: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
    # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
    cubes_now: int = cubes[p]
    others_cubes: int = filled_ ^ cubes_now
    found: int = 0
    found_2: int = 0
    found_3: int = 0
    found_4: int = 0
    # unfinished_shops (shops.finish-first)
    found_5: int = 0
    # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
    shops_of_: int
    for shops_of_ in SOUKS_IN_SHOPS_OF[0]:
        if shops_of_ & others_cubes:
            found = found | shops_of_
        # unfinished_shops (shops.finish-first)
        if shops_of_ & cubes_now and shops_of_ & ~cubes_now:
            found_5 = found_5 | shops_of_
    # waiting_shops (shops.finish-first, shops.finish-first-local, shops.two-unfinished)
    waiting_shops_now: int = 0 if not found_5 else SHOP_SOUK_NEIGHBOURHOOD_EQUAL[0] & ~found_5
    # unfinished_shops (shops.finish-first)
    found_6: int = 0
    # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
    shops_of_2: int
    for shops_of_2 in SOUKS_IN_SHOPS_OF[1]:
        if shops_of_2 & others_cubes:
            found_2 = found_2 | shops_of_2
        # unfinished_shops (shops.finish-first)
        if shops_of_2 & cubes_now and shops_of_2 & ~cubes_now:
            found_6 = found_6 | shops_of_2
    # waiting_shops (shops.finish-first, shops.finish-first-local, shops.two-unfinished)
    waiting_shops_now_2: int = 0 if not found_6 else SHOP_SOUK_NEIGHBOURHOOD_EQUAL[1] & ~found_6
    # unfinished_shops (shops.finish-first)
    found_7: int = 0
    # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
    shops_of_3: int
    for shops_of_3 in SOUKS_IN_SHOPS_OF[2]:
        if shops_of_3 & others_cubes:
            found_3 = found_3 | shops_of_3
        # unfinished_shops (shops.finish-first)
        if shops_of_3 & cubes_now and shops_of_3 & ~cubes_now:
            found_7 = found_7 | shops_of_3
    # waiting_shops (shops.finish-first, shops.finish-first-local, shops.two-unfinished)
    waiting_shops_now_3: int = 0 if not found_7 else SHOP_SOUK_NEIGHBOURHOOD_EQUAL[2] & ~found_7
    # unfinished_shops (shops.finish-first)
    found_8: int = 0
    # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
    shops_of_4: int
    for shops_of_4 in SOUKS_IN_SHOPS_OF[3]:
        if shops_of_4 & others_cubes:
            found_4 = found_4 | shops_of_4
        # unfinished_shops (shops.finish-first)
        if shops_of_4 & cubes_now and shops_of_4 & ~cubes_now:
            found_8 = found_8 | shops_of_4
    # possible_put_cube_in_shop (card.cube-to-shop)
    foreign: int = found | found_2 | found_3 | found_4
    # waiting_shops (shops.finish-first, shops.finish-first-local, shops.two-unfinished)
    waiting_shops_now_4: int = 0 if not found_8 else SHOP_SOUK_NEIGHBOURHOOD_EQUAL[3] & ~found_8
    # possible_put_cube_in_shop (card.cube-to-shop)
    waiting: int = (
        waiting_shops_now | waiting_shops_now_2 | waiting_shops_now_3 | waiting_shops_now_4
    )
    return (0x7FFFFFFFFFFF ^ filled_) & (
        (0x7FFFFFFFFFFF ^ foreign) & (0x7FFFFFFFFFFF ^ waiting)
    ) != 0


def foreign_shops(s: State, p: int, n: int) -> int:
    """foreign_shops (shops.no-foreign-souk, shops.souk-freed)"""
    cubes: Ints = s.cubes
    others_cubes: int = (cubes[0] | cubes[1] | cubes[2] | cubes[3]) ^ cubes[p]
    found: int = 0
    shops_of_: int
    for shops_of_ in SOUKS_IN_SHOPS_OF[n]:
        if shops_of_ & others_cubes:
            found = found | shops_of_
    return found


def waiting_shops(s: State, p: int, n: int) -> int:
    """waiting_shops (shops.finish-first, shops.finish-first-local, shops.two-unfinished)"""
    # unfinished_shops (shops.finish-first)
    cubes_here: int = s.cubes[p]
    found: int = 0
    shops_of_: int
    for shops_of_ in SOUKS_IN_SHOPS_OF[n]:
        if shops_of_ & cubes_here and shops_of_ & ~cubes_here:
            found = found | shops_of_
    # waiting_shops (shops.finish-first, shops.finish-first-local, shops.two-unfinished)
    if not found:
        return 0
    return SHOP_SOUK_NEIGHBOURHOOD_EQUAL[n] & ~found


def possible_supply_shops(s: State, p: int, n: int, dice: int) -> bool:
    """possible_supply_shops (shops.per-die)"""
    # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
    cubes: Ints = s.cubes
    here: int = cubes[0] | cubes[1] | cubes[2] | cubes[3]
    cubes_now: int = cubes[p]
    others_cubes: int = here ^ cubes_now
    found: int = 0
    # unfinished_shops (shops.finish-first)
    found_2: int = 0
    # foreign_shops (shops.no-foreign-souk, shops.souk-freed)
    shops_of_: int
    for shops_of_ in SOUKS_IN_SHOPS_OF[n]:
        if shops_of_ & others_cubes:
            found = found | shops_of_
        # unfinished_shops (shops.finish-first)
        if shops_of_ & cubes_now and shops_of_ & ~cubes_now:
            found_2 = found_2 | shops_of_
    # waiting_shops (shops.finish-first, shops.finish-first-local, shops.two-unfinished)
    waiting_shops_now: int = 0 if not found_2 else SHOP_SOUK_NEIGHBOURHOOD_EQUAL[n] & ~found_2
    # possible_supply_shops (shops.per-die)
    if not SHOP_SOUK_NEIGHBOURHOOD_EQUAL[n] & ~(here | found | waiting_shops_now):
        return False
    return True


def lost_decision(s: State, v: int) -> int:
    raise lost(s.pc)


def lost_point(s: State) -> int:
    raise lost(-1)


# what goes on after each decision, and at each other point, by number
# fmt: off
DECISIONS: Final = [
    lost_decision, construct_building_build, construct_for_gold_build_for_gold,
    construct_for_camels_build_for_camels, free_cards_play_card,
    discard_camels_camels_discarded, discard_gold_gold_discarded,
    exchange_with_stock_exchange, exchange_with_stock_camels_exchanged,
    exchange_with_stock_gold_exchanged, put_cube_in_shop_cube_to_shop, place_cubes_place_cube,
    move_supervisor_supervisor_to, send_goods_send_first, send_good_protect,
    supply_yellow_dice, select_group_take_group, carry_out_dice_action, boost_by_card_boost,
]
POINTS: Final = [
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, TowerSquare_action_sack_back, TowerSquare_action_barrel_back,
    TowerSquare_action_chest_back, TowerSquare_action_vase_back, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, free_cards_loop,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, play_loop, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, action_phase_loop, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, place_cubes_loop, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, send_goods_loop, send_goods_back, lost_point, send_goods_loop_2,
    send_goods_back_2, send_from_loop, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, supply_back, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, turn_back, lost_point, lost_point, turn_back_2, lost_point,
    lost_point, turn_back_3,
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
        1,
        0,
        [],
        0,
        [0] * 4,
        [0] * 4,
        [0] * 4,
        [0] * 4,
        [0] * 4,
        [0] * 6,
        [0] * 6,
        [0] * 6,
        [0] * 6,
        [0] * 6,
        [0] * 4,
        [0] * 20,
        262143,
        [0] * 4,
        [0] * 4,
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
        0,
        0,
        0,
        [],
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
AT_CONSTRUCT_BUILDING_BUILD: Final = 1
AT_CONSTRUCT_FOR_GOLD_BUILD_FOR_GOLD: Final = 2
AT_CONSTRUCT_FOR_CAMELS_BUILD_FOR_CAMELS: Final = 3
AT_FREE_CARDS_PLAY_CARD: Final = 4
AT_DISCARD_CAMELS_CAMELS_DISCARDED: Final = 5
AT_DISCARD_GOLD_GOLD_DISCARDED: Final = 6
AT_EXCHANGE_WITH_STOCK_EXCHANGE: Final = 7
AT_EXCHANGE_WITH_STOCK_CAMELS_EXCHANGED: Final = 8
AT_EXCHANGE_WITH_STOCK_GOLD_EXCHANGED: Final = 9
AT_PUT_CUBE_IN_SHOP_CUBE_TO_SHOP: Final = 10
AT_PLACE_CUBES_PLACE_CUBE: Final = 11
AT_MOVE_SUPERVISOR_SUPERVISOR_TO: Final = 12
AT_SEND_GOODS_SEND_FIRST: Final = 13
AT_SEND_GOOD_PROTECT: Final = 14
AT_SUPPLY_YELLOW_DICE: Final = 15
AT_SELECT_GROUP_TAKE_GROUP: Final = 16
AT_CARRY_OUT_DICE_ACTION: Final = 17
AT_BOOST_BY_CARD_BOOST: Final = 18
AT_TOWER_SQUARE_ACTION_SACK_BACK: Final = 29
AT_TOWER_SQUARE_ACTION_BARREL_BACK: Final = 30
AT_TOWER_SQUARE_ACTION_CHEST_BACK: Final = 31
AT_TOWER_SQUARE_ACTION_VASE_BACK: Final = 32
AT_PLAY_LOOP: Final = 80
AT_ACTION_PHASE_LOOP: Final = 93
AT_SEND_GOODS_LOOP: Final = 120
AT_SEND_GOODS_BACK: Final = 121
AT_SEND_GOODS_LOOP_2: Final = 123
AT_SEND_GOODS_BACK_2: Final = 124
AT_SEND_FROM_LOOP: Final = 125
AT_SUPPLY_BACK: Final = 135
AT_TURN_BACK: Final = 167
AT_TURN_BACK_2: Final = 170
AT_TURN_BACK_3: Final = 173
# fmt: on


# ---------------------------------------------------------------- tables
# fmt: off
N_UP_TO: Final[Ints] = ints([1, 3, 7, 15, 15])
ROAD_SQUARE_DISTANCE_FROM: Final[Ints] = ints([
    536870911, 536870910, 532412412, 523495416, 505661424, 469993440, 402851776, 268568448,
    1792, 1536, 1024, 0, 0, 0, 0, 0, 0, 0, 0, 536870911, 536870909, 536870904, 532412400,
    523495392, 505661376, 469993344, 402851584, 268568064, 1024, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    536870911, 536870907, 536870897, 536870880, 532412352, 523495296, 505661184, 469992960,
    402850816, 268566528, 0, 0, 0, 0, 0, 0, 0, 0, 0, 536870911, 536870903, 536870883,
    536870849, 536870784, 532412160, 523494912, 505660416, 469991424, 402849792, 268566528, 0,
    0, 0, 0, 0, 0, 0, 0, 536870911, 536870895, 536870855, 536870787, 536870657, 536870400,
    532411392, 523493376, 505659392, 469991424, 402849792, 268566528, 0, 0, 0, 0, 0, 0, 0,
    536870911, 536870879, 536870799, 536870663, 536870403, 536869889, 536868864, 532410368,
    523493376, 505659392, 469991424, 402849792, 268566528, 0, 0, 0, 0, 0, 0, 536870911,
    536870847, 536870687, 536870415, 536869895, 536868867, 536868865, 536868864, 532410368,
    523493376, 505659392, 469991424, 402849792, 268566528, 0, 0, 0, 0, 0, 536870911,
    536870783, 536870463, 536869919, 536868879, 536868871, 536868867, 536868865, 536868864,
    532410368, 523493376, 505659392, 469991424, 402849792, 268566528, 0, 0, 0, 0, 536870911,
    536870655, 536870015, 536868927, 536868895, 536868879, 536868871, 536868867, 536868865,
    536868864, 532410368, 523493376, 505659392, 469991424, 402849792, 268566528, 0, 0, 0,
    536870911, 536870399, 536869119, 536868991, 536868927, 536868895, 536868879, 536868871,
    536868867, 536868865, 536868864, 532410368, 523493376, 505659392, 469991424, 402849792,
    268566528, 0, 0, 536870911, 536869887, 536869375, 536869119, 536868991, 536868927,
    536868895, 536868879, 536868871, 536868867, 536868865, 536868864, 532410368, 523493376,
    505659392, 469991424, 402849792, 268566528, 0, 536870911, 536868863, 536864766, 532400124,
    523470840, 505612272, 469895136, 402655168, 268437376, 1792, 1536, 1024, 0, 0, 0, 0, 0, 0,
    0, 536870911, 536866815, 536856575, 536840190, 532350972, 523372536, 505415664, 469764064,
    402655168, 268437376, 1792, 1536, 1024, 0, 0, 0, 0, 0, 0, 536870911, 536862719, 536842239,
    536807423, 536741886, 532154364, 523241464, 505415664, 469764064, 402655168, 268437376,
    1792, 1536, 1024, 0, 0, 0, 0, 0, 536870911, 536854527, 536813567, 536743935, 536610815,
    536610814, 532154364, 523241464, 505415664, 469764064, 402655168, 268437376, 1792, 1536,
    1024, 0, 0, 0, 0, 536870911, 536838143, 536756223, 536616959, 536612863, 536610815,
    536610814, 532154364, 523241464, 505415664, 469764064, 402655168, 268437376, 1792, 1536,
    1024, 0, 0, 0, 536870911, 536805375, 536641535, 536625151, 536616959, 536612863,
    536610815, 536610814, 532154364, 523241464, 505415664, 469764064, 402655168, 268437376,
    1792, 1536, 1024, 0, 0, 536870911, 536739839, 536674303, 536641535, 536625151, 536616959,
    536612863, 536610815, 536610814, 532154364, 523241464, 505415664, 469764064, 402655168,
    268437376, 1792, 1536, 1024, 0, 536870911, 536608767, 536084478, 530839548, 520349688,
    503564272, 469993440, 402851776, 268568448, 1792, 1536, 1024, 0, 0, 0, 0, 0, 0, 0,
    536870911, 536346623, 535035903, 532938750, 528742396, 520349688, 503564272, 469993440,
    402851776, 268568448, 1792, 1536, 1024, 0, 0, 0, 0, 0, 0, 536870911, 535822335, 533200895,
    532938751, 532938750, 528742396, 520349688, 503564272, 469993440, 402851776, 268568448,
    1792, 1536, 1024, 0, 0, 0, 0, 0, 536870911, 534773759, 533725183, 533200895, 532938751,
    532938750, 528742396, 520349688, 503564272, 469993440, 402851776, 268568448, 1792, 1536,
    1024, 0, 0, 0, 0, 536870911, 532676607, 524287998, 507246588, 473163768, 404998128,
    268666848, 198592, 132992, 1792, 1536, 1024, 0, 0, 0, 0, 0, 0, 0, 536870911, 528482303,
    507510783, 473956350, 406583292, 271837176, 2344944, 231392, 198592, 132992, 1792, 1536,
    1024, 0, 0, 0, 0, 0, 0, 536870911, 520093695, 478150655, 406847487, 272629758, 3930108,
    3401720, 2344944, 231392, 198592, 132992, 1792, 1536, 1024, 0, 0, 0, 0, 0, 536870911,
    503316479, 419430399, 276824063, 4194303, 4194302, 3930108, 3401720, 2344944, 231392,
    198592, 132992, 1792, 1536, 1024, 0, 0, 0, 0, 536870911, 469762047, 301989887, 16777215,
    8388607, 4194303, 4194302, 3930108, 3401720, 2344944, 231392, 198592, 132992, 1792, 1536,
    1024, 0, 0, 0, 536870911, 402653183, 67108863, 33554431, 16777215, 8388607, 4194303,
    4194302, 3930108, 3401720, 2344944, 231392, 198592, 132992, 1792, 1536, 1024, 0, 0,
    536870911, 268435455, 134217727, 67108863, 33554431, 16777215, 8388607, 4194303, 4194302,
    3930108, 3401720, 2344944, 231392, 198592, 132992, 1792, 1536, 1024, 0,
])
ROAD_SQUARE_DISTANCE_UP_TO: Final[Ints] = ints([
    0, 1, 4458499, 13375495, 31209487, 66877471, 134019135, 268302463, 536869119, 536869375,
    536869887, 536870911, 536870911, 536870911, 536870911, 536870911, 536870911, 536870911,
    536870911, 536870911, 0, 2, 7, 4458511, 13375519, 31209535, 66877567, 134019327,
    268302847, 536869887, 536870911, 536870911, 536870911, 536870911, 536870911, 536870911,
    536870911, 536870911, 536870911, 536870911, 0, 4, 14, 31, 4458559, 13375615, 31209727,
    66877951, 134020095, 268304383, 536870911, 536870911, 536870911, 536870911, 536870911,
    536870911, 536870911, 536870911, 536870911, 536870911, 0, 8, 28, 62, 127, 4458751,
    13375999, 31210495, 66879487, 134021119, 268304383, 536870911, 536870911, 536870911,
    536870911, 536870911, 536870911, 536870911, 536870911, 536870911, 0, 16, 56, 124, 254,
    511, 4459519, 13377535, 31211519, 66879487, 134021119, 268304383, 536870911, 536870911,
    536870911, 536870911, 536870911, 536870911, 536870911, 536870911, 0, 32, 112, 248, 508,
    1022, 2047, 4460543, 13377535, 31211519, 66879487, 134021119, 268304383, 536870911,
    536870911, 536870911, 536870911, 536870911, 536870911, 536870911, 0, 64, 224, 496, 1016,
    2044, 2046, 2047, 4460543, 13377535, 31211519, 66879487, 134021119, 268304383, 536870911,
    536870911, 536870911, 536870911, 536870911, 536870911, 0, 128, 448, 992, 2032, 2040, 2044,
    2046, 2047, 4460543, 13377535, 31211519, 66879487, 134021119, 268304383, 536870911,
    536870911, 536870911, 536870911, 536870911, 0, 256, 896, 1984, 2016, 2032, 2040, 2044,
    2046, 2047, 4460543, 13377535, 31211519, 66879487, 134021119, 268304383, 536870911,
    536870911, 536870911, 536870911, 0, 512, 1792, 1920, 1984, 2016, 2032, 2040, 2044, 2046,
    2047, 4460543, 13377535, 31211519, 66879487, 134021119, 268304383, 536870911, 536870911,
    536870911, 0, 1024, 1536, 1792, 1920, 1984, 2016, 2032, 2040, 2044, 2046, 2047, 4460543,
    13377535, 31211519, 66879487, 134021119, 268304383, 536870911, 536870911, 0, 2048, 6145,
    4470787, 13400071, 31258639, 66975775, 134215743, 268433535, 536869119, 536869375,
    536869887, 536870911, 536870911, 536870911, 536870911, 536870911, 536870911, 536870911,
    536870911, 0, 4096, 14336, 30721, 4519939, 13498375, 31455247, 67106847, 134215743,
    268433535, 536869119, 536869375, 536869887, 536870911, 536870911, 536870911, 536870911,
    536870911, 536870911, 536870911, 0, 8192, 28672, 63488, 129025, 4716547, 13629447,
    31455247, 67106847, 134215743, 268433535, 536869119, 536869375, 536869887, 536870911,
    536870911, 536870911, 536870911, 536870911, 536870911, 0, 16384, 57344, 126976, 260096,
    260097, 4716547, 13629447, 31455247, 67106847, 134215743, 268433535, 536869119, 536869375,
    536869887, 536870911, 536870911, 536870911, 536870911, 536870911, 0, 32768, 114688,
    253952, 258048, 260096, 260097, 4716547, 13629447, 31455247, 67106847, 134215743,
    268433535, 536869119, 536869375, 536869887, 536870911, 536870911, 536870911, 536870911, 0,
    65536, 229376, 245760, 253952, 258048, 260096, 260097, 4716547, 13629447, 31455247,
    67106847, 134215743, 268433535, 536869119, 536869375, 536869887, 536870911, 536870911,
    536870911, 0, 131072, 196608, 229376, 245760, 253952, 258048, 260096, 260097, 4716547,
    13629447, 31455247, 67106847, 134215743, 268433535, 536869119, 536869375, 536869887,
    536870911, 536870911, 0, 262144, 786433, 6031363, 16521223, 33306639, 66877471, 134019135,
    268302463, 536869119, 536869375, 536869887, 536870911, 536870911, 536870911, 536870911,
    536870911, 536870911, 536870911, 536870911, 0, 524288, 1835008, 3932161, 8128515,
    16521223, 33306639, 66877471, 134019135, 268302463, 536869119, 536869375, 536869887,
    536870911, 536870911, 536870911, 536870911, 536870911, 536870911, 536870911, 0, 1048576,
    3670016, 3932160, 3932161, 8128515, 16521223, 33306639, 66877471, 134019135, 268302463,
    536869119, 536869375, 536869887, 536870911, 536870911, 536870911, 536870911, 536870911,
    536870911, 0, 2097152, 3145728, 3670016, 3932160, 3932161, 8128515, 16521223, 33306639,
    66877471, 134019135, 268302463, 536869119, 536869375, 536869887, 536870911, 536870911,
    536870911, 536870911, 536870911, 0, 4194304, 12582913, 29624323, 63707143, 131872783,
    268204063, 536672319, 536737919, 536869119, 536869375, 536869887, 536870911, 536870911,
    536870911, 536870911, 536870911, 536870911, 536870911, 536870911, 0, 8388608, 29360128,
    62914561, 130287619, 265033735, 534525967, 536639519, 536672319, 536737919, 536869119,
    536869375, 536869887, 536870911, 536870911, 536870911, 536870911, 536870911, 536870911,
    536870911, 0, 16777216, 58720256, 130023424, 264241153, 532940803, 533469191, 534525967,
    536639519, 536672319, 536737919, 536869119, 536869375, 536869887, 536870911, 536870911,
    536870911, 536870911, 536870911, 536870911, 0, 33554432, 117440512, 260046848, 532676608,
    532676609, 532940803, 533469191, 534525967, 536639519, 536672319, 536737919, 536869119,
    536869375, 536869887, 536870911, 536870911, 536870911, 536870911, 536870911, 0, 67108864,
    234881024, 520093696, 528482304, 532676608, 532676609, 532940803, 533469191, 534525967,
    536639519, 536672319, 536737919, 536869119, 536869375, 536869887, 536870911, 536870911,
    536870911, 536870911, 0, 134217728, 469762048, 503316480, 520093696, 528482304, 532676608,
    532676609, 532940803, 533469191, 534525967, 536639519, 536672319, 536737919, 536869119,
    536869375, 536869887, 536870911, 536870911, 536870911, 0, 268435456, 402653184, 469762048,
    503316480, 520093696, 528482304, 532676608, 532676609, 532940803, 533469191, 534525967,
    536639519, 536672319, 536737919, 536869119, 536869375, 536869887, 536870911, 536870911,
])
ROAD_SQUARE_DISTANCE: Final[Ints] = ints([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5, 6, 7, 8, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7, 8, 2, 1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 9, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 3, 2, 1,
    0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 4, 3, 2,
    1, 0, 1, 2, 3, 4, 5, 6, 5, 6, 7, 8, 9, 10, 11, 5, 6, 7, 8, 5, 6, 7, 8, 9, 10, 11, 5, 4, 3,
    2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 6, 7, 8, 9, 6, 7, 8, 9, 10, 11, 12, 6, 5,
    4, 3, 2, 1, 0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 7, 8, 9, 10, 7, 8, 9, 10, 11, 12, 13,
    7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 8, 9, 10, 11, 8, 9, 10, 11, 12,
    13, 14, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 9, 10, 11, 12, 13, 14, 15, 9, 10, 11, 12, 9, 10,
    11, 12, 13, 14, 15, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 10, 11, 12, 13, 14, 15, 16, 10, 11,
    12, 13, 10, 11, 12, 13, 14, 15, 16, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11, 12, 13, 14, 15,
    16, 17, 11, 12, 13, 14, 11, 12, 13, 14, 15, 16, 17, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0,
    1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7, 8, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1,
    0, 1, 2, 3, 4, 5, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 2,
    1, 0, 1, 2, 3, 4, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    3, 2, 1, 0, 1, 2, 3, 5, 6, 7, 8, 5, 6, 7, 8, 9, 10, 11, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    15, 4, 3, 2, 1, 0, 1, 2, 6, 7, 8, 9, 6, 7, 8, 9, 10, 11, 12, 6, 7, 8, 9, 10, 11, 12, 13,
    14, 15, 16, 5, 4, 3, 2, 1, 0, 1, 7, 8, 9, 10, 7, 8, 9, 10, 11, 12, 13, 7, 8, 9, 10, 11,
    12, 13, 14, 15, 16, 17, 6, 5, 4, 3, 2, 1, 0, 8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 1, 2,
    3, 4, 5, 6, 7, 8, 9, 10, 11, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 2, 3, 4, 5, 6, 7, 8, 2, 3,
    4, 5, 6, 7, 8, 9, 10, 11, 12, 3, 4, 5, 6, 7, 8, 9, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 4,
    5, 6, 7, 8, 9, 10, 11, 12, 13, 4, 5, 6, 7, 8, 9, 10, 2, 1, 0, 1, 4, 5, 6, 7, 8, 9, 10, 4,
    5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 5, 6, 7, 8, 9, 10, 11, 3, 2, 1, 0, 5, 6, 7, 8, 9, 10,
    11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2, 3, 4, 5, 6, 7, 8, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
    6, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3, 4, 5, 6, 7, 8, 9, 3, 4, 5, 6, 1, 0, 1, 2, 3, 4,
    5, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 4, 5, 6, 7, 8, 9, 10, 4, 5, 6, 7, 2, 1, 0, 1, 2,
    3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 5, 6, 7, 8, 9, 10, 11, 5, 6, 7, 8, 3, 2, 1, 0,
    1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 6, 7, 8, 9, 10, 11, 12, 6, 7, 8, 9, 4, 3,
    2, 1, 0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 7, 8, 9, 10, 11, 12, 13, 7, 8, 9,
    10, 5, 4, 3, 2, 1, 0, 1, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 8, 9, 10, 11, 12, 13,
    14, 8, 9, 10, 11, 6, 5, 4, 3, 2, 1, 0,
])
ROAD_SQUARE_FACES: Final[Ints] = ints([
    0, 4096, 68719476736, 2048, 34359738368, 128, 17179869184, 64, 8589934592, 1, 4294967296,
    2199023517696, 524288, 17592186044416, 1048576, 35184372088832, 2097152, 70368744177664,
    2199023255552, 137438953472, 4398046511104, 274877906944, 266240, 8192, 16777216, 16384,
    268435456, 32768, 134217728,
])
BUILDING_CAMELS_UP_TO: Final[Ints] = ints([0, 0, 7, 15, 63, 63])
BUILDING_GOLD_UP_TO: Final[Ints] = ints([1, 1, 7, 15, 63, 63])
BUILDING_CAMELS: Final[Ints] = ints([2, 2, 2, 3, 4, 4])
BUILDING_GOLD: Final[Ints] = ints([0, 2, 2, 3, 4, 4])
LIST: Final[list[int]] = [0, 0, 5, 5, 5, 10]
SHOP_SOUK_NEIGHBOURHOOD_EQUAL: Final[Ints] = ints([262143, 4294705152, 2194728288256, 138538465099776])
CARAVAN_CAMEL_POINTS: Final[Ints] = ints([2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0])
ALL_0: Final[Ints] = ints([0, 0, 0, 0])
CLOCKWISE_FROM: Final[list[list[int]]] = [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
CARAVAN_CAMEL_LINE: Final[Ints] = ints([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
ALL_2: Final[Ints] = ints([2, 2, 2, 2])
ALL_0_2: Final[Ints] = ints([0, 0, 0, 0, 0, 0])
TOWER_SQUARE_ABOVE: Final[Ints] = ints([1, 2, 3, 4, 5, 5])
SHOPS_OF: Final[Ints] = ints([
    63, 1984, 14336, 245760, 786432, 15728640, 117440512, 4160749568, 30064771072,
    103079215104, 2061584302080, 2199023255552, 13194139533312, 123145302310912,
])
SOUKS_IN: Final[Ints] = ints([15, 240, 1792, 14336])
SOUKS_IN_SHOPS_OF: Final[list[Ints]] = int_rows([
    [63, 1984, 14336, 245760], [786432, 15728640, 117440512, 4160749568], [30064771072,
    103079215104, 2061584302080], [2199023255552, 13194139533312, 123145302310912],
])
SOUK_POINTS_BASE: Final[Ints] = ints([8, 6, 3, 4, 3, 6, 4, 8, 6, 4, 8, 4, 6, 12])

# the first action of each decision, by its number
OFFSET: Final[list[int]] = [
    0, 0, 7, 13, 19, 29, 49, 69, 71, 571, 1071, 1118, 1165, 1194, 1241, 1243, 1247, 1253,
    1256, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0,
]
# fmt: on
# whoever plays a whole game stops after so many decisions: then it has no end
MOST: Final = 100000
# of each decision the actions that were legal before, by their set of options
LEGAL: Final[list[dict[int, tuple[int, ...]]]] = [{} for _ in OFFSET]
