"""A name → the files of a new game or variant, with comments that say what to change; they check and play as they are."""

from __future__ import annotations

from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.print_folder import node_text
from rulewright.compiler.read.yaml_nodes import YScalar


def game_files(name: str) -> dict[str, str]:
    """The files of a small complete game, by their path in its folder."""
    title = name.replace("-", " ").replace("_", " ").title()
    return {
        path: text.replace("NAME", name).replace("TITLE", title) for path, text in _GAME.items()
    }


_GAME = {
    "game.yaml": """\
# What the game is called, for how many it is, and what brings points.
game: NAME
title: TITLE
about: Roll, then keep what you rolled or pay to roll again.
players: [2, 3, 4]
clauses: [clauses/rulebook.yaml]      # the rulebook, sentence by sentence; rules refer to it with @id
seats: [Blue, Red, Green, Yellow]     # names of the seats, clockwise
reasons:                              # what `score … for` may name
  goods: goods kept
  coins: coins left over
options:                              # fixed before play; rules read them like constants
  first_player: {type: Player, default: 0, about: Who begins., cite: round.order}
""",
    "clauses/rulebook.yaml": """\
# The rulebook in your own words, one clause for each thing it says.
- {id: setup.coins, section: setup, rule: "Everybody begins with three coins."}
- {id: round.order, section: rounds, rule: "Players take turns clockwise, beginning with the first player."}
- {id: round.count, section: rounds, rule: "The game lasts five rounds."}
- {id: turn.roll, section: turn, rule: "Roll the die: it shows which goods you are offered."}
- {id: turn.again, section: turn, rule: "You may pay a coin to roll again, as often as you can pay."}
- {id: turn.keep, section: turn, rule: "Otherwise you keep the goods."}
- {id: goods.values, section: goods, rule: "Grain is worth 1, wine 2, cloth 4."}
- {id: goods.faces, section: goods, rule: "Grain is on three faces of the die, wine on two, cloth on one."}
- {id: end.goods, section: end, rule: "At the end goods bring their value."}
- {id: end.coins, section: end, rule: "Each coin left over is worth a point."}
- {id: end.winner, section: end, rule: "Most points win; those who tie share the win."}
""",
    "goods.yaml": """\
# A table makes a kind: its rows are its members, its columns what is printed on them.
table: Good
about: What can be kept.
columns:
  value: 0..9
  lowest: 1..6        # the lowest face of the die that shows it
rows:
  grain: {value: 1, lowest: 1, cite: [goods.values, goods.faces]}
  wine: {value: 2, lowest: 4, cite: [goods.values, goods.faces]}
  cloth: {value: 4, lowest: 6, cite: [goods.values, goods.faces]}
---
constants:
  rounds: {value: 5, cite: round.count}
  starting_coins: {value: 3, cite: setup.coins}
""",
    "game.rules": """\
# What happens, in the order in which it happens. `rulewright check` tells what is wrong with it.

state:
    coins: map Player to 0..9 = starting_coins              @setup.coins
    kept: map Player to map Good to 0..9                    @turn.keep
    round: 1..rounds = 1                                    @round.count

procedure play()  @round.count:
    var p: Player = first_player                            @round.order
    for r in 1 .. rounds:
        round = r
        for i in 1 .. players:
            turn(p)
            p = p.next                                      @round.order
    count_up()

# A decision is one statement: who is asked (`by`), what it is called (`as`), and its options.
procedure turn(p: Player)  @turn.roll @turn.keep:
    loop:
        roll d in 1 .. 6                                    @turn.roll
        let g = shown(d)
        either by p as answer  @turn.again @turn.keep:
            option keep say "keeps the {g}":
                kept[p][g] += 1                             @turn.keep
                return
            option again say "pays a coin to roll again":
                where coins[p] > 0                          @turn.again
                coins[p] -= 1                               @turn.again

# The good on a face: the last one that begins at it or below.
function shown(d: 1..6) -> Good  @goods.faces:
    var found: Good = grain
    for g in Good where g.lowest <= d: found = g
    return found

procedure count_up()  @end.goods @end.coins:
    for p in Player:
        score worth(p) to p for goods                       @end.goods
        score coins[p] to p for coins                       @end.coins

function worth(p: Player) -> int  @end.goods = sum(g in Good: g.value * kept[p][g])

outcome p in Player by score[p]  @end.winner
# How good a position looks, for bots.
heuristic p: score[p] + worth(p) + coins[p]
""",
    "scenarios/turn.yaml": """\
# Small stories with an expected end. Each clause of the rulebook should have one: `rulewright test NAME`.
- scenario: What is kept counts at the end, and so do coins
  covers: [end.goods, end.coins, goods.values]
  players: 2
  given:
    kept: {0: {grain: 2, cloth: 1}}
    coins: {0: 1, 1: 3}
  call: count_up()
  then:
    scores: {0: 7, 1: 3}

- scenario: Rolling again costs a coin
  covers: [turn.roll, turn.again, turn.keep, goods.faces]
  players: [2, 3]
  call: turn(0)
  chance: [2, 6]
  when:
    - {answer: again, by: 0}
    - {answer: keep, by: 0}
  then:
    state: {coins: {0: 2}, kept: {0: {cloth: 1}}}
    decides: nobody

- scenario: Without a coin nobody rolls again
  covers: [turn.again]
  players: 2
  given: {coins: {0: 0}}
  call: turn(0)
  chance: [4]
  when:
    - refused: {answer: again, because: turn.again}
  then:
    legal: [keep]
""",
    "view.yaml": """\
# How a position is shown in the terminal and in the browser, and by what the course of a game is told.
clock: {period: round, called: round}
parts:
  - line: "Round {round}"
  - seats: {title: Players, columns: {coins: coins, goods: kept}}
""",
    "bots.yaml": """\
# Strategies as data: how readily each value of a choice is taken, 1 where nothing is said.
bots:
  careful:
    about: Keeps nearly everything.
    weights: {answer: {keep: 9, again: 1}}
""",
}


def variant_file(name: str, folder: Folder) -> str:
    """An overlay of a game that changes nothing yet; what it could change stands in comments, with the game's own names."""
    game = folder.game
    counts = ", ".join(map(str, game.players))
    lines = [
        f"# A variant of {game.title}: an overlay that changes cells, rows, constants and rules. Nothing of the game itself is copied.",
        f"# Try it:   rulewright play {game.game} --variant {name}",
        f"# Compare:  rulewright compare {game.game} {game.game}+{name}",
        f"# See what it changes:  rulewright diff {game.game} {game.game}+{name}",
        f"variant: {name}",
        "about: Say in one line what is different.",
        f"players: [{counts}]              # the player counts it holds for",
        "# Where the change comes from: `cite:` with a clause of the rulebook, or a reason of your own.",
        f'assumed: "the variant {name}, for trying out"',
        *_constant_lines(folder),
        *_table_lines(folder),
        "# rules: [NAME.rules]          # a file beside this one; it may add declarations, and `replace procedure …`".replace("NAME", name),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _constant_lines(folder: Folder) -> list[str]:
    for constant in folder.constants.values():
        if isinstance(constant.node, YScalar) and constant.node.text.isdigit():
            return [
                "# Other constants: take the signs # away to try it.",
                "# constants:",
                f"#   {constant.name}: {{value: {constant.node.text}}}",
            ]
    return []


def _table_lines(folder: Folder) -> list[str]:
    for table in folder.tables.values():
        for row in table.rows.values():
            for column, cell in row.cells.items():
                if isinstance(cell.node, YScalar) and cell.node.text.isdigit():
                    return [
                        "# Other cells, new rows, rows that are gone:",
                        "# tables:",
                        f"#   {table.name}:",
                        f"#     change: {{{_key(row.name)}: {{{column}: {node_text(cell.node)}}}}}",
                        "#     add: {a_new_row: {…}}",
                        f"#     remove: [{_key(row.name)}]",
                    ]
    return []


def _key(name: str) -> str:
    return name if name.isidentifier() else f"'{name}'" if " " in name else name
