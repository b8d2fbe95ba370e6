"""A session → a conversation in the terminal: position, story, numbered choices, and the answers typed."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console
from rich.markup import escape

from rulewright.engines import spec_path
from rulewright.play.layout import read_layout
from rulewright.play.names import Names
from rulewright.play.session import Session
from rulewright.play.show import Numbers, Screen
from rulewright.play.words import cite_text, option_text, reason_text, seat_name, story_lines
from rulewright.runtime.errors import RulewrightError

HELP = """\
  NUMBER        choose an option
  ?             the rule behind this decision; ? NUMBER the same for one option
  ? WORDS       why something is not offered, by the name of the value (? hoist)
  v             show the position again
  s             the whole story so far
  u             take back the last decision, up to the last roll, draw or reveal
  q             stop; with --save the game can be gone on with by --resume
  h             this list"""


class Terminal:
    """Talks with the people at the seats."""

    def __init__(self, session: Session, console: Console | None = None) -> None:
        self.session = session
        self.info = session.game.info
        self.console = console or Console(highlight=False)
        folder = spec_path(session.header.game)
        names = Names.of(folder, session.game)
        self.screen = Screen(read_layout(folder, names), names)
        self.clauses = _clauses(folder)
        self.people = [i for i, bot in enumerate(session.bots) if bot is None]
        # up to where each seat has read the story
        self.read = [0] * len(session.bots)
        self.last: int | None = None

    def run(self) -> bool:
        """Play until the end or until somebody stops; whether the game is over."""
        session = self.session
        while not session.over:
            if not session.human_decides:
                self._wait()
                session.bot_moves()
            elif not self._turn():
                return False
        self._end()
        return True

    def _wait(self) -> None:
        if self.console.is_terminal:
            name = seat_name(self.info, self.session.seat)
            self.console.print(f"[dim]{name} is thinking …[/dim]", end="\r")

    def _view(self, seat: int) -> dict[str, Any]:
        data: dict[str, Any] = self.session.state.view(seat).data
        return data

    # ------------------------------------------------------------ one decision of a person

    def _turn(self) -> bool:
        session, seat = self.session, self.session.seat
        if len(self.people) > 1 and self.last != seat:
            self._hand_over(seat)
        self.last = seat
        actions = list(session.state.legal_actions())
        self._position(seat, actions)
        while True:
            answer = self._ask(f"{seat_name(self.info, seat)}> ")
            if answer is None:
                return False
            done = self._answer(answer, seat, actions)
            if done is not None:
                return done

    def _hand_over(self, seat: int) -> None:
        """Another person sits down: what the one before saw goes off the screen."""
        self.console.clear()
        self._ask(f"{seat_name(self.info, seat)} decides. Press Enter when you are at the screen. ")

    def _ask(self, prompt: str) -> str | None:
        """A line typed; None at the end of input."""
        self.console.print(f"[bold]{escape(prompt)}[/bold]", end="")
        sys.stdout.flush()
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _answer(self, answer: str, seat: int, actions: list[int]) -> bool | None:
        """True when the game went on, False to stop, None to ask again."""
        word = answer.lower()
        if word in ("q", "quit"):
            return False
        if word in ("u", "undo"):
            problem = self.session.undo()
            if problem is None:
                self.console.print("[dim]taken back[/dim]")
                self.read = [min(r, len(self.session.state.story)) for r in self.read]
                return True
            self.console.print(f"That can't be taken back: {problem}.")
        elif answer.startswith("?"):
            self._explain(answer[1:].strip(), seat, actions)
        elif word in ("v", "view"):
            self._position(seat, actions)
        elif word in ("s", "story"):
            for line in story_lines(self.session.state, seat):
                self.console.print(escape(line))
        elif word in ("h", "help", ""):
            self.console.print(HELP, markup=False)
        elif answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(actions):
            self.session.decide(actions[int(answer) - 1])
            return True
        else:
            self.console.print(f"Type a number from 1 to {len(actions)}, or h for help.")
        return None

    # ------------------------------------------------------------ showing

    def _position(self, seat: int, actions: list[int]) -> None:
        self._story(seat)
        pending = self._pending()
        kind = pending["element"].get("kind", "")
        numbers: Numbers = {}
        for i, action in enumerate(actions, start=1):
            numbers[kind, str(self._value(action))] = i
        self.console.print()
        self.screen.show(self.console, self._view(seat), numbers)
        label = pending["label"].replace("_", " ").replace(".", " ")
        self.console.print(f"\n[bold]{seat_name(self.info, seat)}: {escape(label)}[/bold]")
        for i, action in enumerate(actions, start=1):
            self.console.print(f"  {i:>2}  {escape(option_text(self.session.state, action, seat))}")

    def _story(self, seat: int) -> None:
        for line in story_lines(self.session.state, seat, self.read[seat]):
            self.console.print(f"[dim]│[/dim] {escape(line)}")
        self.read[seat] = len(self.session.state.story)

    def _pending(self) -> dict[str, Any]:
        state = self.session.state
        found: dict[str, Any] = self.session.game.full.info["choices"][str(state.pc)]
        return found

    def _value(self, action: int) -> Any:
        return self.session.state.action_to_dict(action)["value"]

    def _explain(self, what: str, seat: int, actions: list[int]) -> None:
        """The clauses behind the decision or an option; for what is not offered, what stands against it."""
        pending = self._pending()
        if what.isascii() and what.isdigit() and 1 <= int(what) <= len(actions):
            action = actions[int(what) - 1]
            self.console.print(escape(option_text(self.session.state, action, seat)))
            self._cites([*pending["cites"], *self._member_cites(pending, action)])
            return
        if not what:
            self._cites(pending["cites"])
            for condition in pending["conditions"]:
                self.console.print(f"It needs: {escape(condition['text'])}")
                self._cites(condition["cites"])
            return
        self._why_not(what, pending)

    def _why_not(self, what: str, pending: dict[str, Any]) -> None:
        value: Any = int(what) if what.lstrip("-").isdigit() else what
        try:
            reasons = self.session.state.why_not(pending["label"], value)
        except RulewrightError as error:
            self.console.print(escape(str(error)))
            return
        if not reasons:
            self.console.print(f"{escape(what)} is allowed; choose it by its number.")
        for reason in reasons:
            self.console.print(escape(reason_text(reason, self.clauses)))

    def _member_cites(self, pending: dict[str, Any], action: int) -> list[str]:
        """What the table says about the chosen member."""
        kind = self.info["kinds"].get(pending["element"].get("kind", ""))
        value = str(self._value(action))
        if kind is None or value not in kind["members"]:
            return []
        return list(kind["cites"][kind["members"].index(value)])

    def _cites(self, cites: list[str]) -> None:
        for cite in dict.fromkeys(cites):
            self.console.print(f"  {escape(cite_text(cite, self.clauses))}")

    def _end(self) -> None:
        seat = self.people[0] if len(self.people) == 1 else None
        start = self.read[seat] if seat is not None else 0
        for line in story_lines(self.session.state, seat, start):
            self.console.print(f"[dim]│[/dim] {escape(line)}")
        self.console.print()
        self.screen.show(self.console, self._view(self.people[0] if self.people else 0))
        state = self.session.state
        self.console.print("\n[bold]The game is over.[/bold]")
        places = state.ranking()
        rows = state.score_breakdown()
        for i in sorted(range(self.info["players"]), key=lambda i: places[i]):
            parts = ", ".join(f"{reason} {points}" for reason, points in rows[i].items() if points)
            self.console.print(
                f"  {places[i]}. {seat_name(self.info, i)}: {state.scores()[i]} points ({parts})"
            )


def _clauses(folder: Any) -> dict[str, Any]:
    from rulewright.compiler.build import read_spec

    return dict(read_spec(folder, folder.name).folder.clauses)
