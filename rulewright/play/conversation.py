"""A session → a conversation in the terminal: position, story, numbered choices, and the answers typed."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from rulewright.engines import spec_path
from rulewright.play.board import Numbers
from rulewright.play.explain import Explainer
from rulewright.play.game_over import told
from rulewright.play.keyboard import read_line
from rulewright.play.marking import Marking
from rulewright.play.options import Option, meant, options_of
from rulewright.play.player_words import choice_text, held, story_lines
from rulewright.play.session import Session
from rulewright.play.several import several_of
from rulewright.play.show import Screen
from rulewright.replay import ReplayError
from rulewright.runtime.preview import Ahead
from rulewright.scene.layout import Line, Part, Seats
from rulewright.scene.read_view import read_layout
from rulewright.scene.tongue import tongue_of
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import seat_name
from rulewright.terminal import console as new_console

HELP = """\
  NUMBER        choose an option; on the board it stands as #NUMBER
  WORDS         the same by how it begins, or by a word in it that no other has
  NUMBERS       where several are chosen at once: mark them, once more to unmark
  ok            choose all that is marked
  ?             the rule behind this decision; ? NUMBER the same for one option
  ? WORDS       why something is not offered; or a row, rule or clause by name
  v             show the whole position again
  s             the whole story so far
  u             take back the last decision, up to the last roll, draw or reveal
  w FILE        write the game to a file and go on recording it there
  q             stop; a recorded game can be gone on with
  h             this list"""
# so many options are listed one below the other with what they bring; more of them stand in columns
_IN_ONE_COLUMN = 18
# a screen with fewer lines than this gets the compact view
_LOW = 34


class Terminal:
    """Talks with the people at the seats."""

    def __init__(
        self, session: Session, console: Console | None = None, compact: bool | None = None
    ) -> None:
        self.session = session
        self.info = session.game.info
        self.console = console or new_console()
        if compact is None:
            compact = self.console.is_terminal and self.console.height < _LOW
        self.compact = compact
        # whether options stand side by side to leave room for the position
        self.in_columns = False
        folder = spec_path(session.header.game)
        names = Names.of(folder, session.game)
        layout = read_layout(folder, names)
        self.screen = Screen(layout, names)
        self.tongue = tongue_of(layout, names)
        # what was last shown of each part, and to whom after which decision
        self.shown: dict[int, str] = {}
        self.shown_at: tuple[int, int] | None = None
        self.options: list[Option] = []
        self.marking: Marking | None = None
        self.explainer = Explainer(session.game, folder)
        self.people = [i for i, bot in enumerate(session.bots) if bot is None]
        # up to where each seat has read the story
        self.read = [0] * len(session.bots)
        self.last: int | None = None
        self.asked_to_leave = False
        self.waited = 0

    def run(self) -> bool:
        """Play until the end or until somebody stops; whether the game is over."""
        session = self.session
        try:
            while not session.over:
                if not session.human_decides:
                    self._wait()
                    session.bot_moves()
                elif not self._turn():
                    return False
        except KeyboardInterrupt:
            self.console.print()
            return False
        self._end()
        return True

    def _wait(self) -> None:
        """A word about whom everybody waits for; what is printed next takes its place."""
        if self.console.is_terminal:
            text = f"{seat_name(self.info, self.session.seat)} is thinking …"
            self.console.file.write(f"\r{text}\r")
            self.console.file.flush()
            self.waited = len(text)

    def _wipe(self) -> None:
        if self.waited:
            self.console.file.write(f"\r{' ' * self.waited}\r")
            self.waited = 0

    def _view(self, seat: int) -> dict[str, Any]:
        data: dict[str, Any] = self.session.state.view(seat).data
        return data

    # ------------------------------------------------------------ one decision of a person

    def _turn(self) -> bool:
        session, seat = self.session, self.session.seat
        self._wipe()
        if len(self.people) > 1 and self.last != seat and not self._hand_over(seat):
            return False
        self.last = seat
        self.marking = self._several(seat)
        if self.marking is not None:
            self.options = self.marking.options
        else:
            self.options = options_of(
                session.game,
                session.state,
                seat,
                self.tongue,
                self.screen.layout,
                self.screen.names,
            )
        self._position(seat)
        while True:
            answer = self._ask(f"{seat_name(self.info, seat)}> ")
            if answer is None:
                self.console.print()
                return False
            done = self._answer(answer, seat)
            if done is not None:
                return done

    def _several(self, seat: int) -> Marking | None:
        found = several_of(self.session.game, self.session.state, seat)
        if found is None:
            return None
        ahead = Ahead(self.session.game.full, self.session.state, self.tongue)
        screen = self.screen
        return Marking(
            found,
            self._view(seat),
            screen.layout,
            screen.names,
            lambda steps: str(ahead.together(steps)["text"]),
        )

    def _hand_over(self, seat: int) -> bool:
        """Another person sits down: what the one before saw goes off the screen. False at the end of input."""
        self.console.clear()
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            # what has been scrolled away goes too
            self.console.file.write("\x1b[3J")
        name = seat_name(self.info, seat)
        prompt = f"{name} decides. Press Enter when you are at the screen. "
        return self._ask(prompt) is not None

    def _ask(self, prompt: str) -> str | None:
        """A line typed; None at the end of input."""
        self.console.print(prompt, style="bold", end="")
        return read_line()

    def _answer(self, answer: str, seat: int) -> bool | None:
        """True when the game went on, False to stop, None to ask again."""
        word, _, rest = answer.partition(" ")
        word = word.lower()
        if word in ("q", "quit"):
            return self._leave()
        self.asked_to_leave = False
        number = answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(self.options)
        if number and self.marking is None:
            self.session.decide(self.options[int(answer) - 1].action)
            return True
        if answer.startswith("?"):
            lines = self._explain(answer[1:].strip(), seat)
            for line in lines:
                text = line.lstrip()
                self.console.print(Padding(Text(text), (0, 0, 0, len(line) - len(text))))
        elif word in ("u", "undo"):
            return None if self._unmark() else self._undo()
        elif word in ("w", "write"):
            self._write(rest.strip())
        elif word in ("v", "view"):
            self._whole(seat)
        elif word in ("s", "story"):
            self._story(seat)
        elif word in ("h", "help", ""):
            self.console.print(HELP)
        elif self.marking is not None:
            return self._mark(self.marking, answer)
        else:
            return self._by_words(answer)
        return None

    def _explain(self, asked: str, seat: int) -> list[str]:
        """The answer to a question; numbers are those of the options as they stand here, where steps of the engine have others."""
        state = self.session.state
        if asked.isascii() and asked.isdigit() and 1 <= int(asked) <= len(self.options):
            option = self.options[int(asked) - 1]
            return self.explainer.option(state, option.action, option.text, option.brings)
        return self.explainer.explain(asked, state, seat, len(self.options))

    def _mark(self, marking: Marking, answer: str) -> bool | None:
        """Marks on and off; True when the whole was chosen."""
        heard = marking.hear(answer)
        if isinstance(heard, tuple):
            for action in heard:
                self.session.decide(action)
            return True
        if heard is not None:
            self.console.print(heard)
        self._list_options()
        return None

    def _by_words(self, answer: str) -> bool | None:
        """Choose what the words mean, if they mean one option."""
        found = [] if answer.isdigit() else meant(answer, self.options)
        if len(found) == 1:
            self.session.decide(found[0].action)
            return True
        if found:
            numbers = ", ".join(str(self.options.index(option) + 1) for option in found)
            self.console.print(f"That may mean several options: {numbers}.")
        else:
            self.console.print(f"Type a number from 1 to {len(self.options)}, or h for help.")
        return None

    def _story(self, seat: int) -> None:
        """The whole story; one that is longer than the screen is given to a pager."""
        lines = story_lines(self.session.state, seat, self.info)
        if self.console.is_terminal and len(lines) >= self.console.height:
            with self.console.pager():
                self._tell(lines)
        else:
            self._tell(lines)

    def _unmark(self) -> bool:
        """Whether there was a mark to take back."""
        done = self.marking is not None and self.marking.take_back()
        if done:
            self._list_options()
        return done

    def _undo(self) -> bool | None:
        problem = self.session.undo()
        if problem is not None:
            self.console.print(f"That can't be taken back: {problem}.")
            return None
        self.console.print("taken back", style="dim")
        self.read = [min(r, len(self.session.state.story)) for r in self.read]
        return True

    def _write(self, name: str) -> None:
        if not name:
            self.console.print("Name a file: w FILE")
            return
        try:
            self.session.save(Path(name))
        except ReplayError as error:
            self.console.print(str(error))
        else:
            self.console.print(f"The game is recorded in {name}.")

    def _leave(self) -> bool | None:
        """A game that nobody records is not given up at one keystroke."""
        if self.session.recorder is None and self.session.number and not self.asked_to_leave:
            self.asked_to_leave = True
            self.console.print(
                "This game is not recorded: q once more gives it up, w FILE keeps it."
            )
            return None
        return False

    # ------------------------------------------------------------ showing

    def _position(self, seat: int) -> None:
        """What has happened, what is different since the seat last saw it, and what can be chosen."""
        session = self.session
        self._tell(story_lines(session.state, seat, self.info, self.read[seat]))
        self.read[seat] = len(session.state.story)
        # between the steps of one action the rest still stands on the screen
        going_on = self.shown_at == (seat, session.number - 1)
        self.shown_at = (seat, session.number)
        if not going_on:
            self.shown.clear()
            self.console.rule(style="dim")
        self._parts(seat)
        self._ask_for(seat)

    def _whole(self, seat: int) -> None:
        self.console.rule(style="dim")
        self.screen.show(self.console, self._view(seat), self._numbers())
        self._ask_for(seat)

    def _numbers(self) -> Numbers:
        kind = self.explainer.pending(self.session.state)["element"].get("kind", "")
        return {(kind, option.value): i for i, option in enumerate(self.options, start=1)}

    def _parts(self, seat: int) -> None:
        """The parts of the position that look different from when they were last shown; in the compact view lines, players, and
        what else there is room for."""
        data, numbers, layout = self._view(seat), self._numbers(), self.screen.layout
        drawn = []
        for part in layout.terminal:
            one = Screen(replace(layout, terminal=(part,)), self.screen.names)
            with self.console.capture() as capture:
                one.show(self.console, data, numbers)
            drawn.append((part, capture.get()))
        self.in_columns = False
        room = self._room(drawn) if self.compact else 0
        beside = [t.count("\n") for p, t in drawn if not isinstance(p, Line | Seats)]
        if self.compact and min(beside, default=0) > room:
            # options side by side leave more room for the board, or for what has to be shown
            self.in_columns = True
            more = self._room(drawn)
            self.in_columns = room < 0 or min(beside, default=0) <= more
            room = more if self.in_columns else room
        fresh = []
        for i, (part, text) in enumerate(drawn):
            if self.compact and not isinstance(part, Line | Seats):
                lines = text.count("\n")
                if lines > room:
                    continue
                room -= lines
            if self.shown.get(i) != text:
                self.shown[i] = text
                fresh.append(part)
        Screen(replace(layout, terminal=tuple(fresh)), self.screen.names).show(
            self.console, data, numbers
        )

    def _room(self, drawn: list[tuple[Part, str]]) -> int:
        """The lines of a low screen that lines, players and options leave free."""
        kept = sum(text.count("\n") for part, text in drawn if isinstance(part, Line | Seats))
        # the question, the prompt and a line of the story beside the options
        return self.console.height - kept - self._lines_of_options() - 5

    def _lines_of_options(self) -> int:
        count = len(self.options)
        # of several things chosen at once a line tells how many are missing
        note = self.marking is not None
        if not self.in_columns:
            return min(count, _IN_ONE_COLUMN) + note
        widest = max((len(option.text) + len(option.mark) for option in self.options), default=0)
        # the number, a box and what keeps columns apart
        return -(-count // max(1, self.console.width // (widest + 13))) + note

    def _ask_for(self, seat: int) -> None:
        """The decision, what was done for it so far, and its options."""
        pending = self.explainer.pending(self.session.state)
        question = choice_text(pending["label"], self.screen.layout.asks)
        self.console.print(f"\n{seat_name(self.info, seat)}: {question}", style="bold")
        held = self._held(seat)
        if held:
            self.console.print(Text(f"  so far: {'; '.join(held)}", style="dim"))
        self._list_options()

    def _list_options(self) -> None:
        """Number, mark and words of each option; what it brings stands beside it where there are few, else `?` tells it."""
        width = max((len(option.mark) for option in self.options), default=0)
        few = len(self.options) <= _IN_ONE_COLUMN and not self.in_columns
        lines = []
        for i, option in enumerate(self.options, start=1):
            line = Text(f"{i:>4}  ")
            if self.marking is not None:
                line.append(f"{self.marking.box(i - 1)} ")
            if width:
                line.append(f"{option.mark:<{width}}  ", option.colour)
            line.append(option.text)
            if few and option.brings:
                line.append(f"  {option.brings}", "dim")
            line.truncate(self.console.width, overflow="ellipsis")
            lines.append(line)
        if few:
            self.console.print(*lines, sep="\n", no_wrap=True)
        else:
            self.console.print(Columns(lines, padding=(0, 1), column_first=True))
        if self.marking is not None:
            self.console.print(self.marking.note())

    def _held(self, seat: int) -> list[str]:
        """What the seat has done since another one decided or since luck was last asked, and the steps of a joint choice."""
        state = self.session.state
        own = takewhile(
            lambda before: before.seat == seat and before.state.barriers == state.barriers,
            reversed(self.session.past),
        )
        starts = [len(before.state.story) for before in own]
        lines = story_lines(state, seat, self.info, starts[-1]) if starts else []
        return held(lines, seat_name(self.info, seat), (state.pending() or {})["so_far"])

    def _tell(self, lines: list[str]) -> None:
        for line in lines:
            self.console.print(Text.assemble(("│", "dim"), f" {line}"))

    def _end(self) -> None:
        """How it ended: what nobody at the screen has read yet, the last position, and the places."""
        self._wipe()
        one = self.people[0] if len(self.people) == 1 else None
        start = min((self.read[i] for i in self.people), default=0)
        self._tell(story_lines(self.session.state, one, self.info, start))
        self.console.rule(style="dim")
        self.screen.show(self.console, self._view(self.people[0] if self.people else 0))
        state = self.session.state
        ended = told(self.session.game, state)
        self.console.print(f"\nThe game is over. {ended}", style="bold", highlight=False)
        places = state.ranking()
        if "together" in self.info and not self.info["reasons"]:
            return
        rows = state.score_breakdown()
        for i in sorted(range(self.info["players"]), key=lambda i: places[i]):
            parts = ", ".join(f"{reason} {points}" for reason, points in rows[i].items() if points)
            self.console.print(
                f"  {places[i]}. {seat_name(self.info, i)}: {state.scores()[i]} points"
                + (f" ({parts})" if parts else "")
            )
