"""Ys, 2 players, with fewer-players, two-players: a generated engine. Do not edit.

From spec/ys. Ruleset 9a07a52bfa47e5ba.
"""

from __future__ import annotations

from typing import Any, Final

from rulewright.runtime import api
from rulewright.runtime.arrays import Ints, int_rows, ints
from rulewright.runtime.bits import (
    BIT,
    LISTED,
    OPTIONS,
    SMALL,
    first,
    list_more,
    members,
    nth,
    pick,
    size,
)
from rulewright.runtime.errors import (
    IN_PLAY,
    Over,
    empty_zone,
    list_too_long,
    lost,
    no_option,
    nothing_to_roll,
    too_many_steps,
)
from rulewright.runtime.rng import LOW, MULTIPLIER, from_seed
from rulewright.runtime.support import FORCED, STEPS, first_of, grouped_by, item, sorted_by, times
from rulewright.runtime.zones import add, count, remove, union

# a native engine says True
COMPILED: Final = False
RULESET: Final = "9a07a52bfa47e5ba"
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
        "turn_number",
        "round_number",
        "order_card",
        "order",
        "chosen_place",
        "quotation",
        "column_place",
        "cards_played",
        "free_facing",
        "conjuring",
        "looks",
        "intrigue",
        "commercial_pay",
        "locked",
        "neutral_place",
        "score",
        # points by reason
        "breakdown_",
        "box",
        "screen",
        "stake",
        "front",
        "broker_alive",
        "broker_value",
        "broker_owner",
        "broker_known",
        "broker_guess",
        "broker_place",
        "broker_up",
        "broker_shows",
        "broker_marked",
        "broker_placed_in",
        "bank",
        "on_scale",
        "stall",
        "offer",
        "owned",
        "ship_deck",
        "ship_in",
        "ships_aside",
        "character_box",
        "blue_cards",
        "character_deck",
        "character_at",
        "won",
        "hand",
        "in_play",
        "spent",
        "neutral_hand",
        "neutralbroker_alive",
        "neutralbroker_value",
        "neutralbroker_owner",
        "neutralbroker_known",
        "neutralbroker_guess",
        "neutralbroker_place",
        "neutralbroker_shows",
        "play_t_next",
        "play_t_last",
        "bid_p_rest",
        "bid_p",
        "bid_bids_1",
        "choose_order_p_place",
        "choose_order_p",
        "placing_r_next",
        "placing_r_last",
        "placing_p_place",
        "placing_p_place_2",
        "placing_p",
        "place_brokers_i_next",
        "place_brokers_i_last",
        "place_brokers_x",
        "counting_n_rest",
        "counting_n",
        "count_gems_i_next",
        "count_gems_i_last",
        "count_gems_i",
        "count_gems_k_next",
        "count_gems_k_last",
        "count_gems_who",
        "pick_from_offer_g",
        "pick_from_offer_p",
        "count_port_who",
        "count_palace_who",
        "count_palace_c_rest",
        "count_market_l_rest",
        "count_market_l",
        "count_line_who",
        "count_line_g_rest",
        "count_columns_given",
        "count_columns_equals_place",
        "count_columns_left",
        "move_quotation_p",
        "ask_quotation_g",
        # also win_gem_back, place_broker_back, spy_looks_back
        "card_window_back",
        # also spy_looks_p, place_broker_p, win_gem_g
        "card_window_p_place",
        # also place_broker_face_up, win_gem_who
        "card_window_w",
        "place_broker_x",
        # also conjure_conjured
        "play_cards_back",
        # also conjure_v
        "play_cards_p",
        # also conjure_w
        "play_cards_w",
        # also play_cards_c
        "pick_place_back",
        # also pick_place_p
        "Character_power_alchemist_given",
        # also pick_place_taken
        "Character_power_alchemist_taken",
        "Character_power_banker_up",
        "Character_power_captain_a",
        "Character_power_herald_taken",
        "Character_power_herald_b",
        "Character_power_magician_a",
        "gain_color_back",
        "gain_color_who",
        "pick_color_g",
        "pick_color_p",
        "choose_order_p_all",
        "placing_p_all",
        "placing_p_all_2",
        "count_gems_ranked",
        "count_columns_equals_all",
        "card_window_p_all",
    )

    def __init__(
        self,
        pc: int,
        who: int,
        opts: int,
        rng: int,
        value: int,
        values: list[int],
        turn_number: int,
        round_number: int,
        order_card: Ints,
        order: list[int],
        chosen_place: Ints,
        quotation: Ints,
        column_place: Ints,
        cards_played: Ints,
        free_facing: Ints,
        conjuring: Ints,
        looks: Ints,
        intrigue: Ints,
        commercial_pay: int,
        locked: int,
        neutral_place: int,
        score: Ints,
        breakdown_: Ints,
        box: Ints,
        screen: Ints,
        stake: Ints,
        front: Ints,
        broker_alive: int,
        broker_value: Ints,
        broker_owner: Ints,
        broker_known: Ints,
        broker_guess: Ints,
        broker_place: Ints,
        broker_up: Ints,
        broker_shows: Ints,
        broker_marked: Ints,
        broker_placed_in: Ints,
        bank: int,
        on_scale: int,
        stall: list[int],
        offer: int,
        owned: list[int],
        ship_deck: int,
        ship_in: Ints,
        ships_aside: int,
        character_box: int,
        blue_cards: int,
        character_deck: list[int],
        character_at: list[int],
        won: list[int],
        hand: list[int],
        in_play: list[int],
        spent: int,
        neutral_hand: Ints,
        neutralbroker_alive: int,
        neutralbroker_value: Ints,
        neutralbroker_owner: Ints,
        neutralbroker_known: Ints,
        neutralbroker_guess: Ints,
        neutralbroker_place: Ints,
        neutralbroker_shows: Ints,
        play_t_next: int,
        play_t_last: int,
        bid_p_rest: int,
        bid_p: int,
        bid_bids_1: int,
        choose_order_p_place: int,
        choose_order_p: int,
        placing_r_next: int,
        placing_r_last: int,
        placing_p_place: int,
        placing_p_place_2: int,
        placing_p: int,
        place_brokers_i_next: int,
        place_brokers_i_last: int,
        place_brokers_x: int,
        counting_n_rest: int,
        counting_n: int,
        count_gems_i_next: int,
        count_gems_i_last: int,
        count_gems_i: int,
        count_gems_k_next: int,
        count_gems_k_last: int,
        count_gems_who: int,
        pick_from_offer_g: int,
        pick_from_offer_p: int,
        count_port_who: int,
        count_palace_who: int,
        count_palace_c_rest: int,
        count_market_l_rest: int,
        count_market_l: int,
        count_line_who: int,
        count_line_g_rest: int,
        count_columns_given: int,
        count_columns_equals_place: int,
        count_columns_left: int,
        move_quotation_p: int,
        ask_quotation_g: int,
        card_window_back: int,
        card_window_p_place: int,
        card_window_w: int,
        place_broker_x: int,
        play_cards_back: int,
        play_cards_p: int,
        play_cards_w: int,
        pick_place_back: int,
        Character_power_alchemist_given: int,
        Character_power_alchemist_taken: int,
        Character_power_banker_up: int,
        Character_power_captain_a: int,
        Character_power_herald_taken: int,
        Character_power_herald_b: int,
        Character_power_magician_a: int,
        gain_color_back: int,
        gain_color_who: int,
        pick_color_g: int,
        pick_color_p: int,
        choose_order_p_all: list[int],
        placing_p_all: list[int],
        placing_p_all_2: list[int],
        count_gems_ranked: list[int],
        count_columns_equals_all: list[int],
        card_window_p_all: list[int],
    ) -> None:
        self.pc = pc
        self.who = who
        self.opts = opts
        self.rng = rng
        self.value = value
        self.values = values
        self.turn_number = turn_number
        self.round_number = round_number
        self.order_card = order_card
        self.order = order
        self.chosen_place = chosen_place
        self.quotation = quotation
        self.column_place = column_place
        self.cards_played = cards_played
        self.free_facing = free_facing
        self.conjuring = conjuring
        self.looks = looks
        self.intrigue = intrigue
        self.commercial_pay = commercial_pay
        self.locked = locked
        self.neutral_place = neutral_place
        self.score = score
        self.breakdown_ = breakdown_
        self.box = box
        self.screen = screen
        self.stake = stake
        self.front = front
        self.broker_alive = broker_alive
        self.broker_value = broker_value
        self.broker_owner = broker_owner
        self.broker_known = broker_known
        self.broker_guess = broker_guess
        self.broker_place = broker_place
        self.broker_up = broker_up
        self.broker_shows = broker_shows
        self.broker_marked = broker_marked
        self.broker_placed_in = broker_placed_in
        self.bank = bank
        self.on_scale = on_scale
        self.stall = stall
        self.offer = offer
        self.owned = owned
        self.ship_deck = ship_deck
        self.ship_in = ship_in
        self.ships_aside = ships_aside
        self.character_box = character_box
        self.blue_cards = blue_cards
        self.character_deck = character_deck
        self.character_at = character_at
        self.won = won
        self.hand = hand
        self.in_play = in_play
        self.spent = spent
        self.neutral_hand = neutral_hand
        self.neutralbroker_alive = neutralbroker_alive
        self.neutralbroker_value = neutralbroker_value
        self.neutralbroker_owner = neutralbroker_owner
        self.neutralbroker_known = neutralbroker_known
        self.neutralbroker_guess = neutralbroker_guess
        self.neutralbroker_place = neutralbroker_place
        self.neutralbroker_shows = neutralbroker_shows
        self.play_t_next = play_t_next
        self.play_t_last = play_t_last
        self.bid_p_rest = bid_p_rest
        self.bid_p = bid_p
        self.bid_bids_1 = bid_bids_1
        self.choose_order_p_place = choose_order_p_place
        self.choose_order_p = choose_order_p
        self.placing_r_next = placing_r_next
        self.placing_r_last = placing_r_last
        self.placing_p_place = placing_p_place
        self.placing_p_place_2 = placing_p_place_2
        self.placing_p = placing_p
        self.place_brokers_i_next = place_brokers_i_next
        self.place_brokers_i_last = place_brokers_i_last
        self.place_brokers_x = place_brokers_x
        self.counting_n_rest = counting_n_rest
        self.counting_n = counting_n
        self.count_gems_i_next = count_gems_i_next
        self.count_gems_i_last = count_gems_i_last
        self.count_gems_i = count_gems_i
        self.count_gems_k_next = count_gems_k_next
        self.count_gems_k_last = count_gems_k_last
        self.count_gems_who = count_gems_who
        self.pick_from_offer_g = pick_from_offer_g
        self.pick_from_offer_p = pick_from_offer_p
        self.count_port_who = count_port_who
        self.count_palace_who = count_palace_who
        self.count_palace_c_rest = count_palace_c_rest
        self.count_market_l_rest = count_market_l_rest
        self.count_market_l = count_market_l
        self.count_line_who = count_line_who
        self.count_line_g_rest = count_line_g_rest
        self.count_columns_given = count_columns_given
        self.count_columns_equals_place = count_columns_equals_place
        self.count_columns_left = count_columns_left
        self.move_quotation_p = move_quotation_p
        self.ask_quotation_g = ask_quotation_g
        self.card_window_back = card_window_back
        self.card_window_p_place = card_window_p_place
        self.card_window_w = card_window_w
        self.place_broker_x = place_broker_x
        self.play_cards_back = play_cards_back
        self.play_cards_p = play_cards_p
        self.play_cards_w = play_cards_w
        self.pick_place_back = pick_place_back
        self.Character_power_alchemist_given = Character_power_alchemist_given
        self.Character_power_alchemist_taken = Character_power_alchemist_taken
        self.Character_power_banker_up = Character_power_banker_up
        self.Character_power_captain_a = Character_power_captain_a
        self.Character_power_herald_taken = Character_power_herald_taken
        self.Character_power_herald_b = Character_power_herald_b
        self.Character_power_magician_a = Character_power_magician_a
        self.gain_color_back = gain_color_back
        self.gain_color_who = gain_color_who
        self.pick_color_g = pick_color_g
        self.pick_color_p = pick_color_p
        self.choose_order_p_all = choose_order_p_all
        self.placing_p_all = placing_p_all
        self.placing_p_all_2 = placing_p_all_2
        self.count_gems_ranked = count_gems_ranked
        self.count_columns_equals_all = count_columns_equals_all
        self.card_window_p_all = card_window_p_all

    def clone(self) -> State:
        # the interpreter sets fields one by one faster than it calls a function with all of them
        s: State = object.__new__(State)
        s.pc = self.pc
        s.who = self.who
        s.opts = self.opts
        s.rng = self.rng
        s.value = self.value
        s.values = self.values
        s.turn_number = self.turn_number
        s.round_number = self.round_number
        s.order_card = self.order_card.copy()
        s.order = self.order
        s.chosen_place = self.chosen_place.copy()
        s.quotation = self.quotation.copy()
        s.column_place = self.column_place.copy()
        s.cards_played = self.cards_played.copy()
        s.free_facing = self.free_facing.copy()
        s.conjuring = self.conjuring.copy()
        s.looks = self.looks.copy()
        s.intrigue = self.intrigue.copy()
        s.commercial_pay = self.commercial_pay
        s.locked = self.locked
        s.neutral_place = self.neutral_place
        s.score = self.score.copy()
        s.breakdown_ = self.breakdown_.copy()
        s.box = self.box.copy()
        s.screen = self.screen.copy()
        s.stake = self.stake.copy()
        s.front = self.front.copy()
        s.broker_alive = self.broker_alive
        s.broker_value = self.broker_value.copy()
        s.broker_owner = self.broker_owner.copy()
        s.broker_known = self.broker_known.copy()
        s.broker_guess = self.broker_guess.copy()
        s.broker_place = self.broker_place.copy()
        s.broker_up = self.broker_up.copy()
        s.broker_shows = self.broker_shows.copy()
        s.broker_marked = self.broker_marked.copy()
        s.broker_placed_in = self.broker_placed_in.copy()
        s.bank = self.bank
        s.on_scale = self.on_scale
        s.stall = self.stall.copy()
        s.offer = self.offer
        s.owned = self.owned.copy()
        s.ship_deck = self.ship_deck
        s.ship_in = self.ship_in.copy()
        s.ships_aside = self.ships_aside
        s.character_box = self.character_box
        s.blue_cards = self.blue_cards
        s.character_deck = self.character_deck.copy()
        s.character_at = self.character_at.copy()
        s.won = self.won.copy()
        s.hand = self.hand.copy()
        s.in_play = self.in_play.copy()
        s.spent = self.spent
        s.neutral_hand = self.neutral_hand.copy()
        s.neutralbroker_alive = self.neutralbroker_alive
        s.neutralbroker_value = self.neutralbroker_value.copy()
        s.neutralbroker_owner = self.neutralbroker_owner.copy()
        s.neutralbroker_known = self.neutralbroker_known.copy()
        s.neutralbroker_guess = self.neutralbroker_guess.copy()
        s.neutralbroker_place = self.neutralbroker_place.copy()
        s.neutralbroker_shows = self.neutralbroker_shows.copy()
        s.play_t_next = self.play_t_next
        s.play_t_last = self.play_t_last
        s.bid_p_rest = self.bid_p_rest
        s.bid_p = self.bid_p
        s.bid_bids_1 = self.bid_bids_1
        s.choose_order_p_place = self.choose_order_p_place
        s.choose_order_p = self.choose_order_p
        s.placing_r_next = self.placing_r_next
        s.placing_r_last = self.placing_r_last
        s.placing_p_place = self.placing_p_place
        s.placing_p_place_2 = self.placing_p_place_2
        s.placing_p = self.placing_p
        s.place_brokers_i_next = self.place_brokers_i_next
        s.place_brokers_i_last = self.place_brokers_i_last
        s.place_brokers_x = self.place_brokers_x
        s.counting_n_rest = self.counting_n_rest
        s.counting_n = self.counting_n
        s.count_gems_i_next = self.count_gems_i_next
        s.count_gems_i_last = self.count_gems_i_last
        s.count_gems_i = self.count_gems_i
        s.count_gems_k_next = self.count_gems_k_next
        s.count_gems_k_last = self.count_gems_k_last
        s.count_gems_who = self.count_gems_who
        s.pick_from_offer_g = self.pick_from_offer_g
        s.pick_from_offer_p = self.pick_from_offer_p
        s.count_port_who = self.count_port_who
        s.count_palace_who = self.count_palace_who
        s.count_palace_c_rest = self.count_palace_c_rest
        s.count_market_l_rest = self.count_market_l_rest
        s.count_market_l = self.count_market_l
        s.count_line_who = self.count_line_who
        s.count_line_g_rest = self.count_line_g_rest
        s.count_columns_given = self.count_columns_given
        s.count_columns_equals_place = self.count_columns_equals_place
        s.count_columns_left = self.count_columns_left
        s.move_quotation_p = self.move_quotation_p
        s.ask_quotation_g = self.ask_quotation_g
        s.card_window_back = self.card_window_back
        s.card_window_p_place = self.card_window_p_place
        s.card_window_w = self.card_window_w
        s.place_broker_x = self.place_broker_x
        s.play_cards_back = self.play_cards_back
        s.play_cards_p = self.play_cards_p
        s.play_cards_w = self.play_cards_w
        s.pick_place_back = self.pick_place_back
        s.Character_power_alchemist_given = self.Character_power_alchemist_given
        s.Character_power_alchemist_taken = self.Character_power_alchemist_taken
        s.Character_power_banker_up = self.Character_power_banker_up
        s.Character_power_captain_a = self.Character_power_captain_a
        s.Character_power_herald_taken = self.Character_power_herald_taken
        s.Character_power_herald_b = self.Character_power_herald_b
        s.Character_power_magician_a = self.Character_power_magician_a
        s.gain_color_back = self.gain_color_back
        s.gain_color_who = self.gain_color_who
        s.pick_color_g = self.pick_color_g
        s.pick_color_p = self.pick_color_p
        s.choose_order_p_all = self.choose_order_p_all
        s.placing_p_all = self.placing_p_all
        s.placing_p_all_2 = self.placing_p_all_2
        s.count_gems_ranked = self.count_gems_ranked
        s.count_columns_equals_all = self.count_columns_equals_all
        s.card_window_p_all = self.card_window_p_all
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
        if not 0 <= value < 33 or not self.opts >> value & 1:
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
    """play (game.four-turns)"""
    # setup (setup.color, setup.score-start, setup.turn-marker)
    box: Ints = s.box
    screen: Ints = s.screen
    p: int
    for p in (0, 1):
        v: int
        for v in (0, 1, 2, 3, 4):
            for _ in range(STRENGTH_TEAM[v]):
                box_now: int = box[p]
                if not box_now >> v & 1:
                    raise empty_zone(45, v, p)
                box[p] = remove(box_now, v, 5)
                screen[p] = add(screen[p], v, 5)
    order_card: Ints = s.order_card
    k: int
    for k in (1, 2):
        x: int = s.rng
        x = MULTIPLIER * (x & LOW) + (x >> 30)
        s.rng = x
        those: int = 0
        q: int
        for q in (0, 1):
            if order_card[q]:
                continue
            those |= BIT[q]
        if not those:
            raise nothing_to_roll(46)
        holder: int = nth(those, (x & LOW) * size(those) >> 30)
        order_card[holder] = k
    rows: list[tuple[int, int]] = []
    p_2: int
    for p_2 in (0, 1):
        rows.append((-order_card[p_2], p_2))
    s.order = sorted_by(rows)
    for _ in (0, 1, 2, 3):
        if not s.character_box & 32768:
            raise empty_zone(47, 15)
        s.character_box = remove(s.character_box, 15, 16)
        s.blue_cards = add(s.blue_cards, 15, 16)
    character_deck: list[int] = s.character_deck
    n: int
    for n in (0, 1, 2, 3):
        if IN_USE[n]:
            dealt: int
            for dealt in (1, 2, 3):
                character_box_now: int = s.character_box
                if not character_box_now:
                    raise empty_zone(48)
                x = s.rng
                x = MULTIPLIER * (x & LOW) + (x >> 30)
                s.rng = x
                kind: int = nth(character_box_now, (x & LOW) * size(character_box_now) >> 30) % 16
                s.character_box = remove(character_box_now, kind, 16)
                character_deck[n] = add(character_deck[n], kind, 16)
    g: int
    for g in (0, 1, 2, 3):
        if not s.bank & BIT[g]:
            raise empty_zone(49, g)
        s.bank = remove(s.bank, g, 6)
        s.on_scale = add(s.on_scale, g, 6)
    # play (game.four-turns)
    s.play_t_next = 1
    s.play_t_last = 4
    return play_loop(s)


def play_loop(s: State) -> int:
    """play (game.four-turns)"""
    t_next: int = s.play_t_next
    t_last: int = s.play_t_last
    if t_next <= t_last:
        s.play_t_next = t_next + 1
        s.turn_number = t_next
        # new_characters (characters.reveal)
        character_at: list[int] = s.character_at
        n: int
        for n in (0, 1, 2, 3):
            if IN_USE[n]:
                if t_next == 4:
                    if not s.blue_cards & 32768:
                        raise empty_zone(50, 15)
                    s.blue_cards = remove(s.blue_cards, 15, 16)
                    character_at[n] = add(character_at[n], 15, 16)
                else:
                    character_deck_now: int = s.character_deck[n]
                    if not character_deck_now:
                        raise empty_zone(51, -1, n)
                    x: int = s.rng
                    x = MULTIPLIER * (x & LOW) + (x >> 30)
                    s.rng = x
                    kind: int = (
                        nth(character_deck_now, (x & LOW) * size(character_deck_now) >> 30) % 16
                    )
                    s.character_deck[n] = remove(character_deck_now, kind, 16)
                    character_at[n] = add(character_at[n], kind, 16)
        # new_ships (ships.four-ports, ships.card-content)
        ship_in: Ints = s.ship_in
        n_2: int
        for n_2 in (0, 1, 2, 3):
            if IN_USE[n_2]:
                ship_deck_now: int = s.ship_deck
                if not ship_deck_now:
                    raise empty_zone(52)
                x_2: int = s.rng
                x_2 = MULTIPLIER * (x_2 & LOW) + (x_2 >> 30)
                s.rng = x_2
                kind_2: int = nth(ship_deck_now, (x_2 & LOW) * size(ship_deck_now) >> 30) % 16
                piece: int = BIT[kind_2]
                s.ship_deck = ship_deck_now ^ (
                    piece << 16 if ship_deck_now & piece << 16 else piece
                )
                ship_in_now: int = ship_in[n_2]
                ship_in[n_2] = ship_in_now | (piece << 16 if ship_in_now & piece else piece)
        # fill_market (market.fifth-ship)
        ship_deck_now_2: int = s.ship_deck
        if not ship_deck_now_2:
            raise empty_zone(53)
        x_3: int = s.rng
        x_3 = MULTIPLIER * (x_3 & LOW) + (x_3 >> 30)
        s.rng = x_3
        kind_3: int = nth(ship_deck_now_2, (x_3 & LOW) * size(ship_deck_now_2) >> 30) % 16
        piece_2: int = BIT[kind_3]
        s.ship_deck = ship_deck_now_2 ^ (
            piece_2 << 16 if ship_deck_now_2 & piece_2 << 16 else piece_2
        )
        s.ships_aside |= piece_2 << 16 if s.ships_aside & piece_2 else piece_2
        rows: list[tuple[int, int]] = []
        l: int
        for l in (0, 1, 2, 3):
            if LINE_CLOSED[l]:
                continue
            rows.append((-LINE_NUMBER[l], l))
        lines: list[int] = sorted_by(rows)
        stall: list[int] = s.stall
        i: int
        for i in range(1, len(lines) + 1):
            g: int = item(MARKET_GEMS[kind_3], i)
            if s.bank & BIT[g]:
                if not s.bank & BIT[g]:
                    raise empty_zone(54, g)
                s.bank = remove(s.bank, g, 6)
                stall[item(lines, i)] = add(stall[item(lines, i)], g, 6)
        # bid (bid.secret-simultaneous, bid.two-brokers)
        s.bid_p_rest = 3
        return bid_loop(s)
    # score_colors (final.gem-table)
    score: Ints = s.score
    breakdown_: Ints = s.breakdown_
    r: int
    for r in (0, 1, 2, 3):
        points: int = color_points(s, 0, r)
        score[0] += points
        breakdown_[3] += points
        points_2: int = color_points(s, 1, r)
        score[1] += points_2
        breakdown_[8] += points_2
        points_3: int = color_points(s, 2, r)
        score[2] += points_3
        breakdown_[13] += points_3
    # score_black (final.black-table)
    owned: list[int] = s.owned
    n_3: int = count(owned[0], 4, 6)
    points_4: int = item(LIST_3, (n_3 if n_3 < 7 else 7) + 1)
    score[0] += points_4
    breakdown_[4] += points_4
    n_4: int = count(owned[1], 4, 6)
    points_5: int = item(LIST_3, (n_4 if n_4 < 7 else 7) + 1)
    score[1] += points_5
    breakdown_[9] += points_5
    n_5: int = count(owned[2], 4, 6)
    points_6: int = item(LIST_3, (n_5 if n_5 < 7 else 7) + 1)
    score[2] += points_6
    breakdown_[14] += points_6
    gold: int = score[2]
    s.neutral_place = 1 + (
        (1 if score[0] > gold or score[0] == gold and size(owned[0]) > size(owned[2]) else 0)
        + (1 if score[1] > gold or score[1] == gold and size(owned[1]) > size(owned[2]) else 0)
    )
    # play (game.four-turns)
    s.pc = 0
    s.who = -4
    s.opts = 0
    return 0


def bid_loop(s: State) -> int:
    """bid (bid.secret-simultaneous, bid.two-brokers)"""
    p_rest: int = s.bid_p_rest
    if p_rest:
        p: int = (p_rest & -p_rest).bit_length() - 1
        s.bid_p = p
        s.bid_p_rest = p_rest & (p_rest - 1)
        screen_now: int = s.screen[p]
        m: int = screen_now & 31
        same: int = m
        bids_1: int
        for bids_1 in members(m):
            if not same & (
                BIDS_2_FROM[bids_1]
                & (BIDS_2_OTHER[bids_1] | (31 if count(screen_now, bids_1, 5) > 1 else 0))
            ):
                m ^= BIT[bids_1]
        if not m:
            raise no_option(0)
        s.opts = m
        s.pc = 13  # AT_BID_BID_BROKERS_1
        s.who = p
        return 0
    front: Ints = s.front
    stake: Ints = s.stake
    p_2: int
    for p_2 in (0, 1):
        front[p_2] = union(front[p_2], stake[p_2], 5)
        stake[p_2] = 0
    # choose_order (bid.rank, bid.choose-position)
    rows: list[tuple[int, int, int]] = []
    order_card: Ints = s.order_card
    p_3: int
    for p_3 in (0, 1):
        front_now: int = front[p_3]
        rows.append(
            (
                0 * count(front_now, 0, 5)
                + count(front_now, 1, 5)
                + 2 * count(front_now, 2, 5)
                + 3 * count(front_now, 3, 5)
                + 4 * count(front_now, 4, 5),
                -order_card[p_3],
                p_3,
            )
        )
    s.choose_order_p_all = sorted_by(rows)
    s.choose_order_p_place = 0
    return choose_order_loop(s)


def bid_bid_brokers_1(s: State, bids_1: int) -> int:
    """bid (bid.secret-simultaneous, bid.two-brokers)"""
    p: int = s.bid_p
    s.bid_bids_1 = bids_1
    screen_now: int = s.screen[p]
    m: int = (
        screen_now
        & 31
        & (
            BIDS_2_FROM[bids_1]
            & (BIDS_2_OTHER[bids_1] | (31 if count(screen_now, bids_1, 5) > 1 else 0))
        )
    )
    if not m:
        raise no_option(0)
    s.opts = m
    s.pc = 14  # AT_BID_BID_BROKERS_2
    s.who = p
    return 0


def bid_bid_brokers_2(s: State, bids_2: int) -> int:
    """bid (bid.secret-simultaneous, bid.two-brokers)"""
    p: int = s.bid_p
    bids_1: int = s.bid_bids_1
    bids: list[int] = [bids_1, bids_2]
    screen: Ints = s.screen
    stake: Ints = s.stake
    b: int
    for b in bids:
        screen_now: int = screen[p]
        if not screen_now >> b & 1:
            raise empty_zone(1, b, p)
        screen[p] = remove(screen_now, b, 5)
        stake[p] = add(stake[p], b, 5)
    return bid_loop(s)


def choose_order_loop(s: State) -> int:
    """choose_order (bid.rank, bid.choose-position)"""
    p_all: list[int] = s.choose_order_p_all
    p_place: int = s.choose_order_p_place
    if p_place < len(p_all):
        p: int = p_all[p_place]
        s.choose_order_p = p
        s.choose_order_p_place = p_place + 1
        m: int = 0
        chosen_place_now: int = s.chosen_place[0]
        if chosen_place_now != 1 and s.chosen_place[1] != 1:
            m |= 1
        if chosen_place_now != 2 and s.chosen_place[1] != 2:
            m |= 2
        if not m:
            raise no_option(2)
        s.opts = m
        s.pc = 15  # AT_CHOOSE_ORDER_TURN_PLACE
        s.who = p
        return 0 if m & (m - 1) else FORCED
    order_card: Ints = s.order_card
    order_card[0] = s.chosen_place[0]
    order_card[1] = s.chosen_place[1]
    rows: list[tuple[int, int]] = []
    p_2: int
    for p_2 in (0, 1):
        rows.append((-order_card[p_2], p_2))
    s.order = sorted_by(rows)
    # placing (place.four-rounds)
    s.card_window_w = 0
    s.card_window_back = 220  # AT_PLACING_BACK
    # card_window (card.in-turn-order)
    s.card_window_p_all = s.order
    s.card_window_p_place = 0
    return card_window_loop(s)


def choose_order_turn_place(s: State, v: int) -> int:
    """choose_order (bid.rank, bid.choose-position)"""
    p: int = s.choose_order_p
    k: int = v + 1
    s.chosen_place[p] = k
    return choose_order_loop(s)


def placing_back(s: State) -> int:
    """placing (place.four-rounds)"""
    s.placing_r_next = 1
    s.placing_r_last = 4
    s.placing_r_next = 2
    s.round_number = 1
    s.placing_p_all_2 = s.order
    s.placing_p_place_2 = 0
    return placing_loop_2(s)


def card_window_2(s: State) -> int:
    """card_window (card.in-turn-order)"""
    s.card_window_p_all = s.order
    s.card_window_p_place = 0
    return card_window_loop(s)


def placing_loop(s: State) -> int:
    """placing (place.four-rounds)"""
    r_next: int = s.placing_r_next
    r_last: int = s.placing_r_last
    if r_next <= r_last:
        s.placing_r_next = r_next + 1
        s.round_number = r_next
        s.placing_p_all_2 = s.order
        s.placing_p_place_2 = 0
        return placing_loop_2(s)
    s.placing_p_all = s.order
    s.placing_p_place = 0
    return placing_loop_3(s)


def placing_loop_2(s: State) -> int:
    """placing (place.four-rounds)"""
    p_all: list[int] = s.placing_p_all_2
    p_place: int = s.placing_p_place_2
    if p_place < len(p_all):
        p: int = p_all[p_place]
        s.placing_p = p
        s.placing_p_place_2 = p_place + 1
        # placing_turn (place.two-per-round, card.window-placing-star)
        both: bool = bool(s.looks[p])
        if both:
            found: bool = False
            broker_owner: Ints = s.broker_owner
            b: int
            for b in members(s.broker_alive):
                if broker_owner[b] != p and not s.broker_up[b]:
                    found = True
                    break
            both = bool(found)
        if not both:
            if not (s.cards_played[p] < 2 and s.hand[p] & 0xFFFF & 0x1000):
                return placing_turn_back_2(s)
            s.play_cards_p = p
            s.play_cards_w = 1
            s.play_cards_back = 230  # AT_PLACING_TURN_BACK_2
            return play_cards_loop(s)
        s.card_window_p_place = p  # spy_looks_p
        s.card_window_back = 229  # spy_looks_back, AT_PLACING_TURN_BACK
        return spy_looks_loop(s)
    return 221  # AT_PLACING_LOOP


def placing_turn_back(s: State) -> int:
    """placing_turn (place.two-per-round, card.window-placing-star)"""
    p: int = s.placing_p
    if not (s.cards_played[p] < 2 and s.hand[p] & 0xFFFF & 0x1000):
        return placing_turn_back_2(s)
    s.play_cards_p = p
    s.play_cards_w = 1
    s.play_cards_back = 230  # AT_PLACING_TURN_BACK_2
    return play_cards_loop(s)


def placing_turn_back_2(s: State) -> int:
    """placing_turn (place.two-per-round, card.window-placing-star)"""
    p: int = s.placing_p
    # place_brokers (place.two-per-round, place.one-up-one-down)
    if s.free_facing[p]:
        s.place_brokers_i_next = 1
        s.place_brokers_i_last = 2
        return place_brokers_loop(s)
    s.card_window_p_place = p  # place_broker_p
    s.card_window_w = True  # place_broker_face_up
    s.card_window_back = 238  # place_broker_back, AT_PLACE_BROKERS_BACK_3
    # place_broker (place.city-or-market)
    s.Character_power_alchemist_given = p  # pick_place_p
    s.pick_place_back = 243  # AT_PLACE_BROKER_BACK
    # pick_place (place.city-or-market)
    taken: int = squares_held(s)
    s.Character_power_alchemist_taken = taken  # pick_place_taken
    m: int = 0xFFFF1FF & 0xFF00FFF & ~(taken | s.locked)
    x_: int
    for x_ in members(m):
        if not 3 >> PLACE_PART[x_] & 1:
            m ^= BIT[x_]
    if not m:
        raise no_option(4)
    s.opts = m
    s.pc = 26  # AT_PICK_PLACE_BROKER_PLACE
    s.who = p
    return 0 if m & (m - 1) else FORCED


def place_brokers_loop(s: State) -> int:
    """place_brokers (place.two-per-round, place.one-up-one-down)"""
    p: int = s.placing_p
    i_next: int = s.place_brokers_i_next
    i_last: int = s.place_brokers_i_last
    if i_next <= i_last:
        s.place_brokers_i_next = i_next + 1
        s.opts = 3
        s.pc = 22  # AT_PLACE_BROKERS_FACING
        s.who = p
        return 0
    s.Character_power_alchemist_given = p  # pick_place_p
    s.pick_place_back = 240  # AT_PLACE_BROKERS_BACK_5
    # pick_place (place.city-or-market)
    taken: int = squares_held(s)
    s.Character_power_alchemist_taken = taken  # pick_place_taken
    m: int = 0xFFFF1FF & 0xFF00FFF & ~(taken | s.locked)
    x_: int
    for x_ in members(m):
        if not 3 >> PLACE_PART[x_] & 1:
            m ^= BIT[x_]
    if not m:
        raise no_option(4)
    s.opts = m
    s.pc = 26  # AT_PICK_PLACE_BROKER_PLACE
    s.who = p
    return 0 if m & (m - 1) else FORCED


def place_brokers_facing(s: State, facing: int) -> int:
    """place_brokers (place.two-per-round, place.one-up-one-down)"""
    p: int = s.placing_p
    if facing == 0:
        s.card_window_p_place = p  # place_broker_p
        s.card_window_w = True  # place_broker_face_up
        s.card_window_back = 236  # place_broker_back, AT_PLACE_BROKERS_BACK
        # place_broker (place.city-or-market)
        s.Character_power_alchemist_given = p  # pick_place_p
        s.pick_place_back = 243  # AT_PLACE_BROKER_BACK
        # pick_place (place.city-or-market)
        taken: int = squares_held(s)
        s.Character_power_alchemist_taken = taken  # pick_place_taken
        m: int = 0xFFFF1FF & 0xFF00FFF & ~(taken | s.locked)
        x_: int
        for x_ in members(m):
            if not 3 >> PLACE_PART[x_] & 1:
                m ^= BIT[x_]
        if not m:
            raise no_option(4)
        s.opts = m
        s.pc = 26  # AT_PICK_PLACE_BROKER_PLACE
        s.who = p
        return 0 if m & (m - 1) else FORCED
    if facing == 1:
        s.card_window_p_place = p  # place_broker_p
        s.card_window_w = False  # place_broker_face_up
        s.card_window_back = 237  # place_broker_back, AT_PLACE_BROKERS_BACK_2
        # place_broker (place.city-or-market)
        s.Character_power_alchemist_given = p  # pick_place_p
        s.pick_place_back = 243  # AT_PLACE_BROKER_BACK
        # pick_place (place.city-or-market)
        taken_2: int = squares_held(s)
        s.Character_power_alchemist_taken = taken_2  # pick_place_taken
        m_2: int = 0xFFFF1FF & 0xFF00FFF & ~(taken_2 | s.locked)
        x_2: int
        for x_2 in members(m_2):
            if not 3 >> PLACE_PART[x_2] & 1:
                m_2 ^= BIT[x_2]
        if not m_2:
            raise no_option(4)
        s.opts = m_2
        s.pc = 26  # AT_PICK_PLACE_BROKER_PLACE
        s.who = p
        return 0 if m_2 & (m_2 - 1) else FORCED
    return place_brokers_loop(s)


def place_brokers_back(s: State) -> int:
    """place_brokers (place.two-per-round, place.one-up-one-down)"""
    return 234  # AT_PLACE_BROKERS_LOOP


def place_brokers_back_2(s: State) -> int:
    """place_brokers (place.two-per-round, place.one-up-one-down)"""
    return 234  # AT_PLACE_BROKERS_LOOP


def place_brokers_back_3(s: State) -> int:
    """place_brokers (place.two-per-round, place.one-up-one-down)"""
    s.card_window_p_place = s.placing_p  # place_broker_p
    s.card_window_w = False  # place_broker_face_up
    s.card_window_back = 239  # place_broker_back, AT_PLACE_BROKERS_BACK_4
    # place_broker (place.city-or-market)
    s.Character_power_alchemist_given = s.card_window_p_place  # pick_place_p
    s.pick_place_back = 243  # AT_PLACE_BROKER_BACK
    # pick_place (place.city-or-market)
    p: int = s.Character_power_alchemist_given  # pick_place_p
    taken: int = squares_held(s)
    s.Character_power_alchemist_taken = taken  # pick_place_taken
    m: int = 0xFFFF1FF & 0xFF00FFF & ~(taken | s.locked)
    x_: int
    for x_ in members(m):
        if not 3 >> PLACE_PART[x_] & 1:
            m ^= BIT[x_]
    if not m:
        raise no_option(4)
    s.opts = m
    s.pc = 26  # AT_PICK_PLACE_BROKER_PLACE
    s.who = p
    return 0 if m & (m - 1) else FORCED


def place_brokers_back_4(s: State) -> int:
    """place_brokers (place.two-per-round, place.one-up-one-down)"""
    s.Character_power_alchemist_given = s.placing_p  # pick_place_p
    s.pick_place_back = 240  # AT_PLACE_BROKERS_BACK_5
    # pick_place (place.city-or-market)
    p: int = s.Character_power_alchemist_given  # pick_place_p
    taken: int = squares_held(s)
    s.Character_power_alchemist_taken = taken  # pick_place_taken
    m: int = 0xFFFF1FF & 0xFF00FFF & ~(taken | s.locked)
    x_: int
    for x_ in members(m):
        if not 3 >> PLACE_PART[x_] & 1:
            m ^= BIT[x_]
    if not m:
        raise no_option(4)
    s.opts = m
    s.pc = 26  # AT_PICK_PLACE_BROKER_PLACE
    s.who = p
    return 0 if m & (m - 1) else FORCED


def place_brokers_back_5(s: State) -> int:
    """place_brokers (place.two-per-round, place.one-up-one-down)"""
    p: int = s.placing_p
    x_: int = s.value
    s.place_brokers_x = x_
    # market_bonus (market.bonus-point)
    if PLACE_PART[x_] == 1:
        s.score[2] += 1
        s.breakdown_[2 * 5] += 1
    # place_brokers (place.two-per-round, place.one-up-one-down)
    m: int = s.neutral_hand[p] & 31
    if not m:
        raise no_option(3)
    s.opts = m
    s.pc = 23  # AT_PLACE_BROKERS_NEUTRAL_BROKER
    s.who = p
    return 0


def place_brokers_neutral_broker(s: State, v_: int) -> int:
    """place_brokers (place.two-per-round, place.one-up-one-down)"""
    p: int = s.placing_p
    x_: int = s.place_brokers_x
    neutral_hand_now: int = s.neutral_hand[p]
    if not neutral_hand_now >> v_ & 1:
        raise empty_zone(5, v_, p)
    s.neutral_hand[p] = remove(neutral_hand_now, v_, 5)
    b: int = first(~s.neutralbroker_alive)
    if b >= 8:
        raise list_too_long(5, b + 1, 8)
    s.neutralbroker_alive |= BIT[b]
    s.neutralbroker_value[b] = v_
    s.neutralbroker_owner[b] = p
    s.neutralbroker_known[b] = BIT[p]
    s.neutralbroker_guess[b] = 31
    s.neutralbroker_place[b] = x_
    s.neutralbroker_shows[b] = 0
    # placing_turn (place.two-per-round, card.window-placing-star)
    if not (s.cards_played[p] < 2 and s.hand[p] & 0xFFFF & 0xA00):
        return placing_loop_2(s)
    s.play_cards_p = p
    s.play_cards_w = 2
    s.play_cards_back = 232  # AT_PLACING_TURN_BACK_3
    return play_cards_loop(s)


def placing_turn_back_3(s: State) -> int:
    """placing_turn (place.two-per-round, card.window-placing-star)"""
    return 223  # AT_PLACING_LOOP_2


def placing_loop_3(s: State) -> int:
    """placing (place.four-rounds)"""
    p_all: list[int] = s.placing_p_all
    p_place: int = s.placing_p_place
    if p_place < len(p_all):
        p: int = p_all[p_place]
        s.placing_p_place = p_place + 1
        both: bool = bool(s.looks[p])
        if both:
            found: bool = False
            broker_owner: Ints = s.broker_owner
            b: int
            for b in members(s.broker_alive):
                if broker_owner[b] != p and not s.broker_up[b]:
                    found = True
                    break
            both = bool(found)
        if not both:
            return 225  # AT_PLACING_LOOP_3
        s.card_window_p_place = p  # spy_looks_p
        s.card_window_back = 226  # spy_looks_back, AT_PLACING_BACK_2
        return spy_looks_loop(s)
    front: Ints = s.front
    screen: Ints = s.screen
    p_2: int
    for p_2 in (0, 1):
        front[p_2] = union(front[p_2], screen[p_2], 5)
        screen[p_2] = 0
    # counting (count.city-then-market)
    s.card_window_w = 3
    s.card_window_back = 110  # AT_COUNTING_BACK
    return card_window_2(s)


def placing_back_2(s: State) -> int:
    """placing (place.four-rounds)"""
    return 225  # AT_PLACING_LOOP_3


def counting_back(s: State) -> int:
    """counting (count.city-then-market)"""
    s.counting_n_rest = 15
    return counting_loop(s)


def counting_loop(s: State) -> int:
    """counting (count.city-then-market)"""
    n_rest: int = s.counting_n_rest
    if n_rest:
        n: int = (n_rest & -n_rest).bit_length() - 1
        s.counting_n = n
        s.counting_n_rest = n_rest & (n_rest - 1)
        if IN_USE[n]:
            # count_neighborhood (count.neighborhood-order)
            xs_2: int = AREAS_OF[n]
            # reveal_brokers (count.reveal-neighborhood, market.reveal)
            broker_up: Ints = s.broker_up
            broker_place: Ints = s.broker_place
            broker_known: Ints = s.broker_known
            broker_shows: Ints = s.broker_shows
            b: int
            for b in members(s.broker_alive):
                if xs_2 >> broker_place[b] & 1 and not broker_up[b]:
                    broker_known[b] = 3
                    broker_shows[b] = STRENGTH_WORTH[s.broker_value[b]]
                    broker_up[b] = True
            neutralbroker_place: Ints = s.neutralbroker_place
            neutralbroker_known: Ints = s.neutralbroker_known
            neutralbroker_shows: Ints = s.neutralbroker_shows
            b_2: int
            for b_2 in members(s.neutralbroker_alive):
                if xs_2 >> neutralbroker_place[b_2] & 1:
                    neutralbroker_known[b_2] = 3
                    neutralbroker_shows[b_2] = STRENGTH_WORTH[s.neutralbroker_value[b_2]]
            # fill_offer (ships.two-of-large, ships.card-content)
            s_: int
            for s_ in members(s.ship_in[n] & 0xFFFF):
                g: int = SHIP_FIRST[s_]
                # offer_gems (data.gem-supply)
                n_3: int = count(s.bank, g, 6)
                there: int = 1 if 1 < n_3 else n_3
                for _ in range(there):
                    if not s.bank & BIT[g]:
                        raise empty_zone(44, g)
                    s.bank = remove(s.bank, g, 6)
                    s.offer = add(s.offer, g, 6)
                # fill_offer (ships.two-of-large, ships.card-content)
                g_2: int = SHIP_SECOND[s_]
                # offer_gems (data.gem-supply)
                n_4: int = count(s.bank, g_2, 6)
                there_2: int = 1 if 1 < n_4 else n_4
                __2: int
                for __2 in range(there_2):
                    if not s.bank & BIT[g_2]:
                        raise empty_zone(44, g_2)
                    s.bank = remove(s.bank, g_2, 6)
                    s.offer = add(s.offer, g_2, 6)
                # fill_offer (ships.two-of-large, ships.card-content)
                g_3: int = SHIP_LARGE[s_]
                # offer_gems (data.gem-supply)
                n_5: int = count(s.bank, g_3, 6)
                there_3: int = 1 if 1 < n_5 else n_5
                __3: int
                for __3 in range(there_3):
                    if not s.bank & BIT[g_3]:
                        raise empty_zone(44, g_3)
                    s.bank = remove(s.bank, g_3, 6)
                    s.offer = add(s.offer, g_3, 6)
            # count_gems (count.neighborhood-gems, count.neighborhood-total)
            rows: list[tuple[int, int, int, int, int]] = []
            w: int
            for w in (0, 1, 2):
                if not present(s, w, xs_2):
                    continue
                if w < 2:
                    front_now: int = s.front[w]
                    picked: int = (
                        0 * count(front_now, 0, 5)
                        + count(front_now, 1, 5)
                        + 2 * count(front_now, 2, 5)
                        + 3 * count(front_now, 3, 5)
                        + 4 * count(front_now, 4, 5)
                    )
                else:
                    picked = 0
                rows.append(
                    (
                        total(s, w, xs_2),
                        tie_favor(s, w),
                        picked,
                        -(s.order_card[w] if w < 2 else 0),
                        w,
                    )
                )
            order: list[int] = sorted_by(rows)
            s.count_gems_ranked = order
            s.count_gems_i_next = 1
            n_2: int = len(order)
            s.count_gems_i_last = n_2 if n_2 < 2 else 2
            i_last: int = s.count_gems_i_last
            if 1 <= i_last:
                s.count_gems_i = 1
                s.count_gems_i_next = 2
                s.count_gems_k_next = 1
                s.count_gems_k_last = item(LIST, 1)
                return count_gems_loop_2(s)
            s.bank = union(s.bank, s.offer, 6)
            s.offer = 0
            # count_port (count.port-black)
            who: int = winner(s, AREA_OF[n * 3])
            s.count_port_who = who
            if who < 0:
                return count_neighborhood_then_2(s)
            s.card_window_w = who  # win_gem_who
            s.card_window_p_place = 4  # win_gem_g
            s.card_window_back = 166  # win_gem_back, AT_COUNT_PORT_BACK
            return win_gem_2(s)
        return 111  # AT_COUNTING_LOOP
    # count_market (market.count-order)
    reveal_brokers(s, 0xFFFF000)
    s.count_market_l_rest = 15
    return count_market_loop(s)


def count_gems_loop(s: State) -> int:
    """count_gems (count.neighborhood-gems, count.neighborhood-total)"""
    n: int = s.counting_n
    i_next: int = s.count_gems_i_next
    i_last: int = s.count_gems_i_last
    if i_next <= i_last:
        s.count_gems_i = i_next
        s.count_gems_i_next = i_next + 1
        s.count_gems_k_next = 1
        s.count_gems_k_last = item(LIST, i_next)
        return count_gems_loop_2(s)
    s.bank = union(s.bank, s.offer, 6)
    s.offer = 0
    # count_port (count.port-black)
    who: int = winner(s, AREA_OF[n * 3])
    s.count_port_who = who
    if who < 0:
        return count_neighborhood_then_2(s)
    s.card_window_w = who  # win_gem_who
    s.card_window_p_place = 4  # win_gem_g
    s.card_window_back = 166  # win_gem_back, AT_COUNT_PORT_BACK
    return win_gem_2(s)


def count_gems_loop_2(s: State) -> int:
    """count_gems (count.neighborhood-gems, count.neighborhood-total)"""
    ranked: list[int] = s.count_gems_ranked
    i: int = s.count_gems_i
    k_next: int = s.count_gems_k_next
    k_last: int = s.count_gems_k_last
    if k_next <= k_last:
        s.count_gems_k_next = k_next + 1
        who: int = item(ranked, i)
        s.count_gems_who = who
        # take_from_offer (count.neighborhood-gems)
        offer_now: int = s.offer
        if not offer_now:
            return 141  # AT_COUNT_GEMS_LOOP_2
        # pick_from_offer (two.neutral-neighborhood-gems, two.neutral-second-place)
        if who < 2:
            s.pick_from_offer_p = who
            # ask_offer (count.neighborhood-gems)
            m: int = offer_now & 63
            if not m:
                raise no_option(6)
            s.opts = m
            s.pc = 18  # AT_ASK_OFFER_PORT_GEM
            s.who = who
            return 0 if m & (m - 1) else FORCED
        if offer_now & 32:
            s.pick_from_offer_g = 5
            # take_from_offer (count.neighborhood-gems)
            if not offer_now & 32:
                raise empty_zone(7, 5)
            s.offer = remove(offer_now, 5, 6)
            s.bank = add(s.bank, 5, 6)
            s.card_window_w = who  # win_gem_who
            s.card_window_p_place = 5  # win_gem_g
            s.card_window_back = 154  # win_gem_back, AT_TAKE_FROM_OFFER_BACK
            return win_gem_2(s)
        rows: list[tuple[int, int, int]] = []
        quotation: Ints = s.quotation
        g_2: int
        for g_2 in (0, 1, 2, 3):
            if not offer_now & BIT[g_2]:
                continue
            rows.append((quotation[g_2], -GEM_COLUMN[g_2], g_2))
        order: list[int] = sorted_by(rows)
        best_one: int = item(order, 1)
        s.pick_from_offer_g = best_one
        # take_from_offer (count.neighborhood-gems)
        if not offer_now & BIT[best_one]:
            raise empty_zone(7, best_one)
        s.offer = remove(offer_now, best_one, 6)
        s.bank = add(s.bank, best_one, 6)
        s.card_window_w = who  # win_gem_who
        s.card_window_p_place = best_one  # win_gem_g
        s.card_window_back = 154  # win_gem_back, AT_TAKE_FROM_OFFER_BACK
        return win_gem_2(s)
    return 140  # AT_COUNT_GEMS_LOOP


def ask_offer_port_gem(s: State, g: int) -> int:
    """ask_offer (count.neighborhood-gems)"""
    # pick_from_offer (two.neutral-neighborhood-gems, two.neutral-second-place)
    s.pick_from_offer_g = g
    # take_from_offer (count.neighborhood-gems)
    who: int = s.count_gems_who
    if not s.offer & BIT[g]:
        raise empty_zone(7, g)
    s.offer = remove(s.offer, g, 6)
    s.bank = add(s.bank, g, 6)
    s.card_window_w = who  # win_gem_who
    s.card_window_p_place = g  # win_gem_g
    s.card_window_back = 154  # win_gem_back, AT_TAKE_FROM_OFFER_BACK
    return win_gem_2(s)


def take_from_offer_back(s: State) -> int:
    """take_from_offer (count.neighborhood-gems)"""
    return 141  # AT_COUNT_GEMS_LOOP_2


def win_gem_2(s: State) -> int:
    """win_gem (gems.white-exchange, gems.owned-visible)"""
    who: int = s.card_window_w  # win_gem_who
    g: int = s.card_window_p_place  # win_gem_g
    if g == 5:
        s.gain_color_who = who
        s.gain_color_back = 107  # AT_WIN_GEM_BACK
        # pick_color (two.neutral-gem-color)
        if who < 2:
            s.pick_color_p = who
            # ask_color (gems.white-exchange, characters.blue-exchange, card.blue, card.jeweller)
            m: int = 15 & (s.bank & 63)
            if not m:
                raise no_option(12)
            s.opts = m
            s.pc = 17  # AT_ASK_COLOR_GEM_COLOR
            s.who = who
            return 0 if m & (m - 1) else FORCED
        rows: list[tuple[int, int, int]] = []
        quotation: Ints = s.quotation
        g_2: int
        for g_2 in (0, 1, 2, 3):
            if not s.bank & BIT[g_2]:
                continue
            rows.append((quotation[g_2], -GEM_COLUMN[g_2], g_2))
        order: list[int] = sorted_by(rows)
        s.pick_color_g = item(order, 1)
        return gain_color_then(s)
    if s.bank & BIT[g]:
        if not s.bank & BIT[g]:
            raise empty_zone(8, g)
        s.bank = remove(s.bank, g, 6)
        s.owned[who] = add(s.owned[who], g, 6)
        if s.card_window_back == 154:  # AT_TAKE_FROM_OFFER_BACK
            return 141  # AT_COUNT_GEMS_LOOP_2
        if s.card_window_back == 166:  # AT_COUNT_PORT_BACK
            return count_neighborhood_then_2(s)
        return 192  # AT_COUNT_LINE_LOOP
    if s.card_window_back == 154:  # AT_TAKE_FROM_OFFER_BACK
        return 141  # AT_COUNT_GEMS_LOOP_2
    if s.card_window_back == 166:  # AT_COUNT_PORT_BACK
        return count_neighborhood_then_2(s)
    return 192  # AT_COUNT_LINE_LOOP


def count_neighborhood_then_2(s: State) -> int:
    """count_neighborhood (count.neighborhood-order)"""
    n: int = s.counting_n
    # count_commercial (count.commercial-three)
    who_2: int = winner(s, AREA_OF[n * 3 + 1])
    if not who_2 < 0:
        points: int = s.commercial_pay
        s.score[who_2] += points
        s.breakdown_[who_2 * 5 + 1] += points
    # count_palace (count.palace-card)
    who: int = winner(s, AREA_OF[n * 3 + 2])
    s.count_palace_who = who
    if who < 0:
        s.spent = union(s.spent, s.character_at[n], 16)
        s.character_at[n] = 0
        # count_neighborhood (count.neighborhood-order)
        return_brokers(s, AREAS_OF[n])
        # unlock (card.queen-discard)
        if s.locked & AREAS_OF[n]:
            s.locked &= ~AREAS_OF[n]
            in_play: list[int] = s.in_play
            p: int
            for p in (0, 1):
                in_play_now: int = in_play[p]
                if in_play_now & 4096:
                    if not in_play_now & 4096:
                        raise empty_zone(43, 12, p)
                    in_play[p] = remove(in_play_now, 12, 16)
                    s.spent = add(s.spent, 12, 16)
        return 111  # AT_COUNTING_LOOP
    s.count_palace_c_rest = s.character_at[n] & 0xFFFF
    return count_palace_loop(s)


def count_port_back(s: State) -> int:
    """count_port (count.port-black)"""
    return count_neighborhood_then_2(s)


def count_palace_loop(s: State) -> int:
    """count_palace (count.palace-card)"""
    n: int = s.counting_n
    who: int = s.count_palace_who
    c_rest: int = s.count_palace_c_rest
    if c_rest:
        c: int = (c_rest & -c_rest).bit_length() - 1
        s.count_palace_c_rest = c_rest & (c_rest - 1)
        # win_character (count.palace-card)
        character_at: list[int] = s.character_at
        if CHARACTER_WINDOW[c] == 5:
            character_at_now: int = character_at[n]
            if not character_at_now & BIT[c]:
                raise empty_zone(9, c, n)
            character_at[n] = remove(character_at_now, c, 16)
            s.spent = add(s.spent, c, 16)
            if c == 0:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 1:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 2:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 3:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 4:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 5:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 6:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 7:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 8:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 9:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 10:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 11:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 12:
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 13:
                # Character_at_win_prince (card.prince, card.immediate-exempt, data.character-cards, data.character-timing)
                s.score[who] += 4
                s.breakdown_[who * 5 + 2] += 4
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 14:
                # Character_at_win_king (card.king, card.immediate-exempt, data.character-cards, data.character-timing)
                s.score[who] += 5
                s.breakdown_[who * 5 + 2] += 5
                return 175  # AT_COUNT_PALACE_LOOP
            if c == 15:
                # Character_at_win_white_gem (card.blue, card.immediate-exempt, characters.blue-exchange, components.characters, data.character-timing)
                s.gain_color_who = who
                s.gain_color_back = 62  # AT_CHARACTER_AT_WIN_WHITE_GEM_BACK
                return gain_color_2(s)
            return 175  # AT_COUNT_PALACE_LOOP
        # keep_character (two.neutral-card-gem, two.neutral-prince-king)
        if who < 2:
            character_at_now_2: int = character_at[n]
            if not character_at_now_2 & BIT[c]:
                raise empty_zone(10, c, n)
            character_at[n] = remove(character_at_now_2, c, 16)
            s.won[who] = add(s.won[who], c, 16)
            return 175  # AT_COUNT_PALACE_LOOP
        character_at_now_3: int = character_at[n]
        if not character_at_now_3 & BIT[c]:
            raise empty_zone(11, c, n)
        character_at[n] = remove(character_at_now_3, c, 16)
        s.spent = add(s.spent, c, 16)
        s.gain_color_who = who
        s.gain_color_back = 93  # AT_KEEP_CHARACTER_BACK
        return gain_color_2(s)
    # count_neighborhood (count.neighborhood-order)
    return_brokers(s, AREAS_OF[n])
    # unlock (card.queen-discard)
    if s.locked & AREAS_OF[n]:
        s.locked &= ~AREAS_OF[n]
        in_play: list[int] = s.in_play
        p: int
        for p in (0, 1):
            in_play_now: int = in_play[p]
            if in_play_now & 4096:
                if not in_play_now & 4096:
                    raise empty_zone(43, 12, p)
                in_play[p] = remove(in_play_now, 12, 16)
                s.spent = add(s.spent, 12, 16)
    return 111  # AT_COUNTING_LOOP


def Character_at_win_white_gem_back(s: State) -> int:
    """Character_at_win_white_gem (card.blue, card.immediate-exempt, characters.blue-exchange, components.characters, data.character-timing)"""
    return 175  # AT_COUNT_PALACE_LOOP


def gain_color_2(s: State) -> int:
    """gain_color (gems.white-exchange)"""
    who: int = s.gain_color_who
    # pick_color (two.neutral-gem-color)
    if who < 2:
        s.pick_color_p = who
        # ask_color (gems.white-exchange, characters.blue-exchange, card.blue, card.jeweller)
        m: int = 15 & (s.bank & 63)
        if not m:
            raise no_option(12)
        s.opts = m
        s.pc = 17  # AT_ASK_COLOR_GEM_COLOR
        s.who = who
        return 0 if m & (m - 1) else FORCED
    rows: list[tuple[int, int, int]] = []
    quotation: Ints = s.quotation
    g: int
    for g in (0, 1, 2, 3):
        if not s.bank & BIT[g]:
            continue
        rows.append((quotation[g], -GEM_COLUMN[g], g))
    order: list[int] = sorted_by(rows)
    s.pick_color_g = item(order, 1)
    return gain_color_then(s)


def keep_character_back(s: State) -> int:
    """keep_character (two.neutral-card-gem, two.neutral-prince-king)"""
    return 175  # AT_COUNT_PALACE_LOOP


def count_market_loop(s: State) -> int:
    """count_market (market.count-order)"""
    l_rest: int = s.count_market_l_rest
    if l_rest:
        l: int = (l_rest & -l_rest).bit_length() - 1
        s.count_market_l = l
        s.count_market_l_rest = l_rest & (l_rest - 1)
        if not LINE_CLOSED[l]:
            # count_line (market.line-gems)
            s.count_line_who = winner(s, PLACE_LINE_EQUAL[l])
            stall_now: int = s.stall[l]
            s.count_line_g_rest = stall_now & 63
            who: int = s.count_line_who
            g_rest: int = s.count_line_g_rest
            if g_rest:
                g_2: int = (g_rest & -g_rest).bit_length() - 1
                s.count_line_g_rest = g_rest & (g_rest - 1)
                if not stall_now & BIT[g_2]:
                    raise empty_zone(13, g_2, l)
                s.stall[l] = remove(stall_now, g_2, 6)
                s.bank = add(s.bank, g_2, 6)
                if who >= 0:
                    s.card_window_w = who  # win_gem_who
                    s.card_window_p_place = g_2  # win_gem_g
                    s.card_window_back = 195  # win_gem_back, AT_COUNT_LINE_BACK
                    return win_gem_2(s)
                return 192  # AT_COUNT_LINE_LOOP
            return 187  # AT_COUNT_MARKET_LOOP
        return 187  # AT_COUNT_MARKET_LOOP
    # count_columns (columns.quotation, columns.simultaneous)
    s.count_columns_given = 0
    rows: list[tuple[int, int, int]] = []
    broker_place: Ints = s.broker_place
    neutralbroker_place: Ints = s.neutralbroker_place
    g: int
    for g in (0, 1, 2, 3):
        total_: int = 0
        x_: int
        for x_ in COLUMN_LIST[g]:
            # brokers_on (board.market-grid)
            number: int = 0
            b: int
            for b in members(s.broker_alive):
                if broker_place[b] == x_:
                    number += 1
            number_2: int = 0
            b_2: int
            for b_2 in members(s.neutralbroker_alive):
                if neutralbroker_place[b_2] == x_:
                    number_2 += 1
            result: int = number + number_2
            # count_columns (columns.quotation, columns.simultaneous)
            total_ += result
        rows.append(
            (total(s, 0, COLUMN[g]) + total(s, 1, COLUMN[g]) + total(s, 2, COLUMN[g]), total_, g)
        )
    s.count_columns_equals_all = grouped_by(rows, 0)
    s.count_columns_equals_place = 0
    return count_columns_loop(s)


def count_line_loop(s: State) -> int:
    """count_line (market.line-gems)"""
    l: int = s.count_market_l
    who: int = s.count_line_who
    g_rest: int = s.count_line_g_rest
    if g_rest:
        g: int = (g_rest & -g_rest).bit_length() - 1
        s.count_line_g_rest = g_rest & (g_rest - 1)
        stall_now: int = s.stall[l]
        if not stall_now & BIT[g]:
            raise empty_zone(13, g, l)
        s.stall[l] = remove(stall_now, g, 6)
        s.bank = add(s.bank, g, 6)
        if who >= 0:
            s.card_window_w = who  # win_gem_who
            s.card_window_p_place = g  # win_gem_g
            s.card_window_back = 195  # win_gem_back, AT_COUNT_LINE_BACK
            return win_gem_2(s)
        return 192  # AT_COUNT_LINE_LOOP
    return 187  # AT_COUNT_MARKET_LOOP


def count_line_back(s: State) -> int:
    """count_line (market.line-gems)"""
    return 192  # AT_COUNT_LINE_LOOP


def count_columns_loop(s: State) -> int:
    """count_columns (columns.quotation, columns.simultaneous)"""
    equals_all: list[int] = s.count_columns_equals_all
    equals_place: int = s.count_columns_equals_place
    column_place: Ints = s.column_place
    if equals_place < len(equals_all):
        left: int = equals_all[equals_place]
        s.count_columns_equals_place = equals_place + 1
        s.count_columns_left = left
        given: int = s.count_columns_given
        if left & (left - 1):
            if not left:
                raise no_option(15)
            s.opts = left
            s.pc = 19  # AT_COUNT_COLUMNS_STRONGER_COLUMN
            rows_2: list[tuple[int, int, int, int]] = []
            front: Ints = s.front
            order_card: Ints = s.order_card
            intrigue: Ints = s.intrigue
            p_2: int
            for p_2 in (0, 1):
                front_now: int = front[p_2]
                rows_2.append(
                    (
                        intrigue[p_2],
                        0 * count(front_now, 0, 5)
                        + count(front_now, 1, 5)
                        + 2 * count(front_now, 2, 5)
                        + 3 * count(front_now, 3, 5)
                        + 4 * count(front_now, 4, 5),
                        -order_card[p_2],
                        p_2,
                    )
                )
            order: list[int] = sorted_by(rows_2)
            s.who = item(order, 1)
            return 0 if left & (left - 1) else FORCED
        last: int
        for last in members(left):
            given = given + 1
            s.count_columns_given = given
            column_place[last] = given
        return 197  # AT_COUNT_COLUMNS_LOOP
    quotation: Ints = s.quotation
    g: int
    for g in (0, 1, 2, 3):
        steps: int = item(LIST_2, column_place[g])
        # shift (columns.bounds)
        n: int = quotation[g] + steps
        quotation[g] = 1 if n < 1 else 15 if n > 15 else n
    s.column_place = ALL_0.copy()
    # highest_bidder (highest-bidder)
    who: int = winner(s, 0xFFFF000)
    if who < 0:
        # counting (count.city-then-market)
        s.card_window_w = 4
        s.card_window_back = 114  # AT_COUNTING_BACK_2
        return card_window_2(s)
    # move_quotation (two.neutral-quotation)
    if who < 2:
        s.move_quotation_p = who
        # ask_quotation (highest-bidder, highest-bidder.mandatory)
        m: int = 15
        g_2: int
        for g_2 in members(15):
            quotation_now: int = quotation[g_2]
            if not (
                quotation_now + 1 >= 1
                and quotation_now + 1 <= 15
                or quotation_now + -1 >= 1
                and quotation_now + -1 <= 15
            ):
                m ^= BIT[g_2]
        if not m:
            raise no_option(14)
        s.opts = m
        s.pc = 20  # AT_ASK_QUOTATION_QUOTATION_MOVE_G
        s.who = who
        return 0 if m & (m - 1) else FORCED
    rows: list[tuple[int, int, int]] = []
    owned: list[int] = s.owned
    g_3: int
    for g_3 in (0, 1, 2, 3):
        if quotation[g_3] >= 15:
            continue
        rows.append((count(owned[who], g_3, 6), -GEM_COLUMN[g_3], g_3))
    rising: list[int] = sorted_by(rows)
    if len(rising) > 0:
        g_4: int = item(rising, 1)
        # shift (columns.bounds)
        n_2: int = quotation[g_4] + 1
        quotation[g_4] = 1 if n_2 < 1 else 15 if n_2 > 15 else n_2
    # counting (count.city-then-market)
    s.card_window_w = 4
    s.card_window_back = 114  # AT_COUNTING_BACK_2
    return card_window_2(s)


def count_columns_loop_2(s: State) -> int:
    """count_columns (columns.quotation, columns.simultaneous)"""
    given: int = s.count_columns_given
    left: int = s.count_columns_left
    if left & (left - 1):
        if not left:
            raise no_option(15)
        s.opts = left
        s.pc = 19  # AT_COUNT_COLUMNS_STRONGER_COLUMN
        rows: list[tuple[int, int, int, int]] = []
        front: Ints = s.front
        order_card: Ints = s.order_card
        intrigue: Ints = s.intrigue
        p: int
        for p in (0, 1):
            front_now: int = front[p]
            rows.append(
                (
                    intrigue[p],
                    0 * count(front_now, 0, 5)
                    + count(front_now, 1, 5)
                    + 2 * count(front_now, 2, 5)
                    + 3 * count(front_now, 3, 5)
                    + 4 * count(front_now, 4, 5),
                    -order_card[p],
                    p,
                )
            )
        order: list[int] = sorted_by(rows)
        s.who = item(order, 1)
        return 0 if left & (left - 1) else FORCED
    column_place: Ints = s.column_place
    last: int
    for last in members(left):
        given = given + 1
        s.count_columns_given = given
        column_place[last] = given
    return 197  # AT_COUNT_COLUMNS_LOOP


def count_columns_stronger_column(s: State, stronger: int) -> int:
    """count_columns (columns.quotation, columns.simultaneous)"""
    given: int = s.count_columns_given
    left: int = s.count_columns_left
    given = given + 1
    s.count_columns_given = given
    column_place: Ints = s.column_place
    column_place[stronger] = given
    s.count_columns_left = left & ~BIT[stronger]
    given_2: int = given
    left_2: int = s.count_columns_left
    if left_2 & (left_2 - 1):
        if not left_2:
            raise no_option(15)
        s.opts = left_2
        s.pc = 19  # AT_COUNT_COLUMNS_STRONGER_COLUMN
        rows: list[tuple[int, int, int, int]] = []
        front: Ints = s.front
        order_card: Ints = s.order_card
        intrigue: Ints = s.intrigue
        p: int
        for p in (0, 1):
            front_now: int = front[p]
            rows.append(
                (
                    intrigue[p],
                    0 * count(front_now, 0, 5)
                    + count(front_now, 1, 5)
                    + 2 * count(front_now, 2, 5)
                    + 3 * count(front_now, 3, 5)
                    + 4 * count(front_now, 4, 5),
                    -order_card[p],
                    p,
                )
            )
        order: list[int] = sorted_by(rows)
        s.who = item(order, 1)
        return 0 if left_2 & (left_2 - 1) else FORCED
    last: int
    for last in members(left_2):
        given_2 = given_2 + 1
        s.count_columns_given = given_2
        column_place[last] = given_2
    return count_columns_loop(s)


def ask_quotation_quotation_move_g(s: State, g: int) -> int:
    """ask_quotation (highest-bidder, highest-bidder.mandatory)"""
    p: int = s.move_quotation_p
    s.ask_quotation_g = g
    m: int = 0
    quotation_now: int = s.quotation[g]
    if quotation_now + 1 >= 1 and quotation_now + 1 <= 15:
        m |= 1
    if quotation_now + -1 >= 1 and quotation_now + -1 <= 15:
        m |= 2
    if not m:
        raise no_option(14)
    s.opts = m
    s.pc = 21  # AT_ASK_QUOTATION_QUOTATION_MOVE_D
    s.who = p
    return 0 if m & (m - 1) else FORCED


def ask_quotation_quotation_move_d(s: State, d: int) -> int:
    """ask_quotation (highest-bidder, highest-bidder.mandatory)"""
    g: int = s.ask_quotation_g
    steps: int = DIRECTION_STEP[d]
    # shift (columns.bounds)
    n: int = s.quotation[g] + steps
    s.quotation[g] = 1 if n < 1 else 15 if n > 15 else n
    # counting (count.city-then-market)
    s.card_window_w = 4
    s.card_window_back = 114  # AT_COUNTING_BACK_2
    return card_window_2(s)


def counting_back_2(s: State) -> int:
    """counting (count.city-then-market)"""
    broker_marked: Ints = s.broker_marked
    b: int
    for b in members(s.broker_alive):
        broker_marked[b] = False
    in_play: list[int] = s.in_play
    p: int
    for p in (0, 1):
        in_play_now: int = in_play[p]
        if in_play_now & 2048:
            if not in_play_now & 2048:
                raise empty_zone(16, 11, p)
            in_play[p] = remove(in_play_now, 11, 16)
            s.spent = add(s.spent, 11, 16)
    return_brokers(s, 0xFFFF000)
    # return_reserve (count.all-brokers-back)
    screen: Ints = s.screen
    front: Ints = s.front
    p_2: int
    for p_2 in (0, 1):
        screen[p_2] = union(screen[p_2], front[p_2], 5)
        front[p_2] = 0
    # end_turn (turn.end)
    ship_in: Ints = s.ship_in
    n: int
    for n in (0, 1, 2, 3):
        s.ships_aside = union(s.ships_aside, ship_in[n], 16)
        ship_in[n] = 0
    hand: list[int] = s.hand
    won: list[int] = s.won
    p_3: int
    for p_3 in (0, 1):
        s.spent = union(s.spent, in_play[p_3], 16)
        in_play[p_3] = 0
        hand[p_3] = union(hand[p_3], won[p_3], 16)
        won[p_3] = 0
    s.round_number = 0
    s.chosen_place = ALL_0_2.copy()
    s.cards_played = ALL_0_2.copy()
    s.free_facing = ALL_0_2.copy()
    s.conjuring = ALL_0_2.copy()
    s.looks = ALL_0_2.copy()
    s.intrigue = ALL_0_3.copy()
    s.commercial_pay = 3
    s.locked = 0
    return 277  # AT_PLAY_LOOP


def card_window_loop(s: State) -> int:
    """card_window (card.in-turn-order)"""
    w: int = s.card_window_w
    p_all: list[int] = s.card_window_p_all
    p_place: int = s.card_window_p_place
    if p_place < len(p_all):
        p: int = p_all[p_place]
        s.card_window_p_place = p_place + 1
        if not (s.cards_played[p] < 2 and s.hand[p] & 0xFFFF & CHARACTER_WINDOW_EQUAL[w]):
            return 76  # AT_CARD_WINDOW_LOOP
        s.play_cards_p = p
        s.play_cards_w = w
        s.play_cards_back = 77  # AT_CARD_WINDOW_BACK
        return play_cards_loop(s)
    if s.card_window_back == 110:  # AT_COUNTING_BACK
        # counting (count.city-then-market)
        s.counting_n_rest = 15
        return counting_loop(s)
    if s.card_window_back == 114:  # AT_COUNTING_BACK_2
        return counting_back_2(s)
    # placing (place.four-rounds)
    s.placing_r_next = 1
    s.placing_r_last = 4
    s.placing_r_next = 2
    s.round_number = 1
    s.placing_p_all_2 = s.order
    s.placing_p_place_2 = 0
    return placing_loop_2(s)


def card_window_back(s: State) -> int:
    """card_window (card.in-turn-order)"""
    return 76  # AT_CARD_WINDOW_LOOP


def spy_looks_loop(s: State) -> int:
    """spy_looks (card.spy, card.spy-spread)"""
    p: int = s.card_window_p_place  # spy_looks_p
    both: bool = bool(s.looks[p])
    broker_owner: Ints = s.broker_owner
    if both:
        found: bool = False
        b: int
        for b in members(s.broker_alive):
            if broker_owner[b] != p and not s.broker_up[b]:
                found = True
                break
        both = bool(found)
    if both:
        m: int = s.broker_alive
        b_2: int
        for b_2 in members(m):
            if broker_owner[b_2] == p:
                m ^= BIT[b_2]
        broker_up: Ints = s.broker_up
        for b_2 in members(m):
            if broker_up[b_2]:
                m ^= BIT[b_2]
        s.opts = m | 0x100000000
        s.pc = 32  # AT_SPY_LOOKS_SPY_LOOK
        s.who = p
        return 0 if m else FORCED
    if s.card_window_back == 226:  # AT_PLACING_BACK_2
        return 225  # AT_PLACING_LOOP_3
    # placing_turn (place.two-per-round, card.window-placing-star)
    p_2: int = s.placing_p
    if not (s.cards_played[p_2] < 2 and s.hand[p_2] & 0xFFFF & 0x1000):
        return placing_turn_back_2(s)
    s.play_cards_p = p_2
    s.play_cards_w = 1
    s.play_cards_back = 230  # AT_PLACING_TURN_BACK_2
    return play_cards_loop(s)


def spy_looks_spy_look(s: State, b: int) -> int:
    """spy_looks (card.spy, card.spy-spread)"""
    p: int = s.card_window_p_place  # spy_looks_p
    if b == 32:
        if s.card_window_back == 226:  # AT_PLACING_BACK_2
            return placing_loop_3(s)
        # placing_turn (place.two-per-round, card.window-placing-star)
        p_2: int = s.placing_p
        if not (s.cards_played[p_2] < 2 and s.hand[p_2] & 0xFFFF & 0x1000):
            return placing_turn_back_2(s)
        s.play_cards_p = p_2
        s.play_cards_w = 1
        s.play_cards_back = 230  # AT_PLACING_TURN_BACK_2
        return play_cards_loop(s)
    s.broker_known[b] |= BIT[p]
    s.looks[p] -= 1
    return spy_looks_loop(s)


def play_cards_loop(s: State) -> int:
    """play_cards (card.optional, card.two-per-turn)"""
    p: int = s.play_cards_p
    w: int = s.play_cards_w
    if s.cards_played[p] < 2 and s.hand[p] & 0xFFFF & CHARACTER_WINDOW_EQUAL[w]:
        hand_now: int = s.hand[p]
        m: int = (
            (hand_now & 0xFFFF | s.won[p] & 0xFFFF)
            & (hand_now & 0xFFFF)
            & CHARACTER_WINDOW_EQUAL[w]
        )
        if m & 2:
            # possible_Character_power_banker (card.banker, card.banker-both, card.banker-timing, data.character-cards, data.character-timing)
            found: bool = False
            up: int
            for up in (0, 1, 2, 3, 4, 5):
                if 15 >> up & 1 and (
                    s.quotation[up] < 15
                    and (
                        up != 0
                        and s.quotation[0] > 1
                        or up != 1
                        and s.quotation[1] > 1
                        or up != 2
                        and s.quotation[2] > 1
                        or up != 3
                        and s.quotation[3] > 1
                    )
                ):
                    found = True
                    break
            # play_cards (card.optional, card.two-per-turn)
            if not found:
                m ^= 2
        if m & 4:
            # possible_Character_power_captain (card.captain, card.captain-current-ports, card.captain-timing, data.character-cards, data.character-timing)
            ship_in: Ints = s.ship_in
            ship_in_now: int = ship_in[0]
            possible_Character_power_captain_now: bool = (
                ship_in_now != 0
                and (
                    ship_in_now != 0
                    and False
                    or ship_in[1] != 0
                    or ship_in[2] != 0
                    or ship_in[3] != 0
                )
                or ship_in[1] != 0
                and (
                    ship_in_now != 0
                    and False
                    or ship_in[1] != 0
                    and False
                    or ship_in[2] != 0
                    or ship_in[3] != 0
                )
                or ship_in[2] != 0
                and (
                    ship_in_now != 0
                    and False
                    or ship_in[1] != 0
                    and False
                    or ship_in[2] != 0
                    and False
                    or ship_in[3] != 0
                )
                or ship_in[3] != 0
                and (
                    ship_in_now != 0
                    and False
                    or ship_in[1] != 0
                    and False
                    or ship_in[2] != 0
                    and False
                    or ship_in[3] != 0
                    and False
                )
            )
            # play_cards (card.optional, card.two-per-turn)
            if not possible_Character_power_captain_now:
                m ^= 4
        broker_owner: Ints = s.broker_owner
        if m & 32:
            # possible_Character_power_herald (card.herald, card.herald-facing, card.herald-placing-rules, card.herald-timing, data.character-cards, data.character-timing)
            taken: int = squares_held(s)
            found_2: bool = False
            b: int
            for b in members(s.broker_alive):
                both_3: bool = bool(broker_owner[b] == p)
                if both_3:
                    broker_place_now: int = s.broker_place[b]
                    both_2: bool = bool(3 >> PLACE_PART[broker_place_now] & 1)
                    if both_2:
                        both: bool = bool(not s.locked >> broker_place_now & 1)
                        if both:
                            found_3: bool = False
                            x_: int
                            for x_ in range(28):
                                if x_ != broker_place_now and (
                                    3 >> PLACE_PART[x_] & 1
                                    and (
                                        USED[x_]
                                        and (
                                            not ON_CLOSED_LINE[x_]
                                            and (not taken >> x_ & 1 and not s.locked >> x_ & 1)
                                        )
                                    )
                                ):
                                    found_3 = True
                                    break
                            both = bool(found_3)
                        both_2 = bool(both)
                    both_3 = bool(both_2)
                if both_3:
                    found_2 = True
                    break
            # play_cards (card.optional, card.two-per-turn)
            if not found_2:
                m ^= 32
        if m & 256:
            # possible_pick_color (two.neutral-gem-color)
            possible_pick_color_now: bool = 15 & (s.bank & 63) != 0 if p < 2 else True
            # play_cards (card.optional, card.two-per-turn)
            if not possible_pick_color_now:
                m ^= 256
        if m & 512:
            # possible_Character_power_magician (card.magician, card.magician-queen, card.magician-facing-points, card.magician-timing, data.character-cards, data.character-timing)
            found_4: bool = False
            a: int
            for a in members(s.broker_alive):
                both_4: bool = bool(broker_owner[a] == p)
                if both_4:
                    both_5: bool = bool(not s.locked >> s.broker_place[a] & 1)
                    if both_5:
                        found_5: bool = False
                        b_2: int
                        for b_2 in members(s.broker_alive):
                            if broker_owner[b_2] == p and (
                                a < b_2 and not s.locked >> s.broker_place[b_2] & 1
                            ):
                                found_5 = True
                                break
                        both_5 = bool(found_5)
                    both_4 = bool(both_5)
                if both_4:
                    found_4 = True
                    break
            # play_cards (card.optional, card.two-per-turn)
            if not found_4:
                m ^= 512
        if m & 2048:
            # possible_Character_power_mercenary (card.mercenary, card.mercenary-timing, card.mercenary-everywhere, data.character-cards, data.character-timing)
            found_6: bool = False
            b_3: int
            for b_3 in members(s.broker_alive):
                if broker_owner[b_3] == p and (
                    3 >> PLACE_PART[s.broker_place[b_3]] & 1
                    and s.broker_placed_in[b_3] == s.round_number
                ):
                    found_6 = True
                    break
            # play_cards (card.optional, card.two-per-turn)
            if not found_6:
                m ^= 0x800
        s.opts = m | 0x10000
        s.pc = 16  # AT_PLAY_CARDS_PLAY_CARD
        s.who = p
        return 0 if m else FORCED
    if s.play_cards_back == 77:  # AT_CARD_WINDOW_BACK
        return 76  # AT_CARD_WINDOW_LOOP
    if s.play_cards_back == 230:  # AT_PLACING_TURN_BACK_2
        return placing_turn_back_2(s)
    return 223  # AT_PLACING_LOOP_2


def play_cards_play_card(s: State, v: int) -> int:
    """play_cards (card.optional, card.two-per-turn)"""
    p: int = s.play_cards_p
    c: int = v if v != 16 else -1
    s.pick_place_back = c  # play_cards_c
    if c < 0:
        if s.play_cards_back == 77:  # AT_CARD_WINDOW_BACK
            return card_window_loop(s)
        if s.play_cards_back == 230:  # AT_PLACING_TURN_BACK_2
            return placing_turn_back_2(s)
        return placing_loop_2(s)
    s.cards_played[p] += 1
    hand_now: int = s.hand[p]
    if not hand_now & BIT[c]:
        raise empty_zone(17, c, p)
    s.hand[p] = remove(hand_now, c, 16)
    s.in_play[p] = add(s.in_play[p], c, 16)
    if c == 0:
        # Character_power_alchemist (card.alchemist, card.alchemist-optional, card.alchemist-no-black-white, data.character-cards, data.character-timing)
        m: int = 15 & (s.owned[p] & 63)
        same: int = s.bank & 63
        given: int
        for given in members(m):
            if not 15 & (TAKEN_OTHER[given] & same):
                m ^= BIT[given]
        s.opts = m | 64
        s.pc = 1  # AT_CHARACTER_POWER_ALCHEMIST_ALCHEMIST_SWAP_GIVEN
        s.who = p
        return 0 if m else FORCED
    if c == 1:
        # Character_power_banker (card.banker, card.banker-both, card.banker-timing, data.character-cards, data.character-timing)
        m_2: int = 15
        quotation: Ints = s.quotation
        up: int
        for up in members(15):
            if quotation[up] >= 15:
                m_2 ^= BIT[up]
        for up in members(m_2):
            if not (
                up != 0
                and quotation[0] > 1
                or up != 1
                and quotation[1] > 1
                or up != 2
                and quotation[2] > 1
                or up != 3
                and quotation[3] > 1
            ):
                m_2 ^= BIT[up]
        if not m_2:
            raise no_option(18)
        s.opts = m_2
        s.pc = 3  # AT_CHARACTER_POWER_BANKER_BANKER_MOVES_UP
        s.who = p
        return 0 if m_2 & (m_2 - 1) else FORCED
    if c == 2:
        # Character_power_captain (card.captain, card.captain-current-ports, card.captain-timing, data.character-cards, data.character-timing)
        m_3: int = 0
        ship_in: Ints = s.ship_in
        ship_in_now: int = ship_in[0]
        if ship_in_now and (ship_in_now and False or ship_in[1] or ship_in[2] or ship_in[3]):
            m_3 |= 1
        ship_in_now_2: int = ship_in[1]
        if ship_in_now_2 and (
            ship_in_now and False or ship_in_now_2 and False or ship_in[2] or ship_in[3]
        ):
            m_3 |= 2
        if ship_in[2] and (
            ship_in_now and False or ship_in_now_2 and False or ship_in[2] and False or ship_in[3]
        ):
            m_3 |= 4
        if ship_in[3] and (
            ship_in_now
            and False
            or ship_in_now_2
            and False
            or ship_in[2]
            and False
            or ship_in[3]
            and False
        ):
            m_3 |= 8
        if not m_3:
            raise no_option(19)
        s.opts = m_3
        s.pc = 5  # AT_CHARACTER_POWER_CAPTAIN_CAPTAIN_SWAP_A
        s.who = p
        return 0 if m_3 & (m_3 - 1) else FORCED
    if c == 3:
        # Character_power_bishop (card.bishop, card.bishop-timing, data.character-cards, data.character-timing)
        s.free_facing[p] = True
        return play_cards_then_3(s)
    if c == 4:
        # Character_power_spy (card.spy, card.spy-timing, data.character-cards, data.character-timing)
        s.looks[p] = 3
        return play_cards_then_3(s)
    broker_owner: Ints = s.broker_owner
    broker_place: Ints = s.broker_place
    if c == 5:
        # Character_power_herald (card.herald, card.herald-facing, card.herald-placing-rules, card.herald-timing, data.character-cards, data.character-timing)
        taken: int = squares_held(s)
        s.Character_power_herald_taken = taken
        m_4: int = s.broker_alive
        b: int
        for b in members(m_4):
            if broker_owner[b] != p:
                m_4 ^= BIT[b]
        for b in members(m_4):
            if not 3 >> PLACE_PART[broker_place[b]] & 1:
                m_4 ^= BIT[b]
        for b in members(m_4):
            if s.locked >> broker_place[b] & 1:
                m_4 ^= BIT[b]
        for b in members(m_4):
            found: bool = False
            same_2: int = broker_place[b]
            x_: int
            for x_ in range(28):
                if x_ != same_2 and (
                    3 >> PLACE_PART[x_] & 1
                    and (
                        USED[x_]
                        and (
                            not ON_CLOSED_LINE[x_]
                            and (not taken >> x_ & 1 and not s.locked >> x_ & 1)
                        )
                    )
                ):
                    found = True
                    break
            if not found:
                m_4 ^= BIT[b]
        if not m_4:
            raise no_option(20)
        s.opts = m_4
        s.pc = 7  # AT_CHARACTER_POWER_HERALD_HERALD_MOVE_B
        s.who = p
        return 0 if m_4 & (m_4 - 1) else FORCED
    if c == 6:
        # Character_power_conjurer (card.conjurer, card.conjurer-timing, data.character-cards, data.character-timing)
        s.conjuring[p] = True
        return play_cards_then_3(s)
    if c == 7:
        # Character_power_intriguer (card.intriguer, card.intriguer-timing, data.character-cards, data.character-timing)
        s.intrigue[p] = True
        return play_cards_then_3(s)
    if c == 8:
        # Character_power_jeweller (card.jeweller, card.jeweller-timing, data.character-cards, data.character-timing)
        s.gain_color_who = p
        s.gain_color_back = 52  # AT_CHARACTER_POWER_JEWELLER_BACK
        return gain_color_2(s)
    if c == 9:
        # Character_power_magician (card.magician, card.magician-queen, card.magician-facing-points, card.magician-timing, data.character-cards, data.character-timing)
        m_5: int = s.broker_alive
        a: int
        for a in members(m_5):
            if broker_owner[a] != p:
                m_5 ^= BIT[a]
        for a in members(m_5):
            if s.locked >> broker_place[a] & 1:
                m_5 ^= BIT[a]
        for a in members(m_5):
            found_2: bool = False
            b_2: int
            for b_2 in members(s.broker_alive):
                if broker_owner[b_2] == p and (a < b_2 and not s.locked >> broker_place[b_2] & 1):
                    found_2 = True
                    break
            if not found_2:
                m_5 ^= BIT[a]
        if not m_5:
            raise no_option(21)
        s.opts = m_5
        s.pc = 9  # AT_CHARACTER_POWER_MAGICIAN_MAGICIAN_SWAP_A
        s.who = p
        return 0 if m_5 & (m_5 - 1) else FORCED
    if c == 10:
        # Character_power_merchant (card.merchant, card.merchant-timing, data.character-cards, data.character-timing)
        s.commercial_pay = 5
        return play_cards_then_3(s)
    if c == 11:
        # Character_power_mercenary (card.mercenary, card.mercenary-timing, card.mercenary-everywhere, data.character-cards, data.character-timing)
        m_6: int = s.broker_alive
        b_3: int
        for b_3 in members(m_6):
            if broker_owner[b_3] != p:
                m_6 ^= BIT[b_3]
        for b_3 in members(m_6):
            if not 3 >> PLACE_PART[broker_place[b_3]] & 1:
                m_6 ^= BIT[b_3]
        broker_placed_in: Ints = s.broker_placed_in
        for b_3 in members(m_6):
            if broker_placed_in[b_3] != s.round_number:
                m_6 ^= BIT[b_3]
        if not m_6:
            raise no_option(22)
        s.opts = m_6
        s.pc = 11  # AT_CHARACTER_POWER_MERCENARY_MERCENARY_MARK
        s.who = p
        return 0 if m_6 & (m_6 - 1) else FORCED
    if c == 12:
        # Character_power_queen (card.queen, card.queen-timing, data.character-cards, data.character-timing)
        m_7: int = 0xFFF & 0xFFFF1FF
        if not m_7:
            raise no_option(23)
        s.opts = m_7
        s.pc = 12  # AT_CHARACTER_POWER_QUEEN_QUEEN_AREA
        s.who = p
        return 0 if m_7 & (m_7 - 1) else FORCED
    if c == 13:
        return play_cards_then_3(s)
    if c == 14:
        return play_cards_then_3(s)
    return play_cards_then_3(s)


def play_cards_then_3(s: State) -> int:
    """play_cards (card.optional, card.two-per-turn)"""
    p: int = s.play_cards_p
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return 78  # AT_PLAY_CARDS_LOOP


def Character_power_alchemist_alchemist_swap_given(s: State, v: int) -> int:
    """Character_power_alchemist (card.alchemist, card.alchemist-optional, card.alchemist-no-black-white, data.character-cards, data.character-timing)"""
    p: int = s.play_cards_p
    given: int = v if v != 6 else -1
    s.Character_power_alchemist_given = given
    s.Character_power_alchemist_taken = -1
    if given >= 0:
        m: int = 15 & TAKEN_OTHER[given] & (s.bank & 63)
        if not m:
            raise no_option(25)
        s.opts = m
        s.pc = 2  # AT_CHARACTER_POWER_ALCHEMIST_ALCHEMIST_SWAP_TAKEN
        s.who = p
        return 0 if m & (m - 1) else FORCED
    # play_cards (card.optional, card.two-per-turn)
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return play_cards_loop(s)


def Character_power_alchemist_alchemist_swap_taken(s: State, taken: int) -> int:
    """Character_power_alchemist (card.alchemist, card.alchemist-optional, card.alchemist-no-black-white, data.character-cards, data.character-timing)"""
    s.Character_power_alchemist_taken = taken
    p: int = s.play_cards_p
    given: int = s.Character_power_alchemist_given
    if given >= 0 and taken >= 0:
        owned: list[int] = s.owned
        owned_now: int = owned[p]
        if not owned_now & BIT[given]:
            raise empty_zone(26, given, p)
        owned[p] = remove(owned_now, given, 6)
        s.bank = add(s.bank, given, 6)
        if not s.bank & BIT[taken]:
            raise empty_zone(27, taken)
        s.bank = remove(s.bank, taken, 6)
        owned[p] = add(owned[p], taken, 6)
    # play_cards (card.optional, card.two-per-turn)
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return play_cards_loop(s)


def Character_power_banker_banker_moves_up(s: State, up: int) -> int:
    """Character_power_banker (card.banker, card.banker-both, card.banker-timing, data.character-cards, data.character-timing)"""
    p: int = s.play_cards_p
    s.Character_power_banker_up = up
    m: int = 15 & TAKEN_OTHER[up]
    quotation: Ints = s.quotation
    down: int
    for down in members(m):
        if quotation[down] <= 1:
            m ^= BIT[down]
    if not m:
        raise no_option(18)
    s.opts = m
    s.pc = 4  # AT_CHARACTER_POWER_BANKER_BANKER_MOVES_DOWN
    s.who = p
    return 0 if m & (m - 1) else FORCED


def Character_power_banker_banker_moves_down(s: State, down: int) -> int:
    """Character_power_banker (card.banker, card.banker-both, card.banker-timing, data.character-cards, data.character-timing)"""
    up: int = s.Character_power_banker_up
    # shift (columns.bounds)
    quotation: Ints = s.quotation
    n: int = quotation[up] + 1
    quotation[up] = 1 if n < 1 else 15 if n > 15 else n
    n_2: int = quotation[down] + -1
    quotation[down] = 1 if n_2 < 1 else 15 if n_2 > 15 else n_2
    # play_cards (card.optional, card.two-per-turn)
    p: int = s.play_cards_p
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return play_cards_loop(s)


def Character_power_captain_captain_swap_a(s: State, a: int) -> int:
    """Character_power_captain (card.captain, card.captain-current-ports, card.captain-timing, data.character-cards, data.character-timing)"""
    p: int = s.play_cards_p
    s.Character_power_captain_a = a
    m: int = B_ABOVE[a]
    ship_in: Ints = s.ship_in
    b: int
    for b in members(m):
        if not ship_in[b]:
            m ^= BIT[b]
    if not m:
        raise no_option(19)
    s.opts = m
    s.pc = 6  # AT_CHARACTER_POWER_CAPTAIN_CAPTAIN_SWAP_B
    s.who = p
    return 0 if m & (m - 1) else FORCED


def Character_power_captain_captain_swap_b(s: State, b: int) -> int:
    """Character_power_captain (card.captain, card.captain-current-ports, card.captain-timing, data.character-cards, data.character-timing)"""
    a: int = s.Character_power_captain_a
    ship_in: Ints = s.ship_in
    ship_in_now: int = ship_in[a]
    s_: int = first_of(ship_in_now & 0xFFFF, 28)
    t: int = first_of(ship_in[b] & 0xFFFF, 29)
    if not ship_in_now >> s_ & 1:
        raise empty_zone(30, s_, a)
    piece: int = BIT[s_]
    ship_in[a] = ship_in_now ^ (piece << 16 if ship_in_now & piece << 16 else piece)
    ship_in_now_2: int = ship_in[b]
    ship_in[b] = ship_in_now_2 | (piece << 16 if ship_in_now_2 & piece else piece)
    ship_in_now_3: int = ship_in[b]
    if not ship_in_now_3 >> t & 1:
        raise empty_zone(31, t, b)
    piece_2: int = BIT[t]
    ship_in[b] = ship_in_now_3 ^ (piece_2 << 16 if ship_in_now_3 & piece_2 << 16 else piece_2)
    ship_in_now_4: int = ship_in[a]
    ship_in[a] = ship_in_now_4 | (piece_2 << 16 if ship_in_now_4 & piece_2 else piece_2)
    # play_cards (card.optional, card.two-per-turn)
    p: int = s.play_cards_p
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return play_cards_loop(s)


def Character_power_herald_herald_move_b(s: State, b: int) -> int:
    """Character_power_herald (card.herald, card.herald-facing, card.herald-placing-rules, card.herald-timing, data.character-cards, data.character-timing)"""
    p: int = s.play_cards_p
    taken: int = s.Character_power_herald_taken
    s.Character_power_herald_b = b
    m: int = X_OTHER[s.broker_place[b]] & 0xFFFF1FF & 0xFF00FFF & ~(taken | s.locked)
    x_: int
    for x_ in members(m):
        if not 3 >> PLACE_PART[x_] & 1:
            m ^= BIT[x_]
    if not m:
        raise no_option(20)
    s.opts = m
    s.pc = 8  # AT_CHARACTER_POWER_HERALD_HERALD_MOVE_X
    s.who = p
    return 0 if m & (m - 1) else FORCED


def Character_power_herald_herald_move_x(s: State, x_: int) -> int:
    """Character_power_herald (card.herald, card.herald-facing, card.herald-placing-rules, card.herald-timing, data.character-cards, data.character-timing)"""
    p: int = s.play_cards_p
    b: int = s.Character_power_herald_b
    if PLACE_PART[s.broker_place[b]] == 0:
        # market_bonus (market.bonus-point)
        if PLACE_PART[x_] == 1:
            s.score[p] += 1
            s.breakdown_[p * 5] += 1
    s.broker_place[b] = x_
    # play_cards (card.optional, card.two-per-turn)
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return play_cards_loop(s)


def Character_power_jeweller_back(s: State) -> int:
    """Character_power_jeweller (card.jeweller, card.jeweller-timing, data.character-cards, data.character-timing)"""
    s.gain_color_who = s.play_cards_p
    s.gain_color_back = 53  # AT_CHARACTER_POWER_JEWELLER_BACK_2
    return gain_color_2(s)


def Character_power_jeweller_back_2(s: State) -> int:
    """Character_power_jeweller (card.jeweller, card.jeweller-timing, data.character-cards, data.character-timing)"""
    # play_cards (card.optional, card.two-per-turn)
    p: int = s.play_cards_p
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return 78  # AT_PLAY_CARDS_LOOP


def Character_power_magician_magician_swap_a(s: State, a: int) -> int:
    """Character_power_magician (card.magician, card.magician-queen, card.magician-facing-points, card.magician-timing, data.character-cards, data.character-timing)"""
    p: int = s.play_cards_p
    s.Character_power_magician_a = a
    m: int = s.broker_alive & B_ABOVE_2[a]
    broker_owner: Ints = s.broker_owner
    b: int
    for b in members(m):
        if broker_owner[b] != p:
            m ^= BIT[b]
    broker_place: Ints = s.broker_place
    for b in members(m):
        if s.locked >> broker_place[b] & 1:
            m ^= BIT[b]
    if not m:
        raise no_option(21)
    s.opts = m
    s.pc = 10  # AT_CHARACTER_POWER_MAGICIAN_MAGICIAN_SWAP_B
    s.who = p
    return 0 if m & (m - 1) else FORCED


def Character_power_magician_magician_swap_b(s: State, b: int) -> int:
    """Character_power_magician (card.magician, card.magician-queen, card.magician-facing-points, card.magician-timing, data.character-cards, data.character-timing)"""
    a: int = s.Character_power_magician_a
    broker_place: Ints = s.broker_place
    there: int = broker_place[a]
    broker_place[a] = broker_place[b]
    broker_place[b] = there
    # play_cards (card.optional, card.two-per-turn)
    p: int = s.play_cards_p
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return play_cards_loop(s)


def Character_power_mercenary_mercenary_mark(s: State, b: int) -> int:
    """Character_power_mercenary (card.mercenary, card.mercenary-timing, card.mercenary-everywhere, data.character-cards, data.character-timing)"""
    s.broker_marked[b] = True
    # play_cards (card.optional, card.two-per-turn)
    p: int = s.play_cards_p
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return play_cards_loop(s)


def Character_power_queen_queen_area(s: State, x_: int) -> int:
    """Character_power_queen (card.queen, card.queen-timing, data.character-cards, data.character-timing)"""
    s.locked |= BIT[x_]
    # play_cards (card.optional, card.two-per-turn)
    p: int = s.play_cards_p
    c: int = s.pick_place_back  # play_cards_c
    if not CHARACTER_LASTING[c]:
        in_play_now: int = s.in_play[p]
        if not in_play_now & BIT[c]:
            raise empty_zone(24, c, p)
        s.in_play[p] = remove(in_play_now, c, 16)
        s.spent = add(s.spent, c, 16)
    return play_cards_loop(s)


def place_broker_end(s: State) -> int:
    """place_broker (place.city-or-market)"""
    if s.card_window_back == 236:  # AT_PLACE_BROKERS_BACK
        return 234  # AT_PLACE_BROKERS_LOOP
    if s.card_window_back == 237:  # AT_PLACE_BROKERS_BACK_2
        return 234  # AT_PLACE_BROKERS_LOOP
    if s.card_window_back == 238:  # AT_PLACE_BROKERS_BACK_3
        return place_brokers_back_3(s)
    # place_brokers (place.two-per-round, place.one-up-one-down)
    s.Character_power_alchemist_given = s.placing_p  # pick_place_p
    s.pick_place_back = 240  # AT_PLACE_BROKERS_BACK_5
    # pick_place (place.city-or-market)
    p: int = s.Character_power_alchemist_given  # pick_place_p
    taken: int = squares_held(s)
    s.Character_power_alchemist_taken = taken  # pick_place_taken
    m: int = 0xFFFF1FF & 0xFF00FFF & ~(taken | s.locked)
    x_: int
    for x_ in members(m):
        if not 3 >> PLACE_PART[x_] & 1:
            m ^= BIT[x_]
    if not m:
        raise no_option(4)
    s.opts = m
    s.pc = 26  # AT_PICK_PLACE_BROKER_PLACE
    s.who = p
    return 0 if m & (m - 1) else FORCED


def place_broker_back(s: State) -> int:
    """place_broker (place.city-or-market)"""
    p: int = s.card_window_p_place  # place_broker_p
    x_: int = s.value
    s.place_broker_x = x_
    # market_bonus (market.bonus-point)
    if PLACE_PART[x_] == 1:
        s.score[p] += 1
        s.breakdown_[p * 5] += 1
    # conjure (card.conjurer, card.conjurer-repeat)
    if not s.conjuring[p]:
        s.play_cards_back = False  # conjure_conjured
        return place_broker_then_2(s)
    s.opts = 3
    s.pc = 27  # AT_CONJURE_SOURCE
    s.who = p
    return 0


def place_broker_then_2(s: State) -> int:
    """place_broker (place.city-or-market)"""
    p: int = s.card_window_p_place  # place_broker_p
    face_up: bool = s.card_window_w != 0
    conjured: bool = s.play_cards_back != 0
    if conjured:
        if s.card_window_back == 236:  # AT_PLACE_BROKERS_BACK
            return 234  # AT_PLACE_BROKERS_LOOP
        if s.card_window_back == 237:  # AT_PLACE_BROKERS_BACK_2
            return 234  # AT_PLACE_BROKERS_LOOP
        if s.card_window_back == 238:  # AT_PLACE_BROKERS_BACK_3
            return place_brokers_back_3(s)
        # place_brokers (place.two-per-round, place.one-up-one-down)
        s.Character_power_alchemist_given = s.placing_p  # pick_place_p
        s.pick_place_back = 240  # AT_PLACE_BROKERS_BACK_5
        # pick_place (place.city-or-market)
        p_2: int = s.Character_power_alchemist_given  # pick_place_p
        taken: int = squares_held(s)
        s.Character_power_alchemist_taken = taken  # pick_place_taken
        m_3: int = 0xFFFF1FF & 0xFF00FFF & ~(taken | s.locked)
        x_: int
        for x_ in members(m_3):
            if not 3 >> PLACE_PART[x_] & 1:
                m_3 ^= BIT[x_]
        if not m_3:
            raise no_option(4)
        s.opts = m_3
        s.pc = 26  # AT_PICK_PLACE_BROKER_PLACE
        s.who = p_2
        return 0 if m_3 & (m_3 - 1) else FORCED
    if face_up:
        m: int = s.screen[p] & 31
        if not m:
            raise no_option(32)
        s.opts = m
        s.pc = 24  # AT_PLACE_BROKER_BROKER_UP
        s.who = p
        return 0
    m_2: int = s.screen[p] & 31
    if not m_2:
        raise no_option(33)
    s.opts = m_2
    s.pc = 25  # AT_PLACE_BROKER_BROKER_DOWN
    s.who = p
    return 0


def conjure_source(s: State, source: int) -> int:
    """conjure (card.conjurer, card.conjurer-repeat)"""
    if source == 0:
        p: int = s.card_window_p_place  # place_broker_p
        face_up: bool = s.card_window_w != 0
        if face_up:
            m: int = s.front[p] & 31 & (31 if s.screen[p] & 31 & 31 else 0)
            if not m:
                raise no_option(34)
            s.opts = m
            s.pc = 28  # AT_CONJURE_CONJURED_UP_V
            s.who = p
            return 0
        m_2: int = s.front[p] & 31 & (31 if s.screen[p] & 31 & 31 else 0)
        if not m_2:
            raise no_option(35)
        s.opts = m_2
        s.pc = 30  # AT_CONJURE_CONJURED_DOWN_W
        s.who = p
        return 0
    if source == 1:
        s.play_cards_back = False  # conjure_conjured
        return place_broker_then_2(s)
    p_2: int = s.card_window_p_place  # place_broker_p
    face_up_2: bool = s.card_window_w != 0
    if face_up_2:
        m_3: int = s.front[p_2] & 31 & (31 if s.screen[p_2] & 31 & 31 else 0)
        if not m_3:
            raise no_option(34)
        s.opts = m_3
        s.pc = 28  # AT_CONJURE_CONJURED_UP_V
        s.who = p_2
        return 0
    m_4: int = s.front[p_2] & 31 & (31 if s.screen[p_2] & 31 & 31 else 0)
    if not m_4:
        raise no_option(35)
    s.opts = m_4
    s.pc = 30  # AT_CONJURE_CONJURED_DOWN_W
    s.who = p_2
    return 0


def conjure_conjured_up_v(s: State, v_: int) -> int:
    """conjure (card.conjurer, card.conjurer-repeat)"""
    p: int = s.card_window_p_place  # place_broker_p
    s.play_cards_p = v_  # conjure_v
    m: int = s.screen[p] & 31
    if not m:
        raise no_option(34)
    s.opts = m
    s.pc = 29  # AT_CONJURE_CONJURED_UP_U
    s.who = p
    return 0


def conjure_conjured_up_u(s: State, u: int) -> int:
    """conjure (card.conjurer, card.conjurer-repeat)"""
    p: int = s.card_window_p_place  # place_broker_p
    x_: int = s.place_broker_x
    v_: int = s.play_cards_p  # conjure_v
    front: Ints = s.front
    front_now: int = front[p]
    if not front_now >> v_ & 1:
        raise empty_zone(36, v_, p)
    front[p] = remove(front_now, v_, 5)
    b: int = first(~s.broker_alive)
    if b >= 32:
        raise list_too_long(36, b + 1, 32)
    s.broker_alive |= BIT[b]
    s.broker_value[b] = v_
    s.broker_owner[b] = p
    s.broker_known[b] = 3
    s.broker_guess[b] = front_now & 31
    s.broker_place[b] = x_
    s.broker_up[b] = True
    s.broker_shows[b] = STRENGTH_WORTH[v_]
    s.broker_marked[b] = False
    s.broker_placed_in[b] = s.round_number
    screen_now: int = s.screen[p]
    if not screen_now >> u & 1:
        raise empty_zone(37, u, p)
    s.screen[p] = remove(screen_now, u, 5)
    front[p] = add(front[p], u, 5)
    s.play_cards_back = True  # conjure_conjured
    return place_broker_then_2(s)


def conjure_conjured_down_w(s: State, w: int) -> int:
    """conjure (card.conjurer, card.conjurer-repeat)"""
    p: int = s.card_window_p_place  # place_broker_p
    s.play_cards_w = w  # conjure_w
    m: int = s.screen[p] & 31
    if not m:
        raise no_option(35)
    s.opts = m
    s.pc = 31  # AT_CONJURE_CONJURED_DOWN_T
    s.who = p
    return 0


def conjure_conjured_down_t(s: State, t: int) -> int:
    """conjure (card.conjurer, card.conjurer-repeat)"""
    p: int = s.card_window_p_place  # place_broker_p
    x_: int = s.place_broker_x
    w: int = s.play_cards_w  # conjure_w
    front: Ints = s.front
    front_now: int = front[p]
    if not front_now >> w & 1:
        raise empty_zone(38, w, p)
    front[p] = remove(front_now, w, 5)
    c: int = first(~s.broker_alive)
    if c >= 32:
        raise list_too_long(38, c + 1, 32)
    s.broker_alive |= BIT[c]
    s.broker_value[c] = w
    s.broker_owner[c] = p
    broker_known: Ints = s.broker_known
    broker_known[c] = 0
    s.broker_guess[c] = front_now & 31
    s.broker_place[c] = x_
    s.broker_up[c] = False
    s.broker_shows[c] = 0
    s.broker_marked[c] = False
    s.broker_placed_in[c] = s.round_number
    broker_known[c] |= BIT[p]
    screen_now: int = s.screen[p]
    if not screen_now >> t & 1:
        raise empty_zone(39, t, p)
    s.screen[p] = remove(screen_now, t, 5)
    front[p] = add(front[p], t, 5)
    if w != t:
        broker_known[c] = 3
    s.play_cards_back = True  # conjure_conjured
    return place_broker_then_2(s)


def place_broker_broker_up(s: State, v_: int) -> int:
    """place_broker (place.city-or-market)"""
    p: int = s.card_window_p_place  # place_broker_p
    x_: int = s.place_broker_x
    screen_now: int = s.screen[p]
    if not screen_now >> v_ & 1:
        raise empty_zone(40, v_, p)
    s.screen[p] = remove(screen_now, v_, 5)
    b: int = first(~s.broker_alive)
    if b >= 32:
        raise list_too_long(40, b + 1, 32)
    s.broker_alive |= BIT[b]
    s.broker_value[b] = v_
    s.broker_owner[b] = p
    s.broker_known[b] = 3
    s.broker_guess[b] = 31
    s.broker_place[b] = x_
    s.broker_up[b] = True
    s.broker_shows[b] = STRENGTH_WORTH[v_]
    s.broker_marked[b] = False
    s.broker_placed_in[b] = s.round_number
    return place_broker_end(s)


def place_broker_broker_down(s: State, u: int) -> int:
    """place_broker (place.city-or-market)"""
    p: int = s.card_window_p_place  # place_broker_p
    x_: int = s.place_broker_x
    screen_now: int = s.screen[p]
    if not screen_now >> u & 1:
        raise empty_zone(41, u, p)
    s.screen[p] = remove(screen_now, u, 5)
    c: int = first(~s.broker_alive)
    if c >= 32:
        raise list_too_long(41, c + 1, 32)
    s.broker_alive |= BIT[c]
    s.broker_value[c] = u
    s.broker_owner[c] = p
    broker_known: Ints = s.broker_known
    broker_known[c] = 0
    s.broker_guess[c] = 31
    s.broker_place[c] = x_
    s.broker_up[c] = False
    s.broker_shows[c] = 0
    s.broker_marked[c] = False
    s.broker_placed_in[c] = s.round_number
    broker_known[c] |= BIT[p]
    return place_broker_end(s)


def pick_place_broker_place(s: State, x_: int) -> int:
    """pick_place (place.city-or-market)"""
    s.value = x_
    if s.pick_place_back == 240:  # AT_PLACE_BROKERS_BACK_5
        # place_brokers (place.two-per-round, place.one-up-one-down)
        p: int = s.placing_p
        s.place_brokers_x = x_
        # market_bonus (market.bonus-point)
        if PLACE_PART[x_] == 1:
            s.score[2] += 1
            s.breakdown_[2 * 5] += 1
        # place_brokers (place.two-per-round, place.one-up-one-down)
        m: int = s.neutral_hand[p] & 31
        if not m:
            raise no_option(3)
        s.opts = m
        s.pc = 23  # AT_PLACE_BROKERS_NEUTRAL_BROKER
        s.who = p
        return 0
    # place_broker (place.city-or-market)
    p_2: int = s.card_window_p_place  # place_broker_p
    s.place_broker_x = x_
    # market_bonus (market.bonus-point)
    if PLACE_PART[x_] == 1:
        s.score[p_2] += 1
        s.breakdown_[p_2 * 5] += 1
    # conjure (card.conjurer, card.conjurer-repeat)
    if not s.conjuring[p_2]:
        s.play_cards_back = False  # conjure_conjured
        return place_broker_then_2(s)
    s.opts = 3
    s.pc = 27  # AT_CONJURE_SOURCE
    s.who = p_2
    return 0


def win_gem_back(s: State) -> int:
    """win_gem (gems.white-exchange, gems.owned-visible)"""
    if s.card_window_back == 154:  # AT_TAKE_FROM_OFFER_BACK
        return 141  # AT_COUNT_GEMS_LOOP_2
    if s.card_window_back == 166:  # AT_COUNT_PORT_BACK
        return count_neighborhood_then_2(s)
    return 192  # AT_COUNT_LINE_LOOP


def gain_color_then(s: State) -> int:
    """gain_color (gems.white-exchange)"""
    who: int = s.gain_color_who
    g: int = s.pick_color_g
    if not s.bank & BIT[g]:
        raise empty_zone(42, g)
    s.bank = remove(s.bank, g, 6)
    s.owned[who] = add(s.owned[who], g, 6)
    if s.gain_color_back == 52:  # AT_CHARACTER_POWER_JEWELLER_BACK
        # Character_power_jeweller (card.jeweller, card.jeweller-timing, data.character-cards, data.character-timing)
        s.gain_color_who = s.play_cards_p
        s.gain_color_back = 53  # AT_CHARACTER_POWER_JEWELLER_BACK_2
        return gain_color_2(s)
    if s.gain_color_back == 53:  # AT_CHARACTER_POWER_JEWELLER_BACK_2
        # play_cards (card.optional, card.two-per-turn)
        p: int = s.play_cards_p
        c: int = s.pick_place_back  # play_cards_c
        if not CHARACTER_LASTING[c]:
            in_play_now: int = s.in_play[p]
            if not in_play_now & BIT[c]:
                raise empty_zone(24, c, p)
            s.in_play[p] = remove(in_play_now, c, 16)
            s.spent = add(s.spent, c, 16)
        return 78  # AT_PLAY_CARDS_LOOP
    if s.gain_color_back == 62:  # AT_CHARACTER_AT_WIN_WHITE_GEM_BACK
        return 175  # AT_COUNT_PALACE_LOOP
    if s.gain_color_back == 93:  # AT_KEEP_CHARACTER_BACK
        return 175  # AT_COUNT_PALACE_LOOP
    # win_gem (gems.white-exchange, gems.owned-visible)
    if s.card_window_back == 154:  # AT_TAKE_FROM_OFFER_BACK
        return 141  # AT_COUNT_GEMS_LOOP_2
    if s.card_window_back == 166:  # AT_COUNT_PORT_BACK
        return count_neighborhood_then_2(s)
    return 192  # AT_COUNT_LINE_LOOP


def ask_color_gem_color(s: State, g: int) -> int:
    """ask_color (gems.white-exchange, characters.blue-exchange, card.blue, card.jeweller)"""
    # pick_color (two.neutral-gem-color)
    s.pick_color_g = g
    return gain_color_then(s)


def reveal_brokers(s: State, xs: int) -> None:
    """reveal_brokers (count.reveal-neighborhood, market.reveal)"""
    broker_up: Ints = s.broker_up
    broker_place: Ints = s.broker_place
    broker_known: Ints = s.broker_known
    broker_shows: Ints = s.broker_shows
    b: int
    for b in members(s.broker_alive):
        if xs >> broker_place[b] & 1 and not broker_up[b]:
            broker_known[b] = 3
            broker_shows[b] = STRENGTH_WORTH[s.broker_value[b]]
            broker_up[b] = True
    neutralbroker_place: Ints = s.neutralbroker_place
    neutralbroker_known: Ints = s.neutralbroker_known
    neutralbroker_shows: Ints = s.neutralbroker_shows
    b_2: int
    for b_2 in members(s.neutralbroker_alive):
        if xs >> neutralbroker_place[b_2] & 1:
            neutralbroker_known[b_2] = 3
            neutralbroker_shows[b_2] = STRENGTH_WORTH[s.neutralbroker_value[b_2]]


def return_brokers(s: State, xs: int) -> None:
    """return_brokers (count.brokers-return, count.all-brokers-back)"""
    broker_place: Ints = s.broker_place
    broker_owner: Ints = s.broker_owner
    screen: Ints = s.screen
    broker_value: Ints = s.broker_value
    broker_known: Ints = s.broker_known
    broker_guess: Ints = s.broker_guess
    broker_up: Ints = s.broker_up
    broker_shows: Ints = s.broker_shows
    broker_marked: Ints = s.broker_marked
    broker_placed_in: Ints = s.broker_placed_in
    b: int
    for b in members(s.broker_alive):
        if xs >> broker_place[b] & 1:
            broker_owner_now: int = broker_owner[b]
            screen[broker_owner_now] = add(screen[broker_owner_now], broker_value[b], 5)
            s.broker_alive &= ~BIT[b]
            broker_value[b] = 0
            broker_owner[b] = 0
            broker_known[b] = 0
            broker_guess[b] = 0
            broker_place[b] = 0
            broker_up[b] = 0
            broker_shows[b] = 0
            broker_marked[b] = 0
            broker_placed_in[b] = 0
    neutralbroker_place: Ints = s.neutralbroker_place
    neutralbroker_owner: Ints = s.neutralbroker_owner
    neutral_hand: Ints = s.neutral_hand
    neutralbroker_value: Ints = s.neutralbroker_value
    neutralbroker_known: Ints = s.neutralbroker_known
    neutralbroker_guess: Ints = s.neutralbroker_guess
    neutralbroker_shows: Ints = s.neutralbroker_shows
    b_2: int
    for b_2 in members(s.neutralbroker_alive):
        if xs >> neutralbroker_place[b_2] & 1:
            neutralbroker_owner_now: int = neutralbroker_owner[b_2]
            neutral_hand[neutralbroker_owner_now] = add(
                neutral_hand[neutralbroker_owner_now], neutralbroker_value[b_2], 5
            )
            s.neutralbroker_alive &= ~BIT[b_2]
            neutralbroker_value[b_2] = 0
            neutralbroker_owner[b_2] = 0
            neutralbroker_known[b_2] = 0
            neutralbroker_guess[b_2] = 0
            neutralbroker_place[b_2] = 0
            neutralbroker_shows[b_2] = 0


def refresh(s: State) -> None:
    """Work out the pending decision's options again, from what is hidden now."""
    pc_now: int = s.pc
    screen: Ints = s.screen
    if pc_now == 13:  # AT_BID_BID_BROKERS_1
        p: int = s.bid_p
        screen_now: int = screen[p]
        m: int = screen_now & 31
        same: int = m
        bids_1: int
        for bids_1 in members(m):
            if not same & (
                BIDS_2_FROM[bids_1]
                & (BIDS_2_OTHER[bids_1] | (31 if count(screen_now, bids_1, 5) > 1 else 0))
            ):
                m ^= BIT[bids_1]
        s.opts = m
    if pc_now == 14:  # AT_BID_BID_BROKERS_2
        p_2: int = s.bid_p
        bids_2: int = s.bid_bids_1
        screen_now_2: int = screen[p_2]
        s.opts = (
            screen_now_2
            & 31
            & (
                BIDS_2_FROM[bids_2]
                & (BIDS_2_OTHER[bids_2] | (31 if count(screen_now_2, bids_2, 5) > 1 else 0))
            )
        )
    if pc_now == 23:  # AT_PLACE_BROKERS_NEUTRAL_BROKER
        p_3: int = s.placing_p
        s.opts = s.neutral_hand[p_3] & 31
    if pc_now == 28:  # AT_CONJURE_CONJURED_UP_V
        p_4: int = s.card_window_p_place  # place_broker_p
        s.opts = s.front[p_4] & 31 & (31 if screen[p_4] & 31 & 31 else 0)
    if pc_now == 29:  # AT_CONJURE_CONJURED_UP_U
        p_5: int = s.card_window_p_place  # place_broker_p
        s.opts = screen[p_5] & 31
    if pc_now == 30:  # AT_CONJURE_CONJURED_DOWN_W
        p_6: int = s.card_window_p_place  # place_broker_p
        s.opts = s.front[p_6] & 31 & (31 if screen[p_6] & 31 & 31 else 0)
    if pc_now == 31:  # AT_CONJURE_CONJURED_DOWN_T
        p_7: int = s.card_window_p_place  # place_broker_p
        s.opts = screen[p_7] & 31
    if pc_now == 24:  # AT_PLACE_BROKER_BROKER_UP
        p_8: int = s.card_window_p_place  # place_broker_p
        s.opts = screen[p_8] & 31
    if pc_now == 25:  # AT_PLACE_BROKER_BROKER_DOWN
        p_9: int = s.card_window_p_place  # place_broker_p
        s.opts = screen[p_9] & 31


def rank_keys(s: State) -> list[tuple[int, int, int]]:
    """For the final ranking: the participant, then the keys that rank it."""
    rows: list[tuple[int, int, int]] = []
    owned: list[int] = s.owned
    score: Ints = s.score
    p: int
    for p in (0, 1):
        rows.append((p, score[p], size(owned[p])))
    return rows


def heuristic(s: State, p: int) -> int:
    """How good the position looks for a player."""
    owned: list[int] = s.owned
    owned_now: int = owned[p]
    n: int = count(owned_now, 4, 6)
    # gem_outlook
    rows: list[tuple[int, int, int]] = []
    quotation: Ints = s.quotation
    g: int
    for g in (0, 1, 2, 3):
        rows.append((quotation[g], -GEM_COLUMN[g], g))
    order: list[int] = sorted_by(rows)
    sum_: int = 0
    g_2: int = item(order, 1)
    mine: int = count(owned_now, g_2, 6)
    if mine > 0:
        all_of: int = count(owned[0], g_2, 6) + count(owned[1], g_2, 6) + count(owned[2], g_2, 6)
        by_share: int = 600 * mine // (all_of + 4 - s.turn_number)
        sum_ = (
            0
            + (
                times(s.turn_number * 10, color_points(s, p, 0))
                + times(5 - s.turn_number, by_share)
            )
            // 5
        )
    g_2 = item(order, 2)
    mine = count(owned_now, g_2, 6)
    if mine > 0:
        all_of = count(owned[0], g_2, 6) + count(owned[1], g_2, 6) + count(owned[2], g_2, 6)
        by_share = 500 * mine // (all_of + 4 - s.turn_number)
        sum_ = (
            sum_
            + (
                times(s.turn_number * 10, color_points(s, p, 1))
                + times(5 - s.turn_number, by_share)
            )
            // 5
        )
    g_2 = item(order, 3)
    mine = count(owned_now, g_2, 6)
    if mine > 0:
        all_of = count(owned[0], g_2, 6) + count(owned[1], g_2, 6) + count(owned[2], g_2, 6)
        by_share = 400 * mine // (all_of + 4 - s.turn_number)
        sum_ = (
            sum_
            + (
                times(s.turn_number * 10, color_points(s, p, 2))
                + times(5 - s.turn_number, by_share)
            )
            // 5
        )
    g_2 = item(order, 4)
    mine = count(owned_now, g_2, 6)
    if mine > 0:
        all_of = count(owned[0], g_2, 6) + count(owned[1], g_2, 6) + count(owned[2], g_2, 6)
        by_share = 300 * mine // (all_of + 4 - s.turn_number)
        sum_ = (
            sum_
            + (
                times(s.turn_number * 10, color_points(s, p, 3))
                + times(5 - s.turn_number, by_share)
            )
            // 5
        )
    # board_outlook
    sum_2: int = 0
    n_2: int
    for n_2 in (0, 1, 2, 3):
        if present(s, p, AREAS_OF[n_2]):
            halves: int = rivals_ahead(s, p, AREAS_OF[n_2])
            sum_2 = sum_2 + (
                60
                if halves == 0
                else 48 if halves == 1 else 34 if halves <= 4 else 12 if halves == 5 else 4
            )
            if present(s, p, AREA_OF[n_2 * 3]):
                xs: int = AREA_OF[n_2 * 3]
                # first_place
                halves_2: int = rivals_ahead(s, p, xs)
                first_place_now: int = 32 if halves_2 == 0 else 32 // 2 if halves_2 == 1 else 0
                # board_outlook
                sum_2 = sum_2 + first_place_now
            if present(s, p, AREA_OF[n_2 * 3 + 1]):
                xs_2: int = AREA_OF[n_2 * 3 + 1]
                prize: int = 10 * s.commercial_pay
                # first_place
                halves_3: int = rivals_ahead(s, p, xs_2)
                first_place_now_2: int = (
                    prize if halves_3 == 0 else prize // 2 if halves_3 == 1 else 0
                )
                # board_outlook
                sum_2 = sum_2 + first_place_now_2
            if present(s, p, AREA_OF[n_2 * 3 + 2]) and s.character_at[n_2]:
                xs_3: int = AREA_OF[n_2 * 3 + 2]
                # first_place
                halves_4: int = rivals_ahead(s, p, xs_3)
                first_place_now_3: int = 34 if halves_4 == 0 else 34 // 2 if halves_4 == 1 else 0
                # board_outlook
                sum_2 = sum_2 + first_place_now_3
    if present(s, p, 0xFFFF000):
        if s.stall[2] and present(s, p, 0xF00000):
            # first_place
            halves_5: int = rivals_ahead(s, p, 0xF00000)
            first_place_now_4: int = 30 if halves_5 == 0 else 30 // 2 if halves_5 == 1 else 0
            # board_outlook
            sum_2 = sum_2 + first_place_now_4
        if s.stall[3] and present(s, p, 0xF000000):
            # first_place
            halves_6: int = rivals_ahead(s, p, 0xF000000)
            first_place_now_5: int = 30 if halves_6 == 0 else 30 // 2 if halves_6 == 1 else 0
            # board_outlook
            sum_2 = sum_2 + first_place_now_5
        # first_place
        halves_7: int = rivals_ahead(s, p, 0xFFFF000)
        first_place_now_6: int = 15 if halves_7 == 0 else 15 // 2 if halves_7 == 1 else 0
        # board_outlook
        sum_2 = sum_2 + first_place_now_6
    screen_now: int = s.screen[p]
    return (
        10 * s.score[p]
        + 10 * item(LIST_3, (n if n < 7 else 7) + 1)
        + sum_
        + sum_2
        + 25 * size(s.hand[p])
        + 25 * size(s.won[p])
        + (4 - s.round_number)
        * (
            0 * count(screen_now, 0, 5)
            + count(screen_now, 1, 5)
            + 2 * count(screen_now, 2, 5)
            + 3 * count(screen_now, 3, 5)
            + 4 * count(screen_now, 4, 5)
        )
    )


def squares_held(s: State) -> int:
    """squares_held (place.market-one-per-square)"""
    # squares_held_base (place.market-one-per-square)
    found_2: int = 0
    broker_place: Ints = s.broker_place
    b_2: int
    for b_2 in members(s.broker_alive):
        if PLACE_PART[broker_place[b_2]] == 1:
            found_2 = found_2 | BIT[broker_place[b_2]]
    # squares_held (place.market-one-per-square)
    those: int = 0
    neutralbroker_place: Ints = s.neutralbroker_place
    x_: int
    for x_ in members(0xFFFF000):
        found: bool = False
        b: int
        for b in members(s.neutralbroker_alive):
            if neutralbroker_place[b] == x_:
                found = True
                break
        if not found:
            continue
        those |= BIT[x_]
    result: int = found_2 | those
    return result


def present(s: State, who: int, xs: int) -> bool:
    """present (count.neighborhood-total, zero-broker.area, zero-broker.line, zero-broker.neighborhood)"""
    found: bool = False
    broker_owner: Ints = s.broker_owner
    b: int
    for b in members(s.broker_alive):
        if broker_owner[b] == who and xs >> s.broker_place[b] & 1:
            found = True
            break
    either: bool = bool(found)
    if not either:
        found_2: bool = False
        b_2: int
        for b_2 in members(s.neutralbroker_alive):
            if who == 2 and xs >> s.neutralbroker_place[b_2] & 1:
                found_2 = True
                break
        either = bool(found_2)
    return either


def total(s: State, who: int, xs: int) -> int:
    """total (brokers.values, count.neighborhood-total, count.area-total)"""
    # total_base (brokers.values, count.neighborhood-total, count.area-total)
    total_2: int = 0
    broker_owner: Ints = s.broker_owner
    broker_marked: Ints = s.broker_marked
    b_2: int
    for b_2 in members(s.broker_alive):
        if not (broker_owner[b_2] == who and xs >> s.broker_place[b_2] & 1):
            continue
        total_2 += 5 if broker_marked[b_2] else s.broker_shows[b_2]
    # total (brokers.values, count.neighborhood-total, count.area-total)
    total_: int = 0
    neutralbroker_shows: Ints = s.neutralbroker_shows
    b: int
    for b in members(s.neutralbroker_alive):
        if not (who == 2 and xs >> s.neutralbroker_place[b] & 1):
            continue
        total_ += neutralbroker_shows[b]
    result: int = total_2 + total_
    return result


def tie_favor(s: State, who: int) -> int:
    """tie_favor (card.intriguer)"""
    result: int = 2 if s.intrigue[who] else 0
    result = 1 if who == 2 else result
    return result


def winner(s: State, xs: int) -> int:
    """winner (count.single-winner, count.tie-everywhere)"""
    rows: list[tuple[int, int, int, int, int]] = []
    w: int
    for w in (0, 1, 2):
        if not present(s, w, xs):
            continue
        if w < 2:
            front_now: int = s.front[w]
            picked: int = (
                0 * count(front_now, 0, 5)
                + count(front_now, 1, 5)
                + 2 * count(front_now, 2, 5)
                + 3 * count(front_now, 3, 5)
                + 4 * count(front_now, 4, 5)
            )
        else:
            picked = 0
        rows.append(
            (total(s, w, xs), tie_favor(s, w), picked, -(s.order_card[w] if w < 2 else 0), w)
        )
    order: list[int] = sorted_by(rows)
    if len(order) == 0:
        return -1
    return item(order, 1)


def color_points(s: State, who: int, r: int) -> int:
    """color_points (final.gem-table)"""
    rows: list[tuple[int, int, int]] = []
    quotation: Ints = s.quotation
    g: int
    for g in (0, 1, 2, 3):
        rows.append((quotation[g], -GEM_COLUMN[g], g))
    order: list[int] = sorted_by(rows)
    g_2: int = item(order, GEM_RANK_NUMBER[r])
    # gem_place_base (final.tied-share-lowest, final.tie-no-breaker)
    owned_now: int = s.owned[who]
    result: int = (
        0
        if count(owned_now, g_2, 6) == 0
        else (1 if count(s.owned[0], g_2, 6) >= count(owned_now, g_2, 6) else 0)
        + (1 if count(s.owned[1], g_2, 6) >= count(owned_now, g_2, 6) else 0)
        + (1 if count(s.owned[2], g_2, 6) >= count(owned_now, g_2, 6) else 0)
    )
    # gem_place (final.tied-share-lowest, final.tie-no-breaker)
    result = 3 if who == 2 and count(owned_now, g_2, 6) == 0 else result
    # color_points (final.gem-table)
    if result == 0:
        return 0
    return item(GEM_RANK_POINTS[r], result)


def rivals_ahead(s: State, p: int, xs: int) -> int:
    """rivals_ahead"""
    # force
    total_: int = 0
    broker_place: Ints = s.broker_place
    broker_owner: Ints = s.broker_owner
    broker_value: Ints = s.broker_value
    broker_marked: Ints = s.broker_marked
    b: int
    for b in members(s.broker_alive):
        if not (broker_owner[b] == p and xs >> broker_place[b] & 1):
            continue
        total_ += 5 if broker_marked[b] else STRENGTH_WORTH[broker_value[b]]
    # rivals_ahead
    halves: int = 0
    w: int
    for w in (0, 1, 2):
        if w != p and present(s, w, xs):
            # force
            total_2: int = 0
            b_2: int
            for b_2 in members(s.broker_alive):
                if not (broker_owner[b_2] == w and xs >> broker_place[b_2] & 1):
                    continue
                total_2 += 5 if broker_marked[b_2] else STRENGTH_WORTH[broker_value[b_2]]
            # rivals_ahead
            if total_2 > total_:
                halves = halves + 2
            elif total_2 == total_:
                halves = halves + 1
    return halves


def lost_decision(s: State, v: int) -> int:
    raise lost(s.pc)


def lost_point(s: State) -> int:
    raise lost(-1)


# what goes on after each decision, and at each other point, by number
# fmt: off
DECISIONS: Final = [
    lost_decision, Character_power_alchemist_alchemist_swap_given,
    Character_power_alchemist_alchemist_swap_taken, Character_power_banker_banker_moves_up,
    Character_power_banker_banker_moves_down, Character_power_captain_captain_swap_a,
    Character_power_captain_captain_swap_b, Character_power_herald_herald_move_b,
    Character_power_herald_herald_move_x, Character_power_magician_magician_swap_a,
    Character_power_magician_magician_swap_b, Character_power_mercenary_mercenary_mark,
    Character_power_queen_queen_area, bid_bid_brokers_1, bid_bid_brokers_2,
    choose_order_turn_place, play_cards_play_card, ask_color_gem_color, ask_offer_port_gem,
    count_columns_stronger_column, ask_quotation_quotation_move_g,
    ask_quotation_quotation_move_d, place_brokers_facing, place_brokers_neutral_broker,
    place_broker_broker_up, place_broker_broker_down, pick_place_broker_place, conjure_source,
    conjure_conjured_up_v, conjure_conjured_up_u, conjure_conjured_down_w,
    conjure_conjured_down_t, spy_looks_spy_look,
]
POINTS: Final = [
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, Character_power_jeweller_back,
    Character_power_jeweller_back_2, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, Character_at_win_white_gem_back, bid_loop,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    choose_order_loop, lost_point, lost_point, lost_point, lost_point, card_window_loop,
    card_window_back, play_cards_loop, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, keep_character_back, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, win_gem_back, lost_point, lost_point,
    counting_back, counting_loop, lost_point, lost_point, counting_back_2, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, count_gems_loop, count_gems_loop_2, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, take_from_offer_back, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, count_port_back, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, count_palace_loop, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, count_market_loop, lost_point, lost_point, lost_point,
    lost_point, count_line_loop, lost_point, lost_point, count_line_back, lost_point,
    count_columns_loop, lost_point, count_columns_loop_2, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, placing_back, placing_loop, lost_point,
    placing_loop_2, lost_point, placing_loop_3, placing_back_2, lost_point, lost_point,
    placing_turn_back, placing_turn_back_2, lost_point, placing_turn_back_3, lost_point,
    place_brokers_loop, lost_point, place_brokers_back, place_brokers_back_2,
    place_brokers_back_3, place_brokers_back_4, place_brokers_back_5, lost_point, lost_point,
    place_broker_back, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    lost_point, lost_point, lost_point, lost_point, lost_point, lost_point, lost_point,
    spy_looks_loop, lost_point, lost_point, lost_point, lost_point, lost_point, play_loop,
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
        [0] * 2,
        [],
        [0] * 2,
        [8] * 6,
        [0] * 6,
        [0] * 2,
        [0] * 2,
        [0] * 2,
        [0] * 2,
        [0] * 3,
        3,
        0,
        0,
        [0] * 3,
        [0] * 15,
        [146431] * 2,
        [0] * 2,
        [0] * 2,
        [0] * 2,
        0,
        [0] * 32,
        [0] * 32,
        [0] * 32,
        [0] * 32,
        [0] * 32,
        [0] * 32,
        [0] * 32,
        [0] * 32,
        [0] * 32,
        364879890682354490422902433965290344773682537009512447,
        0,
        [0] * 4,
        0,
        [0] * 3,
        859045887,
        [0] * 4,
        0,
        9223512776490680319,
        0,
        [0] * 4,
        [0] * 4,
        [0] * 2,
        [0] * 2,
        [0] * 2,
        0,
        [23] * 2,
        0,
        [0] * 8,
        [0] * 8,
        [0] * 8,
        [0] * 8,
        [0] * 8,
        [0] * 8,
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
        [],
        [],
        [],
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
AT_CHARACTER_POWER_ALCHEMIST_ALCHEMIST_SWAP_GIVEN: Final = 1
AT_CHARACTER_POWER_ALCHEMIST_ALCHEMIST_SWAP_TAKEN: Final = 2
AT_CHARACTER_POWER_BANKER_BANKER_MOVES_UP: Final = 3
AT_CHARACTER_POWER_BANKER_BANKER_MOVES_DOWN: Final = 4
AT_CHARACTER_POWER_CAPTAIN_CAPTAIN_SWAP_A: Final = 5
AT_CHARACTER_POWER_CAPTAIN_CAPTAIN_SWAP_B: Final = 6
AT_CHARACTER_POWER_HERALD_HERALD_MOVE_B: Final = 7
AT_CHARACTER_POWER_HERALD_HERALD_MOVE_X: Final = 8
AT_CHARACTER_POWER_MAGICIAN_MAGICIAN_SWAP_A: Final = 9
AT_CHARACTER_POWER_MAGICIAN_MAGICIAN_SWAP_B: Final = 10
AT_CHARACTER_POWER_MERCENARY_MERCENARY_MARK: Final = 11
AT_CHARACTER_POWER_QUEEN_QUEEN_AREA: Final = 12
AT_BID_BID_BROKERS_1: Final = 13
AT_BID_BID_BROKERS_2: Final = 14
AT_CHOOSE_ORDER_TURN_PLACE: Final = 15
AT_PLAY_CARDS_PLAY_CARD: Final = 16
AT_ASK_COLOR_GEM_COLOR: Final = 17
AT_ASK_OFFER_PORT_GEM: Final = 18
AT_COUNT_COLUMNS_STRONGER_COLUMN: Final = 19
AT_ASK_QUOTATION_QUOTATION_MOVE_G: Final = 20
AT_ASK_QUOTATION_QUOTATION_MOVE_D: Final = 21
AT_PLACE_BROKERS_FACING: Final = 22
AT_PLACE_BROKERS_NEUTRAL_BROKER: Final = 23
AT_PLACE_BROKER_BROKER_UP: Final = 24
AT_PLACE_BROKER_BROKER_DOWN: Final = 25
AT_PICK_PLACE_BROKER_PLACE: Final = 26
AT_CONJURE_SOURCE: Final = 27
AT_CONJURE_CONJURED_UP_V: Final = 28
AT_CONJURE_CONJURED_UP_U: Final = 29
AT_CONJURE_CONJURED_DOWN_W: Final = 30
AT_CONJURE_CONJURED_DOWN_T: Final = 31
AT_SPY_LOOKS_SPY_LOOK: Final = 32
AT_CHARACTER_POWER_JEWELLER_BACK: Final = 52
AT_CHARACTER_POWER_JEWELLER_BACK_2: Final = 53
AT_CHARACTER_AT_WIN_WHITE_GEM_BACK: Final = 62
AT_CARD_WINDOW_LOOP: Final = 76
AT_CARD_WINDOW_BACK: Final = 77
AT_PLAY_CARDS_LOOP: Final = 78
AT_KEEP_CHARACTER_BACK: Final = 93
AT_WIN_GEM_BACK: Final = 107
AT_COUNTING_BACK: Final = 110
AT_COUNTING_LOOP: Final = 111
AT_COUNTING_BACK_2: Final = 114
AT_COUNT_GEMS_LOOP: Final = 140
AT_COUNT_GEMS_LOOP_2: Final = 141
AT_TAKE_FROM_OFFER_BACK: Final = 154
AT_COUNT_PORT_BACK: Final = 166
AT_COUNT_PALACE_LOOP: Final = 175
AT_COUNT_MARKET_LOOP: Final = 187
AT_COUNT_LINE_LOOP: Final = 192
AT_COUNT_LINE_BACK: Final = 195
AT_COUNT_COLUMNS_LOOP: Final = 197
AT_PLACING_BACK: Final = 220
AT_PLACING_LOOP: Final = 221
AT_PLACING_LOOP_2: Final = 223
AT_PLACING_LOOP_3: Final = 225
AT_PLACING_BACK_2: Final = 226
AT_PLACING_TURN_BACK: Final = 229
AT_PLACING_TURN_BACK_2: Final = 230
AT_PLACING_TURN_BACK_3: Final = 232
AT_PLACE_BROKERS_LOOP: Final = 234
AT_PLACE_BROKERS_BACK: Final = 236
AT_PLACE_BROKERS_BACK_2: Final = 237
AT_PLACE_BROKERS_BACK_3: Final = 238
AT_PLACE_BROKERS_BACK_4: Final = 239
AT_PLACE_BROKERS_BACK_5: Final = 240
AT_PLACE_BROKER_BACK: Final = 243
AT_PLAY_LOOP: Final = 277
# fmt: on


# ---------------------------------------------------------------- tables
# fmt: off
BIDS_2_FROM: Final[Ints] = ints([31, 30, 28, 24, 16])
BIDS_2_OTHER: Final[Ints] = ints([30, 29, 27, 23, 15])
PLACE_PART: Final[Ints] = ints([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
])
IN_USE: Final[list[bool]] = [True, True, True, False]
AREAS_OF: Final[Ints] = ints([7, 56, 448, 3584])
LIST: Final[list[int]] = [2, 1]
AREA_OF: Final[Ints] = ints([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048])
GEM_COLUMN: Final[Ints] = ints([1, 2, 3, 4, 0, 0])
CHARACTER_WINDOW: Final[Ints] = ints([4, 4, 3, 0, 0, 3, 0, 3, 4, 2, 3, 2, 1, 5, 5, 5])
LINE_CLOSED: Final[list[bool]] = [True, True, False, False]
PLACE_LINE_EQUAL: Final[Ints] = ints([61440, 983040, 15728640, 251658240])
COLUMN: Final[Ints] = ints([17895424, 35790848, 71581696, 143163392, 0, 0])
COLUMN_LIST: Final[list[Ints]] = int_rows([
    [12, 16, 20, 24], [13, 17, 21, 25], [14, 18, 22, 26], [15, 19, 23, 27], [], [],
])
LIST_2: Final[list[int]] = [2, 1, -1, -2]
ALL_0: Final[Ints] = ints([0, 0, 0, 0, 0, 0])
DIRECTION_STEP: Final[Ints] = ints([1, -1])
CHARACTER_WINDOW_EQUAL: Final[Ints] = ints([88, 4096, 2560, 1188, 259, 57344])
TAKEN_OTHER: Final[Ints] = ints([62, 61, 59, 55, 47, 31])
X_OTHER: Final[Ints] = ints([
    268435454, 268435453, 268435451, 268435447, 268435439, 268435423, 268435391, 268435327,
    268435199, 268434943, 268434431, 268433407, 268431359, 268427263, 268419071, 268402687,
    268369919, 268304383, 268173311, 267911167, 267386879, 266338303, 264241151, 260046847,
    251658239, 234881023, 201326591, 134217727,
])
USED: Final[list[bool]] = [
    True, True, True, True, True, True, True, True, True, False, False, False, True, True,
    True, True, True, True, True, True, True, True, True, True, True, True, True, True,
]
ON_CLOSED_LINE: Final[list[bool]] = [
    False, False, False, False, False, False, False, False, False, False, False, False, True,
    True, True, True, True, True, True, True, False, False, False, False, False, False, False,
    False,
]
CHARACTER_LASTING: Final[list[bool]] = [
    False, False, False, True, True, False, True, True, False, False, True, True, True, False,
    False, False,
]
B_ABOVE: Final[Ints] = ints([14, 12, 8, 0])
B_ABOVE_2: Final[Ints] = ints([
    4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232, 4294967168,
    4294967040, 4294966784, 4294966272, 4294965248, 4294963200, 4294959104, 4294950912,
    4294934528, 4294901760, 4294836224, 4294705152, 4294443008, 4293918720, 4292870144,
    4290772992, 4286578688, 4278190080, 4261412864, 4227858432, 4160749568, 4026531840,
    3758096384, 3221225472, 2147483648, 0,
])
STRENGTH_WORTH: Final[Ints] = ints([0, 1, 2, 3, 4])
SHIP_FIRST: Final[Ints] = ints([1, 1, 2, 3, 2, 2, 3, 0, 3, 3, 0, 1, 0, 0, 1, 2])
SHIP_SECOND: Final[Ints] = ints([2, 3, 3, 5, 3, 0, 0, 5, 0, 1, 1, 5, 1, 2, 2, 5])
SHIP_LARGE: Final[Ints] = ints([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
LIST_3: Final[list[int]] = [0, 1, 4, 8, 12, 16, 20, 24]
STRENGTH_TEAM: Final[Ints] = ints([2, 3, 1, 3, 2])
LINE_NUMBER: Final[Ints] = ints([0, 1, 2, 3])
MARKET_GEMS: Final[list[list[int]]] = [
    [1, 2], [1, 3], [2, 3], [5, 3], [2, 3], [2, 0], [3, 0], [5, 0], [3, 0], [3, 1], [0, 1],
    [5, 1], [0, 1], [0, 2], [1, 2], [5, 2],
]
ALL_0_2: Final[Ints] = ints([0, 0])
ALL_0_3: Final[Ints] = ints([0, 0, 0])
GEM_RANK_NUMBER: Final[Ints] = ints([1, 2, 3, 4])
GEM_RANK_POINTS: Final[list[list[int]]] = [
    [24, 18, 12, 6], [20, 15, 10, 5], [16, 12, 8, 4], [12, 9, 6, 3],
]

# the first action of each decision, by its number
OFFSET: Final[list[int]] = [
    0, 0, 7, 13, 19, 25, 29, 33, 65, 93, 125, 157, 189, 217, 222, 227, 229, 246, 252, 258,
    264, 270, 272, 274, 279, 284, 289, 317, 319, 324, 329, 334, 339, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]
# fmt: on
# whoever plays a whole game stops after so many decisions: then it has no end
MOST: Final = 100000
# of each decision the actions that were legal before, by their set of options
LEGAL: Final[list[dict[int, tuple[int, ...]]]] = [{} for _ in OFFSET]
