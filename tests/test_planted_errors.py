"""Mistakes that people make when they implement Yspahan, planted in a copy of its spec: the scenarios notice every one.

Each is a change of the spec's text that still compiles. It must be noticed by a scenario that covers the clause which
it breaks, not just by any.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from common import copy_of, sampled

from rulewright.conformance.suite import Suite, load_suite


@dataclass(frozen=True)
class Planted:
    """`edits`: file, text that stands there just once, what is put in its place."""

    name: str
    clause: str
    edits: tuple[tuple[str, str, str], ...]

    @property
    def id(self) -> str:
        return self.name.replace(" ", "-")


def planted(name: str, clause: str, *edits: tuple[str, str, str]) -> Planted:
    return Planted(name, clause, edits)


WHO_MOVED = (
    ("state.rules", "    supervisor: RoadSquare", "    mover: Player  @setup.supervisor\n    supervisor: RoadSquare"),
    ("supervisor.rules", "    supervisor = q\n", "    supervisor = q\n    mover = p\n"),
)  # fmt: skip

ERRORS = [
    # --- the tower and the dice
    planted(
        "the tower is sorted anew when the yellow dice have left", "yellow.no-resort",
        ("tower.rules", "            if white_on[s] == 0: value_on[s] = 0            @yellow.may-leave-empty-square\n",
         "        reset cast\n"
         "        for s in TowerSquare where value_on[s] > 0: white_cast[clamp(value_on[s], 1, 6)] += white_on[s]\n"
         "        reset nightfall\n"
         "        fill_tower()\n"),
    ),
    planted(
        "the yellow dice stay for the others", "yellow.removed-after-first-action",
        ("turn.rules", "    select_group(p)\n    yellow_dice_leave(p)\n", "    select_group(p)\n    if false: yellow_dice_leave(p)\n"),
    ),
    planted(
        "the highest group goes to the next square up", "tower.highest-on-gold",
        ("tower.rules", "put_group(v, highest_square)", "put_group(v, square)"),
    ),
    planted(
        "a single group goes to the gold square", "tower.single-value-on-camel",
        ("tower.rules", "if v == highest and square != lowest_square", "if v == highest"),
    ),
    planted(
        "the groups are sorted from the highest down", "tower.bottom-up",
        ("tower.rules", "    for v in 1 .. 6 where group_size(v) > 0:\n", "    for w in 1 .. 6 where group_size(clamp(7 - w, 1, 6)) > 0:\n        let v = clamp(7 - w, 1, 6)\n"),
    ),
    planted(
        "yellow dice are paid for with the cast known", "supply.yellow-before-cast",
        ("tower.rules", "    free_cards(p)                                           @card.free-action-before-cast\n",
         "    free_cards(p)\n    cast_dice(0)\n"),
    ),
    # --- the supply of shops
    planted(
        "a shop in another player's souk may be filled", "shops.no-foreign-souk",
        ("shops.rules", "union(k in souks_in(n) where shops_of(k) meets others_cubes: shops_of(k))",
         "union(k in souks_in(n) where shops_of(k) meets others_cubes: shops_of(k) & others_cubes)"),
    ),
    planted(
        "an unfinished souk need not be finished first", "shops.finish-first",
        ("shops.rules", "    return shops_in(n) - mine\n", "    return mine & cubes[p]\n"),
    ),
    planted(
        "an unfinished souk elsewhere in the city binds too", "shops.finish-first-local",
        ("shops.rules", "    let mine = unfinished_shops(p, n)\n",
         "    var mine: set of Shop = {}\n    for m in Neighbourhood: mine |= unfinished_shops(p, m)\n"),
    ),
    planted(
        "supplying stops with a finished souk", "shops.finish-and-start",
        ("shops.rules", "        place_one_cube(p, s)\n",
         "        place_one_cube(p, s)\n        if shops_of(s.souk) within cubes[p]: return\n"),
    ),
    planted(
        "cubes need not all be placed", "shops.must-place-all",
        ("shops.rules", "as place_cube if any say", "as place_cube or stop if any say"),
    ),
    # --- the supervisor and sending
    planted(
        "the supervisor may turn back", "supervisor.no-backtrack",
        ("supervisor.rules", "where distance(supervisor, q) >= nearest(value, adjustable)",
         "where distance(supervisor, q) >= nearest(value, adjustable) or (value - distance(supervisor, q)) % 2 == 0"),
    ),
    planted(
        "the supervisor may stop early", "supervisor.exact",
        ("supervisor.rules", "where distance(supervisor, q) >= nearest(value, adjustable)", "where distance(supervisor, q) >= 0"),
    ),
    planted(
        "a move of nothing sends nothing", "supervisor.zero-sends",
        ("supervisor.rules", "    supervisor = q\n    send_goods(p) ",
         "    let stays = supervisor == q\n    supervisor = q\n    if not stays: send_goods(p) "),
    ),
    planted(
        "the Hammam's squares cost gold all the same", "power.hammam",
        ("supervisor.rules", "max(0, abs(distance(supervisor, q) - value) - free_steps(p))", "abs(distance(supervisor, q) - value)"),
    ),
    planted(
        "a camel is paid and no cube is loaded", "sending.camel-same-reward",
        ("supervisor.rules", "                camels[q] -= 1\n", "                camels[q] -= 1\n                return\n"),
    ),
    planted(
        "who moves the supervisor decides on the camel", "sending.camel-owner-decides",
        *WHO_MOVED,
        ("supervisor.rules", "either by q as protect", "either by mover as protect"),
    ),
    planted(
        "a camel keeps all cubes at once", "sending.camel-per-cube",
        ("supervisor.rules", "        send_from(s)  ", "        if size(leaving) > 2: send_from(s)  "),
    ),
    # --- the caravan
    planted(
        "the end of the week empties the caravan", "week.caravan-not-emptied",
        ("week.rules", "    count_caravan()   ", "    count_caravan()\n    for q in Player: caravan[q] = {}   "),
    ),
    planted(
        "a full caravan is emptied and not counted", "caravan.full-counts-and-empties",
        ("caravan.rules", "        count_caravan()\n        for q", "        for q"),
    ),
    planted(
        "the points of the lines are turned round", "caravan.load-points",
        ("caravan.rules", "score camel.points to p", "score camel.line - 1 to p"),
    ),
    planted(
        "a count adds up the lines of the cubes", "caravan.count-formula",
        ("caravan.rules", "size(caravan[p]) * max(c in caravan[p]: c.line else 0)", "sum(c in caravan[p]: c.line)"),
    ),
    # --- buildings
    planted(
        "the Paddock adds to the camels of a card", "power.paddock-tower-only",
        ("cards.yaml", "gain_camels(me, 3)", "take_camels(me, 3)"),
    ),
    planted(
        "the Shop adds to the gold of a card", "power.shop-tower-only",
        ("cards.yaml", "gain_gold(me, 3)", "take_gold(me, 3)"),
    ),
    planted(
        "the Hoist adds to the shop card", "power.hoist-dice-only",
        ("cards.rules", "    place_one_cube(p, s)\n", "    place_one_cube(p, s)\n    place_cubes(p, s.souk.neighbourhood, cubes_supplied(p, 0))\n"),
    ),
    planted(
        "the Caravanserai works in the own turn only", "power.caravanserai-any-turn",
        *WHO_MOVED,
        ("buildings.yaml", 'power: "after send_good(me, from_shop): draw_card(me)"',
         "power: |\n      after send_good(me, from_shop):\n          if mover == me: draw_card(me)"),
    ),
    planted(
        "the Caravanserai gives no card for a cube kept by a camel", "power.caravanserai-with-camel",
        ("buildings.yaml", 'power: "after send_good(me, from_shop): draw_card(me)"',
         "power: |\n      after send_good(me, from_shop):\n          if from_shop not in cubes[me]: draw_card(me)"),
    ),
    planted(
        "the Caravanserai gives a card for the caravan card", "power.caravanserai-not-by-card",
        ("buildings.yaml", "after send_good(me, from_shop): draw_card(me)", "after load_caravan(me): draw_card(me)"),
    ),
    planted(
        "a second building may be built in part B", "building.one-per-turn",
        ("turn.rules", "    if b is not none:  ", "    let c = construct_building(p)\n    if b is not none or c is not none:  "),
    ),
    planted(
        "the fourth building is worth as much as the sixth", "building.vp-scale",
        ("constants.yaml", "[0, 0, 5, 5, 5, 10]", "[0, 0, 5, 10, 10, 10]"),
    ),
    # --- cards
    planted(
        "a building put up by a card takes the place of the one in part B", "card.build-not-part-b",
        ("state.rules", "    supervisor: RoadSquare", "    has_built: bool resets at nightfall  @setup.supervisor\n    supervisor: RoadSquare"),
        ("buildings.rules", "    gold[p] -= b.gold                                       @card.build-without-camels\n", "    gold[p] -= b.gold\n    has_built = true\n"),
        ("buildings.rules", "        where b.camels <= camels[p]                         @building.full-price\n", "        where b.camels <= camels[p]\n        where not has_built\n"),
    ),
    planted(
        "a card works and stays in the hand", "card.discarded",
        ("cards.rules", "        discard_card(p, c)  ", "        if false: discard_card(p, c)  "),
    ),
    planted(
        "a card boosts the supervisor", "card.boost-not-supervisor-or-card",
        ("turn.rules", "            move_supervisor(p, value)\n",
         "            let more = boost_by_card(p)\n            move_supervisor(p, min(6, value + more))\n"),
    ),
    planted(
        "the discarded cards are shuffled with the last card drawn", "deck.reshuffle",
        ("cards.rules", '    if size(deck) > 0: deal 1 from deck to hand[p] say "{p} draws a card"  @takecard.hand @deck.both-empty\n',
         "    if size(deck) > 0: deal 1 from deck to hand[p]\n    refill_deck()\n"),
    ),
    planted(
        "cards are played after the action only", "card.free-action-times",
        ("turn.rules", "    free_cards(p)                                           @card.free-action-times @card.free-action-before-cast\n    select_group(p)",
         "    select_group(p)"),
    ),
    planted(
        "hands lie open", "takecard.hand",
        ("state.rules", "    hand per Player visible to owner", "    hand per Player"),
    ),
    planted(
        "the deck lies open", "setup.deck",
        ("state.rules", "    deck hidden = all", "    deck = all"),
    ),
    # --- days, weeks, the end
    planted(
        "an unfinished souk scores", "week.unfinished-nothing",
        ("week.rules", "shops_of(k) within cubes[p]", "shops_of(k) meets cubes[p]"),
    ),
    planted(
        "souks are counted as soon as they are full", "shops.no-immediate-score",
        ("shops.rules", "    cubes[p] |= {s}\n", "    cubes[p] |= {s}\n    if shops_of(s.souk) within cubes[p]: score souk_points(p, s.souk) to p for souks\n"),
    ),
    planted(
        "the shops stay filled over the end of the week", "week.shops-emptied",
        ("week.rules", "    empty_shops()\n    count", "    if false: empty_shops()\n    count"),
    ),
    planted(
        "the supervisor stays where he is over the end of the week", "week.supervisor-centre",
        ("week.rules", "    supervisor = supervisor_start                           @week.supervisor-centre\n", ""),
    ),
    planted(
        "the first player stays over the end of the week", "week.first-player-left",
        ("week.rules", "    first = first.next                                      @week.first-player-left\n", ""),
    ),
    planted(
        "the last day is in falling order of score", "four.last-day-order",
        ("variants/four-players.rules", "-score[p], steps_from", "score[p], steps_from"),
    ),
    planted(
        "a tie before the last day is broken the other way round", "four.last-day-tie",
        ("variants/four-players.rules", "-score[p], steps_from", "-score[p], -steps_from"),
    ),
    # --- fewer players
    planted(
        "three players leave out the last line's camels", "three.caravan-camels",
        ("variants/three-players.yaml", "[line1_camel1, line2_camel1, line3_camel1]", "[line3_camel1, line3_camel2, line3_camel3]"),
    ),
    planted(
        "the second of two players acts last", "two.order-aba",
        ("variants/two-players.rules", "    turn(first)                                             @two.two-groups\n", "    turn(first.next)\n"),
    ),
    planted(
        "yellow dice count for the second of two players", "two.yellow-second-mixed",
        ("variants/two-players.rules", "    return white_on[square]  ", "    return white_on[square] + yellow_on[square]  "),
    ),
]  # fmt: skip


def plant(error: Planted, folder: Path) -> None:
    for file, before, after in error.edits:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{file} holds {text.count(before)} times: {before!r}"
        path.write_text(text.replace(before, after), encoding="utf-8")


def first_failure(suite: Suite, clause: str) -> str | None:
    """The first scenario that covers a clause and does not hold, or None."""
    for ruleset, scenarios in suite.rulesets(clause).items():
        for scenario in scenarios:
            if clause not in {c.text for c in scenario.covers}:
                continue
            result = suite.run(ruleset, scenario)
            if result is None or not result.passed:
                return scenario.name
    return None


def test_there_are_many_and_each_is_another() -> None:
    assert len(ERRORS) >= 20
    assert len({e.name for e in ERRORS}) == len({e.edits for e in ERRORS}) == len(ERRORS)


@pytest.mark.wide
def test_without_an_error_nothing_fails(tmp_path: Path) -> None:
    suite = load_suite(copy_of("yspahan", tmp_path), "spec/yspahan")
    for clause in sorted({e.clause for e in ERRORS}):
        assert any(clause in {c.text for c in s.covers} for s in suite.scenarios), clause
        assert first_failure(suite, clause) is None


@pytest.mark.parametrize("error", sampled(ERRORS, 4), ids=lambda e: e.id)
def test_the_scenarios_notice(error: Planted, tmp_path: Path) -> None:
    folder = copy_of("yspahan", tmp_path)
    for file in (folder / "scenarios").rglob("*.yaml"):
        if error.clause not in file.read_text(encoding="utf-8"):
            file.unlink()  # it has nothing to say on this, and reading it takes its time
    plant(error, folder)
    # a change that does not compile raises here or when the first engine is built
    suite = load_suite(folder, "spec/yspahan")
    assert first_failure(suite, error.clause) is not None, f"no scenario of {error.clause} fails"
