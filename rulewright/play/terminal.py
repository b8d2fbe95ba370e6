"""A session → a conversation in the terminal: position, story, numbered choices, and the answers typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from rulewright.engines import spec_path
from rulewright.play.board import Numbers
from rulewright.play.explain import Explainer
from rulewright.play.keyboard import read_line
from rulewright.play.session import Session
from rulewright.play.show import Screen
from rulewright.play.words import choice_text, option_text, story_lines
from rulewright.replay import ReplayError
from rulewright.scene.names import Names
from rulewright.scene.read_view import read_layout
from rulewright.scene.words import seat_name
from rulewright.terminal import console as new_console

HELP = """\
  NUMBER        choose an option; on the board it stands as #NUMBER
  ?             the rule behind this decision; ? NUMBER the same for one option
  ? WORDS       why something is not offered, by its name
  v             show the position again
  s             the whole story so far
  u             take back the last decision, up to the last roll, draw or reveal
  w FILE        write the game to a file and go on recording it there
  q             stop; a recorded game can be gone on with
  h             this list"""
# so many options are listed one below the other; more of them stand in columns
_IN_ONE_COLUMN = 9


class Terminal:
    """Talks with the people at the seats."""

    def __init__(self, session: Session, console: Console | None = None) -> None:
        self.session = session
        self.info = session.game.info
        self.console = console or new_console()
        folder = spec_path(session.header.game)
        names = Names.of(folder, session.game)
        self.screen = Screen(read_layout(folder, names), names)
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
        actions = list(session.state.legal_actions())
        self._position(seat, actions)
        while True:
            answer = self._ask(f"{seat_name(self.info, seat)}> ")
            if answer is None:
                self.console.print()
                return False
            done = self._answer(answer, seat, actions)
            if done is not None:
                return done

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

    def _answer(self, answer: str, seat: int, actions: list[int]) -> bool | None:
        """True when the game went on, False to stop, None to ask again."""
        word, _, rest = answer.partition(" ")
        word = word.lower()
        if word in ("q", "quit"):
            return self._leave()
        self.asked_to_leave = False
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(actions):
            self.session.decide(actions[int(answer) - 1])
            return True
        if answer.startswith("?"):
            for line in self.explainer.explain(answer[1:].strip(), self.session.state, seat):
                text = line.lstrip()
                self.console.print(Padding(Text(text), (0, 0, 0, len(line) - len(text))))
        elif word in ("u", "undo"):
            return self._undo()
        elif word in ("w", "write"):
            self._write(rest.strip())
        elif word in ("v", "view"):
            self._position(seat, actions)
        elif word in ("s", "story"):
            self._tell(story_lines(self.session.state, seat, self.info))
        elif word in ("h", "help", ""):
            self.console.print(HELP)
        else:
            self.console.print(f"Type a number from 1 to {len(actions)}, or h for help.")
        return None

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

    def _position(self, seat: int, actions: list[int]) -> None:
        self._tell(story_lines(self.session.state, seat, self.info, self.read[seat]))
        self.read[seat] = len(self.session.state.story)
        pending = self.explainer.pending(self.session.state)
        kind = pending["element"].get("kind", "")
        numbers: Numbers = {}
        for i, action in enumerate(actions, start=1):
            numbers[kind, str(self.session.state.action_to_dict(action)["value"])] = i
        name = seat_name(self.info, seat)
        self.console.rule(style="dim")
        self.screen.show(self.console, self._view(seat), numbers)
        self.console.print(f"\n{name}: {choice_text(pending['label'])}", style="bold")
        self._options([option_text(self.session.state, action, seat) for action in actions])

    def _options(self, texts: list[str]) -> None:
        lines = [Text(f"{i:>4}  {text}") for i, text in enumerate(texts, start=1)]
        if len(lines) <= _IN_ONE_COLUMN:
            self.console.print(*lines, sep="\n")
        else:
            self.console.print(Columns(lines, padding=(0, 2), column_first=True))

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
        self.console.print("\nThe game is over.", style="bold")
        places = state.ranking()
        rows = state.score_breakdown()
        for i in sorted(range(self.info["players"]), key=lambda i: places[i]):
            parts = ", ".join(f"{reason} {points}" for reason, points in rows[i].items() if points)
            self.console.print(
                f"  {places[i]}. {seat_name(self.info, i)}: {state.scores()[i]} points"
                + (f" ({parts})" if parts else "")
            )
