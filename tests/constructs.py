"""Small games, one for each construct of the language that a plain dice game has no use for, each with a scenario.

`LOOK` is the line of the rules that says the construct; a change of it must be noticed by the scenario.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

GAME = """\
game: tiny
title: Tiny
players: [2]
seats: [Ada, Bo]
reasons: {won: won}
"""
GOODS = """\
table: Good
columns: {price: 1..9}
rows: {fig: {price: 1}, nut: {price: 2}, oil: {price: 4}}
"""
PLAY = """
procedure play():
    for round in 1 .. 2:
        for p in Player: act(p)
"""
OUTCOME = "outcome p in Player by score[p]\n"


@dataclass(frozen=True)
class Construct:
    rules: str
    look: str
    scenario: str
    tables: str = ""
    game: str = ""
    outcome: str = OUTCOME
    files: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path, scenario: bool = True) -> Path:
        texts = {
            "game.yaml": GAME + self.game,
            "tables.yaml": "---\n".join(
                [GOODS] * ("Good" in self.rules + self.tables) + [self.tables] * bool(self.tables)
            ),
            "play.rules": self.rules.strip() + "\n" + PLAY + "\n" + self.outcome,
            **self.files,
        }
        if scenario:
            texts["scenarios/all.yaml"] = self.scenario.lstrip()
        for name, text in texts.items():
            if not text:
                continue
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return folder


CONSTRUCTS = {
    "several": Construct(
        """
pieces goods of Good by 3:
    market = all
    kept per Player

procedure act(p: Player):
    choose 1 .. 2 of taken in market by p as take say "takes {taken}"
        where sum(g in taken: g.price) <= 4
    for g in taken: move g from market to kept[p]
    score size(taken) to p for won
""",
        "where sum(g in taken: g.price) <= 4",
        """
- scenario: Two for four at most
  players: 2
  call: act(0)
  when:
    - expect: {legal: [fig, nut, oil]}
    - take.1: fig
    - expect: {legal: [fig, nut, done]}
    - take.2: nut
  then: {scores: {0: 2}, state: {kept: {0: [fig, nut]}}}
- scenario: One of four is enough
  players: 2
  call: act(0)
  when:
    - take.1: nut
    - expect: {legal: [nut, done]}
    - take.2: done
  then: {scores: {0: 1}}
""",
    ),
    "several_in_secret": Construct(
        """
state:
    orders: map Player to map 1 .. 2 to Good or none visible to owner

procedure act(p: Player):
    together q in Player:
        choose 0 .. 2 of wished in Good by q as order secretly say "orders {wished}" others "orders"
            where sum(g in wished: g.price) <= 5
        orders[q] = wished
    for i in 1 .. 2:
        let g = reveal(orders[p][i])
        if g is not none: score g.price to p for won
""",
        "where sum(g in wished: g.price) <= 5",
        """
- scenario: Both order and one is paid
  players: 2
  call: act(0)
  when:
    - {order.1: fig, by: 0}
    - expect: {legal: [nut, oil, done]}
    - {order.2: oil, by: 0}
    - {order.1: nut, by: 1}
    - expect: {decides: 1, legal: [done]}
    - {order.2: done, by: 1}
  then: {scores: {0: 5, 1: 0}}
""",
    ),
    "hidden_sets": Construct(
        """
state:
    marked: map Player to set of Good visible to owner

procedure act(p: Player):
    choose 1 .. 2 of xs in Good by p as mark or enough secretly say "marks {xs}" others "marks"
    marked[p] = xs
    choose 0 .. 1 of more in Good - marked[p] by p as add or nothing secretly
    marked[p] |= more
    marked[p] -= {oil}
    choose g in Good by p.next as guess
    if reveal(g in marked[p]): score 1 to p.next for won
    else: score g.price to p for won
    score reveal(size(marked[p] & {fig, nut})) to p for won
""",
        "if reveal(g in marked[p]): score 1 to p.next for won",
        """
- scenario: Something is added, all see one taken out, and another is guessed
  players: 2
  call: act(0)
  when:
    - {mark.1: nut, by: 0}
    - {mark.2: oil, by: 0}
    - {add: fig, by: 0}
    - expect: {sees: {0: {marked: {0: [fig, nut]}}}, hidden: {1: [marked.0]}}
    - {guess: nut, by: 1}
  then: {scores: {0: 2, 1: 1}}
- scenario: A guess is wrong
  players: 2
  call: act(0)
  when:
    - {mark.1: fig, by: 0}
    - {mark.2: enough, by: 0}
    - {add: nothing, by: 0}
    - {guess: oil, by: 1}
  then: {scores: {0: 5, 1: 0}}
- scenario: Marks may be given
  players: 2
  call: act(0)
  given: {marked: {0: [fig, oil], 1: [nut]}}
  when:
    - {mark.1: nut, by: 0}
    - {mark.2: enough, by: 0}
    - {add: nothing, by: 0}
    - {guess: nut, by: 1}
  then: {scores: {0: 1, 1: 1}, state: {marked: {0: [nut], 1: [nut]}}}
""",
    ),
    "order": Construct(
        """
pieces cards of Good by 3:
    deck hidden ordered = all
    row ordered
    hand per Player visible to owner

procedure act(p: Player):
    draw c from deck to row on bottom say "{c} is laid out"
    show deck[1] to p
    either by p as first:
        option keep: pass
        option bury: deal 1 from deck to deck on bottom
    deal 1 from deck to hand[p]
    choose n in 1 .. 9 by p as place
        where n <= size(row)
    if row[1 .. 1] == [oil]: score 1 to p for won
    move at n from row to deck shuffled
    shuffle deck
""",
        "draw c from deck to row on bottom",
        """
- scenario: What was laid out first lies on top
  players: 2
  given: {row: [oil], deck: [nut, fig, fig, none]}
  call: act(0)
  when:
    - chance: [nut]
    - first: bury
    - expect: {legal: [1, 2]}
    - place: 2
  then: {scores: {0: 1}, state: {row: [oil]}}
""",
    ),
    "lists": Construct(
        """
state:
    queue: list of Good max 6 = [fig, nut]

procedure act(p: Player):
    choose g in Good by p as queue_up
    insert g into queue at 1
    append g to queue
    remove at 2 from queue
    queue = queue[1 .. 2] + [g]
    score position(g, queue) + size(queue) to p for won
""",
        "insert g into queue at 1",
        """
- scenario: First and last
  players: 2
  call: act(0)
  when: [{queue_up: oil}]
  then: {scores: {0: 4}, state: {queue: [oil, nut, oil]}}
""",
    ),
    "made_rows": Construct(
        """
state:
    held: set of Card

procedure act(p: Player):
    choose c in Card by p as take_card
        where c not in held
        where c.worth > 1 or Card.at(c.rank + 1, c.suit) is none
    held |= {c}
    score c.worth + size({n in 1 .. 3 where n <= c.rank}) to p for won
""",
        "where c.worth > 1 or Card.at",
        """
- scenario: The last of a suit may be taken for little
  players: 2
  call: act(0)
  when:
    - expect: {legal: [nut_1, nut_2, oil_2, fig_3, nut_3, oil_3]}
    - take_card: nut_3
  then: {scores: {0: 9}}
""",
        tables="""\
table: Card
each: {rank: "1 .. 3", suit: Good}
where: "rank > 1 or suit != oil"
name: "{suit}_{rank}"
columns:
  worth: {type: 0..20, is: "twice(this.rank) if this.suit != fig else 1"}
""",
        files={"twice.rules": "function twice(n: 1..3) -> int = n * 2\n"},
    ),
    "csv": Construct(
        """
state:
    open: set of Spice = Spice

procedure act(p: Player):
    choose s in open by p as sell_spice where s.cost > 3
    open -= {s}
    score s.cost + size(s.goes_with) to p for won
""",
        "where s.cost > 3",
        """
- scenario: Dear spices sell
  players: 2
  call: act(1)
  when:
    - expect: {legal: [mace, clove, anise, cumin]}
    - sell_spice: mace
  then: {scores: {1: 6}}
""",
        tables="table: Spice\ncsv: spices.csv\ncolumns: {cost: 0..9, goes_with: set of Good}\n",
        files={
            "spices.csv": "spice, cost, goes_with\nmace, 4, fig nut\nclove, 5, -\nsalt, 3, oil\n"
            "anise, 9, fig\ncumin, 6, -\n"
        },
    ),
    "boards": Construct(
        """
state:
    stones: map Player to set of Cell

function taken() -> set of Cell = union(q in Player: stones[q])

procedure act(p: Player):
    choose c in Cell by p as set_stone
        where c not in taken()
        where distance(c, Cell.at(1, 1), Cell - taken()) < 4
    stones[p] |= {c}
    let ahead = step(c, north)
    score size(region(c, stones[p])) + size(line(c, east)) to p for won
    score size(union(w in Way where w.straight: sight(c, w, taken()))) to p for won
    if ahead is not none: score size(step(stones[p], west)) to p for won
""",
        "where distance(c, Cell.at",
        """
- scenario: A stone in the middle
  players: 2
  given: {stones: {0: [r2c1], 1: [r2c3]}}
  call: act(0)
  when:
    - expect: {legal: [r1c1, r1c2, r1c3, r1c4, r2c2, r3c2]}
    - set_stone: r2c2
  then: {scores: {0: 9}}
""",
        tables="table: Cell\ngrid: {columns: 4, rows: 3, directions: Way}\n",
    ),
    "shapes": Construct(
        """
state:
    covered: set of Cell

procedure act(p: Player):
    choose n in 0 .. 3, c in Cell by p as lay_tile if any say "lays the tile, turned {n} times, on {c}"
        where size(laid(mirrored(turned(ell.shape, n)), c)) == 3
        where not (laid(mirrored(turned(ell.shape, n)), c) meets covered)
    if n is none or c is none: return
    covered |= laid(mirrored(turned(ell.shape, n)), c)
    score size(covered) to p for won
""",
        "c)) == 3",
        """
- scenario: A tile lies on the board as a whole
  players: 2
  given: {covered: [x1y1]}
  call: act(0)
  when:
    - expect: {legal: [0, 1, 2, 3]}
    - lay_tile.n: 0
    - expect: {legal: [x1y1, x2y1, x1y2, x2y2]}
    - lay_tile.c: x1y2
  then: {scores: {0: 4}, state: {covered: [x1y1, x1y3, x2y2, x2y3]}}
""",
        tables="""\
table: Patch
grid: {columns: 2, rows: 2}
---
table: Cell
grid: {columns: 3, rows: 3}
name: "x{column}y{row}"
---
table: Tile
columns: {shape: set of Patch}
rows: {ell: {shape: [r1c1, r2c1, r2c2]}}
""",
    ),
    "teams": Construct(
        """
state:
    plan: map Player to 1..3 visible to team
    fund: map Team to 0..99

procedure act(p: Player):
    choose n in 1 .. 3 by p as plan_it secretly
        where all(q in p.team.members - {p}: plan[q] != n)
    plan[p] = n
    fund[p.team] += 1
    if reveal(plan[p]) > 1: score fund[p.team] to p for won
""",
        "if reveal(plan[p]) > 1",
        """
- scenario: A high plan brings what the team has
  players: 2
  given: {fund: {north: 2}}
  call: act(0)
  when: [{plan_it: 2}]
  then: {scores: {0: 3}}
""",
        game="teams: {north: [Ada], south: [Bo]}\n",
        outcome="outcome t in Team by sum(p in t.members: score[p])\n",
    ),
    "together": Construct(
        """
state:
    lit: set of Good

procedure act(p: Player):
    choose g in Good by p as light
        where g not in lit
    lit |= {g}
    score 1 to p for won
    if size(lit) == 3: lit = {fig}
""",
        "if size(lit) == 3",
        """
- scenario: The third puts two out
  players: 2
  given: {lit: [fig, nut]}
  call: act(0)
  when: [{light: oil}]
  then: {state: {lit: [fig]}}
- scenario: Two shine on
  players: 2
  given: {lit: [nut]}
  call: act(0)
  when: [{light: oil}]
  then: {state: {lit: [nut, oil]}}
""",
        outcome="outcome together by size(lit) of 3\n",
    ),
    "secret_rolls": Construct(
        """
state:
    cup: map Player to map 1 .. 2 to 1..6 visible to owner

procedure act(p: Player):
    for i in 1 .. 2:
        roll d in 1 .. 6 seen by p
        cup[p][i] = d
    choose n in 2 .. 12 by p as claim say "claims {n}"
    let told = reveal(count(i in 1 .. 2: cup[p][i] == n))
    score told to p for won
""",
        "let told = reveal(count(",
        """
- scenario: Two of a kind are claimed
  players: 2
  call: act(0)
  when:
    - chance: [4, 4]
    - expect: {sees: {0: {cup: {0: {1: 4, 2: 4}}}}, hidden: {1: [cup.0]}}
    - claim: 4
  then: {scores: {0: 2}}
""",
    ),
    "zones_by_two": Construct(
        """
pieces wares of Good by 4:
    store hidden = all
    shelf per Player per Good visible to owner
    sunk per Good per Good

procedure act(p: Player):
    for g in {fig, nut}: deal 1 from store to shelf[p][g]
    choose g in Good by p as clear
        where size(shelf[p][g]) > 0
    choose w in shelf[p][g] by p as ware
    move w from shelf[p][g] to sunk[g][w]
    score sunk[g][w][w] + size(shelf[p][g]) to p for won
""",
        "where size(shelf[p][g]) > 0",
        """
- scenario: A ware of one shelf
  players: 2
  given: {shelf: {0: {fig: [nut]}}}
  call: act(0)
  when:
    - chance: [oil, oil]
    - expect: {legal: [fig, nut]}
    - clear: fig
    - ware: nut
  then: {scores: {0: 2}, state: {sunk: {fig: {nut: [nut]}}}}
""",
    ),
    "fingerprints": Construct(
        """
state:
    here: Good
    past: list of fingerprint max 9

procedure act(p: Player):
    append fingerprint(here) to past
    choose g in Good by p as sail
        where fingerprint(g) not in past or size(past) > 2
    here = g
    if count(f in past: f == fingerprint(here)) == 0: score 1 to p for won
""",
        "where fingerprint(g) not in past",
        """
- scenario: Not back at once
  players: 2
  call: act(0)
  when:
    - expect: {legal: [nut, oil]}
    - sail: oil
  then: {scores: {0: 1}}
""",
    ),
    "what_if": Construct(
        """
state:
    coins: map Player to 0..9 = 4

procedure pay(p: Player, n: 1..4):
    coins[p] -= n
    if coins[p] == 2: score 1 to p for won

procedure act(p: Player):
    choose n in 1 .. 4 by p as spend if any
        where n <= coins[p] and after(pay(p, n): score[p] + coins[p] > 0)
    if n is none: return
    pay(p, n)
    score max(k in 1 .. coins[p]: after(pay(p, k): score[p]) else 0) to p for won
""",
        "where n <= coins[p] and after",
        """
- scenario: Not all is spent
  players: 2
  call: act(0)
  when:
    - expect: {legal: [1, 2, 3]}
    - spend: 1
  then: {scores: {0: 1}, state: {coins: {0: 3}}}
""",
    ),
    "local_maps": Construct(
        """
function cheapest(start: Quay, goal: Quay) -> int:
    var cost: map Quay to 0..99 = 99
    var left: set of Quay = {start}
    cost[start] = 0
    while left != {}:
        let q = first_of(left)
        left -= {q}
        for x in q.beside where cost[x] > cost[q] + x.toll:
            cost[x] = clamp(cost[q] + x.toll, 0, 99)
            left |= {x}
    return cost[goal]

procedure act(p: Player):
    choose a in Quay, b in Quay by p as travel
        where a != b
        where cheapest(a, b) <= 4
    score cheapest(a, b) to p for won
""",
        "for x in q.beside where cost[x] > cost[q] + x.toll",
        """
- scenario: Round the dear quay
  players: 2
  call: act(0)
  when:
    - travel.a: north
    - expect: {legal: [east, south]}
    - travel.b: south
  then: {scores: {0: 4}}
""",
        tables="""\
table: Quay
columns: {beside: set of Quay, toll: 1..9}
graph: beside
rows:
  north: {beside: [east, dear], toll: 1}
  east: {beside: [south], toll: 2}
  south: {beside: [dear], toll: 2}
  dear: {beside: [], toll: 9}
""",
    ),
    "large_numbers": Construct(
        """
state:
    bank: map Player to 0..1000000000 = 5001

procedure act(p: Player):
    let b = bank[p]
    choose t in 0 .. min(999, b // 1000), n in 0 .. min(999, b - 1000 * t) by p as bid say "bids {1000 * t + n}"
    bank[p] -= 1000 * t + n
    if bank[p] == 0: score 1 to p for won
""",
        "choose t in 0 .. min(999, b // 1000)",
        """
- scenario: All of it
  players: 2
  call: act(0)
  when:
    - expect: {legal: [0, 1, 2, 3, 4, 5]}
    - bid.t: 5
    - expect: {legal: [0, 1]}
    - bid.n: 1
  then: {scores: {0: 1}, state: {bank: {0: 0}}}
""",
    ),
    "many_pieces": Construct(
        """
pieces chips of Good by 1000:
    bank hidden = all
    stack per Player

procedure act(p: Player):
    deal 3 from bank to stack[p]
    choose n in 0 .. 100 by p as chips
    move n of fig from bank to stack[p]
    score min(stack[p][fig], 900) to p for won
""",
        "move n of fig from bank to stack[p]",
        """
- scenario: A hundred at once
  players: 2
  call: act(0)
  when:
    - chance: [fig, nut, oil]
    - chips: 100
  then: {scores: {0: 101}}
""",
    ),
}
