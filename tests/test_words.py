"""What players read: words for every decision, for declining, for steps, rolls and draws; and those of the games."""

import re
from pathlib import Path

import pytest
from common import each_ruleset, spec_of

import rulewright
from rulewright.compiler.build import check_ruleset
from rulewright.compiler.flow.to_blocks import to_blocks
from rulewright.compiler.rules.formatter import format_rules
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.play.player_words import gathered
from rulewright.runtime import api

RULES = """\
pieces cards of Card by copies:
    deck hidden = all
    hand per Player visible to owner
    table

procedure play():
    deal 2 from deck to table say ""
    for p in Player: deal 1 from deck to hand[p] say "{p} takes a card"
    draw c from deck to table say "The {c} card lies open"
    roll d in 1 .. 6 say "The die shows {d}"
    roll e in 1 .. 6
    for p in Player:
        choose n in 1 .. 3 by p as number or nothing say "takes {n}" else say "takes nothing of {d}"
        choose a in 1 .. 2 say "begins with {a}", b in 1 .. 2 by p as pair say "takes {a} and {b}"
        choose s in 1 .. 2 by p as secret or none_of_it secretly say "hides {s}" others "hides something" else say "hides nothing"
        either by p as menu or done else say "goes home":
            option stay say "stays": pass

outcome p in Player by score[p]
"""


@pytest.fixture
def write(tmp_path):
    def folder(rules):
        where = tmp_path / "wordy"
        where.mkdir(exist_ok=True)
        (where / "game.yaml").write_text(
            "game: wordy\ntitle: Wordy\nplayers: [2]\nseats: [Ada, Bo]\nreasons: {play: play}\n"
        )
        (where / "cards.yaml").write_text(
            "table: Card\nabout: Cards.\ncolumns:\n  copies: 0..9\nrows:\n  red: {copies: 5}\n"
        )
        (where / "all.rules").write_text(rules)
        return str(where)

    return folder


def play(state, **values):
    while not state.is_terminal():
        asked = state.pending()["choice"]
        state.apply_action(state.action_from_dict({"choice": asked, "value": values[asked]}))
    return state


def texts(state):
    return {
        o["value"]: state.action_to_string(o["action"], state.current_player())
        for o in state.pending()["options"]
    }


def test_what_was_not_chosen_has_words_too(write):
    wordy = rulewright.compile(write(RULES), players=2)
    state = wordy.full.new_initial_state(1)
    values = {"number": "nothing", "pair.a": 1, "pair.b": 2, "secret": "none_of_it", "menu": "done"}
    play(state, **values)
    mine, others = api.story(state, 0), api.story(state, 1)
    assert any(line.startswith("Ada takes nothing of ") for line in mine)
    assert "Ada hides nothing" in mine and "Ada goes home" in mine
    assert "Ada hides something" in others and "Ada hides nothing" not in others


def test_a_secret_no_sounds_like_a_secret_yes_to_others(write):
    told = set()
    for answer in (1, "none_of_it"):
        wordy = rulewright.compile(write(RULES), players=2)
        values = {"number": 1, "pair.a": 1, "pair.b": 2, "secret": answer, "menu": "done"}
        state = play(wordy.full.new_initial_state(1), **values)
        told.add(tuple(line for line in api.story(state, 1) if line.startswith("Ada")))
    assert len(told) == 1


def test_steps_have_words_as_options_and_one_line_in_the_story(write):
    wordy = rulewright.compile(write(RULES), players=2)
    for flavour in (wordy, wordy.full):
        state = flavour.new_initial_state(1)
        assert texts(state)["nothing"].startswith("takes nothing of ")
        state.apply_action(state.legal_actions()[0])
        assert texts(state) == {1: "begins with 1", 2: "begins with 2"}
        state.apply_action(state.legal_actions()[1])
        assert texts(state) == {1: "takes 2 and 1", 2: "takes 2 and 2"}
    state.apply_action(state.legal_actions()[0])
    lines = api.story(state, 1)
    assert "Ada takes 2 and 1" in lines and not any("begins with" in line for line in lines)


def test_rolls_and_draws_have_words_or_none(write):
    wordy = rulewright.compile(write(RULES), players=2)
    lines = [text for _, text in wordy.full.new_initial_state(1).story]
    assert lines.count("Ada takes a card") == lines.count("Bo takes a card") == 1
    assert lines.count("you draw red") == 2
    assert "The red card lies open" in lines
    assert any(line.startswith("The die shows ") for line in lines)
    assert any(line.startswith("the roll is ") for line in lines)
    assert len(lines) == 7  # the two cards for the table say nothing


def test_words_do_not_change_the_game(write):
    plain = RULES
    for said in (
        ' say ""',
        ' say "{p} takes a card"',
        ' say "The {c} card lies open"',
        ' say "The die shows {d}"',
    ):
        plain = plain.replace(said, "")
    one = rulewright.compile(write(RULES), players=2)
    other = rulewright.compile(write(plain), players=2)
    assert one.info["hash"] == other.info["hash"]
    assert one.from_dict(other.new_initial_state(4).to_dict()) == one.new_initial_state(4)


def test_the_formatter_keeps_them():
    assert format_rules(RULES, "all.rules") == RULES


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('or nothing say "takes {n}" else say', 'say "takes {n}" else say', "nobody can decline"),
        ('say "begins with {a}", b', 'say "begins with {b}", b', "unknown name 'b'"),
        ('b in 1 .. 2 by p as pair', 'b in 1 .. 2 say "x" by p as pair', "the last step"),
        ('"The die shows {d}"', '"The die shows {hand[Player]}"', "RW"),
        ('else say "goes home"', 'else say "goes home" else say "x"', "written twice"),
    ],
)  # fmt: skip
def test_mistakes_in_them_are_told(write, old, new, message):
    with pytest.raises(SpecError) as error:
        rulewright.compile(write(RULES.replace(old, new)), players=2)
    assert message in str(error.value)


def test_lines_that_differ_in_their_last_number_are_one_line():
    lines = ["The dice show 1", "The dice show 5", "Ada scores 3", "Bo scores 3", "x", "x"]
    assert list(gathered(lines)) == [
        "The dice show 1, 5",
        "Ada scores 3",
        "Bo scores 3",
        "x (2 times)",
    ]


# ---------------------------------------------------------------- the games of the package


@each_ruleset
def test_no_player_reads_the_engines_words(ruleset):
    """Every decision, its declining, every step, roll and draw has words of the spec's own."""
    name, players, variants = ruleset
    core = check_ruleset(spec_of(name), players, variants)
    program = to_blocks(core, chance_stops=True, all_entries=False)
    missing = []
    for choice in (ask.choice for ask in program.asks):
        options = range(choice.element.size) if choice.option_says else ()
        # of several things chosen at once the last one tells all
        one_of_several = choice.more and choice.label.rpartition(".")[2].isdigit()
        said = choice.say is not None or choice.option_says or one_of_several
        if not said or any(choice.option_says[i][0] is None for i in options):
            missing.append(choice.label)
        if choice.otherwise is not None and choice.else_say is None:
            missing.append(f"{choice.label} or {choice.otherwise}")
        if choice.secret and choice.others is None and not choice.more:
            missing.append(f"{choice.label} for others")
    missing += [str(c.event.span) for c in program.chances if not c.event.quiet]
    assert missing == []


def test_no_story_holds_a_name_of_the_spec():
    """Names with underscores and dots are for specs; lines of a story begin with three spaces in the playthroughs."""
    names = re.compile(r"[A-Za-z0-9][._][A-Za-z0-9]")
    told = 0
    for path in sorted((Path(__file__).parent / "playthroughs").glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        story = [line for line in lines if line.startswith("   ")]
        told += len(story)
        assert [line for line in story if names.search(line)] == []
    assert told > 2000
