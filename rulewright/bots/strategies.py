"""A spec's `bots.yaml` → named strategies: weights over choices, and positions judged by an expression of the rules language.

bots:
  builder:
    about: Builds whenever it can.
    plays: greedy                       # weights (the default), greedy, greedy:N or mcts:N
    weights:                            # how readily each value of a choice is taken; 1 where nothing is said
      build: {nothing: 0, tower: 6}
    evaluation: "score[p] + 5 * size(built[p])"      # instead of the game's own heuristic
judge: builder                          # who plays where rulesets are compared; greedy where nothing is said
search:                                 # how the bot mcts plays on before it judges a position
  weights: {…}
  horizon: 4                            # for so many turns; as many as there are players where nothing is said
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.compiler.read.yaml_nodes import Node, YScalar
    from rulewright.compiler.rules import syntax as S
    from rulewright.compiler.text.diagnostics import Problems
    from rulewright.compiler.text.source import Span

FILE = "bots.yaml"
_MOST = 1_000_000
_PLAYS = re.compile(r"weights|greedy(:[1-9][0-9]{0,3})?|mcts(:[1-9][0-9]{0,6})?")
# bots that every game has
EVERYWHERE = ("greedy", "mcts", "random")


@dataclass(frozen=True, slots=True)
class Strategy:
    """One bot as data. `weights` has an entry for each action of the game, or none when nothing is said."""

    name: str
    about: str = ""
    plays: str = "weights"
    weights: tuple[int, ...] = ()
    horizon: int | None = None
    # the expression, and its text as it stands in the file
    evaluation: S.Expr | None = field(default=None, compare=False)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """All that a spec says about bots, for one ruleset."""

    folder: Path
    strategies: dict[str, Strategy]
    search: Strategy
    # the bot that plays where rulesets are compared
    judge: str = "greedy"


def read_book(folder: Path, game: Any) -> Book:
    """The strategies of a spec for one of its rulesets; none without the file. What is wrong raises SpecError."""
    path = folder / FILE
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        return Book(folder, {}, Strategy("search"))
    key = (str(game.info["hash"]), int(game.info["players"]))
    found = _BOOKS.get((path, stamp, key))
    if found is None:
        found = _BOOKS[path, stamp, key] = _Reader(folder, game).book()
    return found


def check_book(
    folder: Path, documents: list[Node], known: Any, problems: Problems, fitting: set[Span] | None
) -> None:
    """What is wrong with the documents of a file of bots for one ruleset, expressions aside.

    Choices and values that are told to be unknown may be those of another ruleset; what fits is put into `fitting`. Without it
    what the text of the rules has somewhere is not told.
    """
    reader = _Reader(folder, known, fitting)
    reader.problems = problems
    reader.read(documents)


def estimates_in(documents: list[Node]) -> list[S.Expr]:
    """The evaluations in a file of bots, as far as they can be read; what is wrong with the rest is told by reading it."""
    from rulewright.compiler.read.read_values import parse_code
    from rulewright.compiler.read.yaml_nodes import YMap, YScalar
    from rulewright.compiler.text.diagnostics import Problems

    bots = documents[0].get("bots") if documents and isinstance(documents[0], YMap) else None
    found = []
    for _, node in bots.entries if isinstance(bots, YMap) else []:
        text = node.get("evaluation") if isinstance(node, YMap) else None
        parsed = parse_code(text, Problems(), "expression") if isinstance(text, YScalar) else None
        if parsed is not None:
            found.append(parsed)
    return found


_BOOKS: dict[tuple[Path, int, tuple[str, int]], Book] = {}


class _Reader:
    """Reads strictly: every name must be one of the game's."""

    def __init__(self, folder: Path, game: Any, fitting: set[Span] | None = None) -> None:
        from rulewright.compiler.text.diagnostics import Problems
        from rulewright.compiler.text.source import Sources

        self.folder = folder
        self.game = game
        self.fitting = fitting
        self.problems: Problems = Problems()
        self.sources = Sources()

    def book(self) -> Book:
        from rulewright.compiler.read.yaml_text import read_yaml
        from rulewright.compiler.text.diagnostics import SpecError
        from rulewright.compiler.text.source import read_text

        shown = f"{self.folder.name}/{FILE}"
        source = read_text(self.folder / FILE, shown, self.sources, self.problems)
        documents = [] if source is None else read_yaml(source, self.problems)
        strategies, search, judge = self.read(documents)
        if self.problems.has_errors:
            raise SpecError(self.problems, self.sources)
        return Book(self.folder, strategies, search, judge)

    def read(self, documents: list[Node]) -> tuple[dict[str, Strategy], Strategy, str]:
        from rulewright.compiler.read.yaml_nodes import Fields, as_map

        strategies: dict[str, Strategy] = {}
        search = Strategy("search")
        judge = "greedy"
        if len(documents) > 1:
            self.problems.error("RW0304", documents[1].span, "the file of bots is one document")
        if documents:
            top = as_map(documents[0], self.problems, "the file of bots")
            if top is not None:
                fields = Fields(top, self.problems, "the file of bots")
                bots, own = fields.take("bots"), fields.take("search")
                wanted = fields.take("judge")
                fields.finish()
                for name, node in self.entries(bots, "bots"):
                    if name.text in EVERYWHERE:
                        self.problems.error(
                            "RW0306", name.span, f"every game has a bot {name.text!r}, and this one would never play",
                            hint="give it another name",
                        )  # fmt: skip
                    strategies[name.text] = self.strategy(name.text, node)
                if own is not None:
                    search = self.search(own)
                if wanted is not None:
                    judge = self.judge(wanted, strategies)
        return strategies, search, judge

    def judge(self, node: Node, strategies: dict[str, Strategy]) -> str:
        """The bot that judges rules: one of the game's own, or one that every game has."""
        from rulewright.compiler.read.yaml_nodes import as_text
        from rulewright.compiler.text.diagnostics import did_you_mean, listed

        name = as_text(node, self.problems, "judge") or "greedy"
        known = [*strategies, *EVERYWHERE]
        if name.partition(":")[0] not in known:
            self.problems.error(
                "RW0501", node.span, f"there is no bot {name!r}",
                expected=listed(known), hint=did_you_mean(name, known),
            )  # fmt: skip
        return name

    def entries(self, node: Node | None, what: str) -> list[tuple[YScalar, Node]]:
        from rulewright.compiler.read.yaml_nodes import as_map

        found = None if node is None else as_map(node, self.problems, what)
        return [] if found is None else found.entries

    def strategy(self, name: str, node: Node) -> Strategy:
        from rulewright.compiler.read.yaml_nodes import Fields, as_map, as_text

        found = as_map(node, self.problems, f"the bot {name}")
        if found is None:
            return Strategy(name)
        fields = Fields(found, self.problems, f"the bot {name}")
        about, plays = fields.need("about"), fields.take("plays")
        weights, evaluation, horizon = (
            fields.take("weights"), fields.take("evaluation"), fields.take("horizon"),
        )  # fmt: skip
        fields.finish()
        how = "weights" if plays is None else as_text(plays, self.problems, "plays") or "weights"
        if plays is not None and not _PLAYS.fullmatch(how):
            self.problems.error(
                "RW0313", plays.span, f"a bot can't play {how!r}", expected="weights, greedy, greedy:N, mcts or mcts:N"
            )  # fmt: skip
        if how == "weights" and (weights is None or evaluation is not None or horizon is not None):
            self.problems.error(
                "RW0136", found.entries[0][0].span, f"the bot {name} plays by weights alone, so it needs 'weights' and reads nothing else",
                hint="write 'plays: greedy' for a bot with an evaluation",
            )  # fmt: skip
        text = None if about is None else as_text(about, self.problems, "about")
        return Strategy(
            name,
            text or "",
            how,
            self.weights(weights),
            self.horizon(horizon),
            self.expression(evaluation),
            getattr(evaluation, "text", ""),
        )

    def search(self, node: Node) -> Strategy:
        from rulewright.compiler.read.yaml_nodes import Fields, as_map

        found = as_map(node, self.problems, "search")
        if found is None:
            return Strategy("search")
        fields = Fields(found, self.problems, "search")
        weights, horizon = fields.take("weights"), fields.take("horizon")
        fields.finish()
        return Strategy("search", weights=self.weights(weights), horizon=self.horizon(horizon))

    def horizon(self, node: Node | None) -> int | None:
        return None if node is None else self.number(node, "horizon", 10_000)

    def number(self, node: Node, what: str, most: int) -> int:
        from rulewright.compiler.read.yaml_nodes import as_int

        found = as_int(node, self.problems, what)
        if found is not None and not 0 <= found <= most:
            self.problems.error(
                "RW0323", node.span, f"{what} must be from 0 to {most}, not {found}"
            )
        return found or 0

    def expression(self, node: Node | None) -> S.Expr | None:
        from rulewright.compiler.read.read_values import parse_code
        from rulewright.compiler.read.yaml_nodes import YScalar, as_text

        if node is None or as_text(node, self.problems, "evaluation") is None:
            return None
        assert isinstance(node, YScalar)
        return parse_code(node, self.problems, "expression")

    def weights(self, node: Node | None) -> tuple[int, ...]:
        """One weight for each action; what is not mentioned has 1, or what `otherwise` says for its choice."""
        if node is None:
            return ()
        out = [1] * int(self.game.info["actions"])
        choices = {c["label"]: c for c in self.game.info["choices"].values()}
        for label, values in self.entries(node, "weights"):
            choice = choices.get(label.text)
            if choice is None:
                self.unknown_label(label, choices)
                continue
            self.fits(label)
            self.of_choice(choice, values, out)
        return tuple(out)

    def of_choice(self, choice: dict[str, Any], values: Node, out: list[int]) -> None:
        names = {
            str(self.game.option_name(choice, i)): choice["offset"] + i
            for i in range(choice["size"])
        }
        given: dict[int, str] = {}
        for value, node in self.entries(values, f"the weights of {choice['label']}"):
            weight = self.number(node, f"the weight of {value.text}", _MOST)
            if value.text in names:
                out[names[value.text]] = weight
                given[names[value.text]] = value.text
                self.fits(value)
                continue
            group = self.group(choice, value.text, names)
            lost = [given[action] for action in group if action in given]
            if lost:
                self.problems.error(
                    "RW0306", value.span, f"{value.text!r} takes in {lost[0]!r}, whose weight stands before it and is lost",
                    hint=f"write {value.text!r} first",
                )  # fmt: skip
            for action in group:
                out[action] = weight
            if group:
                self.fits(value)
            elif not self.elsewhere(rf"(?<![\w.-]){re.escape(value.text.removesuffix('*'))}"):
                from rulewright.compiler.text.diagnostics import did_you_mean, listed

                self.problems.error(
                    "RW0325", value.span, f"{choice['label']} has no value {value.text!r}",
                    expected=listed(names), hint=did_you_mean(value.text, names),
                )  # fmt: skip

    def group(self, choice: dict[str, Any], text: str, names: dict[str, int]) -> list[int]:
        """`any` stands for all values (write it first), `north.*` for those that begin so."""
        if text == "any":
            return list(names.values())
        if text.endswith("*"):
            return [action for name, action in names.items() if name.startswith(text[:-1])]
        return []

    def fits(self, node: YScalar) -> None:
        if self.fitting is not None:
            self.fitting.add(node.span)

    def elsewhere(self, pattern: str) -> bool:
        """Whether another ruleset may have it, as far as the text of the rules tells; a check looks at all of them itself."""
        word = re.compile(pattern)
        return self.fitting is None and any(
            word.search(_text(file))
            for file in sorted(self.folder.rglob("*"))
            if file.suffix in (".rules", ".yaml") and file.name not in (FILE, "mutants.yaml")
        )

    def unknown_label(self, label: YScalar, choices: dict[str, Any]) -> None:
        """A choice that only a variant asks is passed over; one that nothing in the spec asks is a mistake."""
        from rulewright.compiler.text.diagnostics import did_you_mean, listed

        if self.elsewhere(rf"\bas {re.escape(label.text.partition('.')[0])}\b"):
            return
        self.problems.error(
            "RW0501", label.span, f"the game has no choice {label.text!r}",
            expected=listed(choices), hint=did_you_mean(label.text, choices),
        )  # fmt: skip


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
