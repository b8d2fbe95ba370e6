"""Scenario files → scenarios whose every part knows its place; whatever is wrong with the form is a problem.

Names and values are looked at later, against each ruleset that the scenario runs with (see bind).
"""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from rulewright.compiler.build import Spec
from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YList,
    YMap,
    YScalar,
    as_int,
    as_list,
    as_map,
    as_name,
    as_text,
    describe,
)
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.rules.parse import parse_cell
from rulewright.compiler.text.diagnostics import Problems, Related, did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span, read_text, whole_file
from rulewright.conformance.scenario import (
    Chance,
    Condition,
    Decide,
    Expect,
    Fact,
    Refuse,
    Scenario,
    Step,
)

FACTS = (
    "state", "scores", "gained", "breakdown", "decides", "choice", "legal", "legal has", "legal lacks",
    "odds", "holds", "sees", "hidden", "over", "ranking",
)  # fmt: skip


def read_scenarios(
    path: Path, spec: Spec, problems: Problems, passed: Container[str] = ()
) -> list[Scenario]:
    """All scenarios of a spec's folder, in the order of files and of the text; `passed` are files to pass over."""
    folder = path / "scenarios"
    if not folder.is_dir():
        return []
    reader = _Reader(spec, problems)
    try:
        names = sorted(p.name for p in folder.iterdir() if not p.name.startswith("."))
    except OSError as error:
        at = whole_file(f"{spec.label}/scenarios")
        problems.error("RW0301", at, f"the folder cannot be read: {error.strerror}")
        return []
    for name in names:
        shown = f"{spec.label}/scenarios/{name}"
        if not name.endswith(".yaml"):
            problems.error(
                "RW0303", whole_file(shown), "this does not belong here", expected="files '*.yaml'"
            )
            continue
        if name in passed:
            continue
        source = read_text(folder / name, shown, spec.sources, problems)
        if source is not None:
            for document in read_yaml(source, problems):
                reader.document(document)
    return reader.scenarios


def read_scenario_text(text: str, shown: str, spec: Spec, problems: Problems) -> list[Scenario]:
    """The scenarios of a text that stands in no file yet."""
    reader = _Reader(spec, problems)
    for document in read_yaml(spec.sources.add(shown, text), problems):
        reader.document(document)
    return reader.scenarios


class _Reader:
    def __init__(self, spec: Spec, problems: Problems) -> None:
        self.spec = spec
        self.problems = problems
        self.scenarios: list[Scenario] = []
        self._names: dict[str, Span] = {}
        self._conditions: dict[Span, Condition] = {}
        self._count = 0

    def document(self, node: Node) -> None:
        items = as_list(node, self.problems, "a file of scenarios")
        for item in items.items if items is not None else []:
            mapping = as_map(item, self.problems, "a scenario")
            if mapping is not None:
                self.scenario(mapping)

    def scenario(self, node: YMap) -> None:
        own = Problems()
        fields = Fields(node, own, "a scenario")
        name_node = fields.need("scenario")
        # without an index there is nothing to name
        indexed = bool(self.spec.folder.clauses)
        covers_node = fields.need("covers") if indexed else fields.take("covers")
        players_node = fields.need("players")
        variants_node, options_node = fields.take("variants"), fields.take("options")
        given_node, call_node = fields.take("given"), fields.take("call")
        chance_node, when_node = fields.take("chance"), fields.take("when")
        then_node = fields.take("then")
        fields.finish()
        keep, self.problems = self.problems, own
        self._conditions = {}
        name = None if name_node is None else as_text(name_node, own, "the name of a scenario")
        covers = () if covers_node is None else self.clauses(covers_node, "'covers'")
        players = () if players_node is None else self.players(players_node)
        variants = () if variants_node is None else self.names(variants_node, "'variants'")
        options = () if options_node is None else self.options(options_node)
        given = None if given_node is None else as_map(given_node, own, "'given'")
        call = None if call_node is None else self.scalar(call_node, "'call'", "name(arguments)")
        chance = None if chance_node is None else self.chance(chance_node)
        steps = [] if when_node is None else self.steps(when_node)
        if then_node is not None:
            then = self.expect(then_node, "'then'", final=True)
            steps += [] if then is None else [then]
        if (
            then_node is None
            and not any(isinstance(s, Expect | Refuse) for s in steps)
            and not own.has_errors
        ):
            own.error(
                "RW0136", node.entries[0][1].span, "this scenario checks nothing",
                expected="'then:', or 'expect' or 'refused' in 'when:'",
            )  # fmt: skip
        self.problems = keep
        if name is not None and name_node is not None:
            first = self._names.setdefault(name, name_node.span)
            if first is not name_node.span:
                own.error(
                    "RW0306", name_node.span, "there is another scenario of this name",
                    related=[Related(first, "the first one")],
                )  # fmt: skip
        for problem in own:
            keep.add(problem)
        if own.has_errors or name is None or name_node is None:
            return
        ruleset = [n.span for n in (variants_node, options_node, players_node) if n is not None]
        scenario = Scenario(
            name, covers, players, variants, options, given, call, chance, tuple(steps),
            self._conditions, name_node.span, ruleset[0],
        )  # fmt: skip
        self.scenarios.append(scenario)

    # ------------------------------------------------------------ the head

    def clauses(self, node: Node, what: str) -> tuple[YScalar, ...]:
        """Clauses that exist, or problems."""
        items = node.items if isinstance(node, YList) else [node]
        out: list[YScalar] = []
        known = self.spec.folder.clauses
        for item in items:
            if as_name(item, self.problems, f"a clause in {what}") is None:
                continue
            assert isinstance(item, YScalar)
            if item.text not in known:
                self.problems.error(
                    "RW0901", item.span, f"there is no clause {quoted(item.text)}",
                    hint=did_you_mean(item.text, known),
                )  # fmt: skip
            out.append(item)
        if not items:
            self.problems.error("RW0309", node.span, f"{what} names no clause")
        return tuple(out)

    def players(self, node: Node) -> tuple[int, ...]:
        out: list[int] = []
        counts = self.spec.folder.game.players
        for item in node.items if isinstance(node, YList) else [node]:
            number = as_int(item, self.problems, "a number of players")
            if number is None:
                continue
            if number not in counts:
                message = f"{self.spec.folder.game.title} is not for {number} players"
                expected = listed(str(n) for n in counts)
                self.problems.error("RW0402", item.span, message, expected=expected)
            elif number in out:
                self.problems.error("RW0306", item.span, f"{number} is written twice")
            out.append(number)
        if isinstance(node, YList) and not node.items:
            self.problems.error("RW0307", node.span, "there is no number of players")
        return tuple(out)

    def names(self, node: Node, what: str) -> tuple[str, ...]:
        items = as_list(node, self.problems, what)
        found = [
            as_name(i, self.problems, f"a name in {what}") for i in (items.items if items else [])
        ]
        return tuple(n for n in found if n is not None)

    def options(self, node: Node) -> tuple[tuple[str, object], ...]:
        mapping = as_map(node, self.problems, "'options'")
        out: list[tuple[str, object]] = []
        for key, value in mapping.entries if mapping is not None else []:
            scalar = self.scalar(value, f"the option {quoted(key.text)}", "one value")
            if scalar is not None:
                out.append((key.text, plain(scalar)))
        return tuple(sorted(out, key=lambda item: item[0]))

    # ------------------------------------------------------------ steps

    def steps(self, node: Node) -> list[Step]:
        items = as_list(node, self.problems, "'when'")
        out: list[Step] = []
        for item in items.items if items is not None else []:
            mapping = as_map(item, self.problems, "a step")
            step = None if mapping is None else self.step(mapping)
            if step is not None:
                out.append(step)
        return out

    def step(self, node: YMap) -> Step | None:
        for word in ("expect", "refused", "chance"):
            value = node.get(word)
            if value is None:
                continue
            fields = Fields(node, self.problems, f"a step with '{word}'")
            fields.take(word)
            fields.finish()
            if word == "expect":
                return self.expect(value, "'expect'", final=False)
            return self.refused(value) if word == "refused" else self.chance(value)
        by_node = node.get("by")
        by = None if by_node is None else as_int(by_node, self.problems, "'by'")
        found = self.one_label(
            [(k, v) for k, v in node.entries if k.text != "by"], node, "a decision"
        )
        if found is None:
            return None
        label, value = found
        if isinstance(value, YList):
            if not value.items:
                message = f"{quoted(label.text)} is given no value"
                hint = "write what is chosen; for nothing the word that the rules have after 'or'"
                self.problems.error("RW0136", value.span, message, hint=hint)
            values = [
                self.scalar(v, f"a value of {quoted(label.text)}", "one value") for v in value.items
            ]
            return Decide(label, tuple(v for v in values if v is not None), by, label.span)
        scalar = self.scalar(value, f"the value of {quoted(label.text)}", "one value")
        return None if scalar is None else Decide(label, (scalar,), by, label.span)

    def one_label(
        self, entries: list[tuple[YScalar, Node]], node: YMap, what: str
    ) -> tuple[YScalar, Node] | None:
        if len(entries) == 1:
            return entries[0]
        at = entries[1][0].span if entries else node.span
        message = f"{what} has one label, not {len(entries)}"
        self.problems.error("RW0313", at, message, expected="{label: value}")
        return None

    def refused(self, node: Node) -> Refuse | None:
        mapping = as_map(node, self.problems, "'refused'")
        if mapping is None:
            return None
        because_node = mapping.get("because")
        because = () if because_node is None else self.clauses(because_node, "'because'")
        entries = [(k, v) for k, v in mapping.entries if k.text != "because"]
        found = self.one_label(entries, mapping, "'refused'")
        if found is None:
            return None
        value = self.scalar(found[1], f"the value of {quoted(found[0].text)}", "one value")
        return None if value is None else Refuse(found[0], value, because, found[0].span)

    def chance(self, node: Node) -> Chance | None:
        items = as_list(node, self.problems, "'chance'")
        if items is None:
            return None
        found = [self.scalar(i, "an outcome", "one value") for i in items.items]
        return Chance(tuple(o for o in found if o is not None), node.span)

    def expect(self, node: Node, what: str, *, final: bool) -> Expect | None:
        mapping = as_map(node, self.problems, what)
        if mapping is None:
            return None
        fields = Fields(mapping, self.problems, what)
        for key in FACTS:
            fields.take(key)
        fields.finish()
        if not mapping.entries:
            self.problems.error(
                "RW0136", mapping.span, f"{what} expects nothing", expected=listed(FACTS)
            )
        facts: list[Fact] = []
        for key_node, value in mapping.entries:
            facts.append(Fact(key_node.text, value, key_node.span))
            if key_node.text == "holds":
                for item in value.items if isinstance(value, YList) else [value]:
                    self.condition(item)
        return Expect(tuple(facts), mapping.span, final)

    def condition(self, node: Node) -> None:
        """A condition in the rules language, parsed where it stands."""
        scalar = self.scalar(node, "a condition", "text in the rules language")
        if scalar is None:
            return
        lines = scalar.code_lines()
        if lines is None:
            self.problems.error(
                "RW0314", scalar.span, "rule text must stand in the file as it is meant",
                hint="write it in double quotes on one line, without escapes, or after '|'",
            )  # fmt: skip
            return
        tree = parse_cell("expression", lines, scalar.span.file, self.problems)
        if tree is not None:
            self._count += 1
            name = f"fact_{self._count}"
            self._conditions[scalar.span] = Condition(name, scalar.text, tree, scalar.span)

    def scalar(self, node: Node, what: str, expected: str) -> YScalar | None:
        if isinstance(node, YScalar):
            return node
        message = f"{what} must be {expected}, not {describe(node)}"
        self.problems.error("RW0130", node.span, message, expected=expected)
        return None


def plain(node: YScalar) -> object:
    """A scalar as the value it looks like: an integer, true, false, or text."""
    if node.style == "plain":
        if node.text in ("true", "false"):
            return node.text == "true"
        if node.text.lstrip("-").isdigit():
            return int(node.text)
    return node.text
