"""A game's folder on disk into tables, constants, rules, clauses and variants.

Whatever is wrong becomes a problem with its place. A folder that was read with problems is given
back as far as it goes, so that more of them can be found; it is not fit to be played.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rulewright.compiler.read.folder import (
    MOST_DECISIONS,
    Absent,
    Clause,
    Constant,
    Folder,
    GameFile,
    OptionDecl,
    Table,
    Variant,
)
from rulewright.compiler.read.read_clauses import read_clauses
from rulewright.compiler.read.read_table import read_table
from rulewright.compiler.read.read_values import (
    Counts,
    once,
    read_cites,
    read_constants,
    read_options,
)
from rulewright.compiler.read.read_variant import (
    MAX_PLAYERS,
    check_variants,
    read_absent,
    read_counts,
    read_members,
    read_reasons,
    read_teams,
    read_usual,
    read_variant,
)
from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YList,
    YMap,
    YScalar,
    as_int,
    as_map,
    as_name,
    as_text,
    describe,
)
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.parse import parse_rules
from rulewright.compiler.text.diagnostics import Problems, Related, did_you_mean, nearest, quoted
from rulewright.compiler.text.source import Source, Sources, Span, read_text, whole_file

MAX_FILES = 200
MAX_TOTAL = 20 * 1024 * 1024
GAME_FILE = "game.yaml"
_FOLDERS = ("variants", "scenarios", "clauses")
_ELSEWHERE = frozenset({GAME_FILE, "bots.yaml", "mutants.yaml", "view.yaml"})
_NOTES = (".md", ".txt")


def read_folder(
    path: Path, sources: Sources, problems: Problems, display: str | None = None
) -> Folder | None:
    """Read a folder; nothing when it has no game file that could be made sense of.

    `display` is how messages name the folder, by default as it was passed.
    """
    shown = path.as_posix() if display is None else display
    return _Reader(_Files(path, shown, sources, problems)).read()


class _Files:
    """The files of one folder, read within bounds and named as people know them."""

    def __init__(self, path: Path, shown: str, sources: Sources, problems: Problems) -> None:
        self.read: list[str] = []
        self.shown = shown
        self._path = path
        self._sources = sources
        self._bytes = 0
        self._stopped = False
        self.problems = problems

    def name(self, relative: str) -> str:
        if not self.shown or self.shown.endswith("/"):
            return self.shown + relative
        return f"{self.shown}/{relative}"

    def names(self, folder: str) -> list[str] | None:
        """The names in a folder in order, without hidden ones; nothing when there is no folder."""
        place = self._path / folder if folder else self._path
        at = whole_file(self.name(folder) if folder else self.shown)
        try:
            return sorted(p.name for p in place.iterdir() if not p.name.startswith("."))
        except FileNotFoundError:
            # A folder of variants may be missing, but a link to nowhere is a mistake.
            if folder and not place.is_symlink():
                return None
            self.problems.error("RW0301", at, "there is no such folder")
        except NotADirectoryError:
            self.problems.error("RW0301", at, "this is not a folder")
        except (OSError, ValueError, RuntimeError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.problems.error("RW0301", at, f"the folder cannot be read: {reason or error}")
        return None

    def is_folder(self, relative: str) -> bool:
        try:
            return (self._path / relative).is_dir()
        except (OSError, ValueError):
            return False

    def text(self, relative: str) -> Source | None:
        if self._stopped:
            return None
        shown = self.name(relative)
        path = self._path / relative
        # Reading it says what is wrong.
        with suppress(OSError, ValueError):
            self._bytes += path.stat().st_size
        self.read.append(shown)
        if len(self.read) > MAX_FILES or self._bytes > MAX_TOTAL:
            self._stopped = True
            message = (
                f"the folder has more than {MAX_FILES} files, or they are larger than"
                f" {MAX_TOTAL // (1024 * 1024)} MB in all"
            )
            self.problems.error("RW0302", whole_file(self.shown), message)
            return None
        return read_text(path, shown, self._sources, self.problems)

    def yaml(self, relative: str) -> list[Node]:
        """The documents of a file; a file without any is a problem."""
        source = self.text(relative)
        if source is None:
            return []
        # Whatever is wrong with the YAML has been reported; silence means that it is empty.
        own = Problems()
        documents = read_yaml(source, own)
        for problem in own:
            self.problems.add(problem)
        if not documents and not own.has_errors:
            at = whole_file(source.file)
            self.problems.error("RW0304", at, "the file is empty", hint="fill or remove it")
        return documents

    def there(self, relative: str) -> bool:
        """Whether there is something of this name; what else is wrong with it, reading says."""
        try:
            return (self._path / relative).exists()
        except (OSError, ValueError):
            return True

    def inside(self, node: YScalar, folder: str) -> str | None:
        """The path that a spec gives for one of its files, from the folder's top."""
        parts = node.text.split("/")
        if any(part in ("", ".", "..") for part in parts) or "\\" in node.text:
            self.problems.error(
                "RW0303",
                node.span,
                f"{quoted(node.text)} does not name a file of this folder",
                expected="a path such as 'name' or 'folder/name', without '..'",
            )
            return None
        return f"{folder}/{node.text}" if folder else node.text


class _Reader:
    """Gathers a folder's parts; each may be there when others could not be read."""

    def __init__(self, files: _Files) -> None:
        self.files = files
        self.problems = files.problems
        self.game: GameFile | None = None
        self.players: Counts = None
        self.tables: dict[str, Table] = {}
        self.constants: dict[str, Constant] = {}
        self.options: dict[str, OptionDecl] = {}
        self.absent: tuple[Absent, ...] = ()
        self.clauses: dict[str, Clause] = {}
        self.variants: dict[str, Variant] = {}
        self.decls: list[S.Decl] = []
        self._seen: dict[str, dict[str, Span]] = {}
        self._rules: dict[str, tuple[S.Decl, ...]] = {}
        # files that tables take their rows from
        self._named: set[str] = set()

    def read(self) -> Folder | None:
        names = self.files.names("")
        if names is None:
            return None
        if GAME_FILE not in names:
            at = whole_file(self.files.shown)
            hint = did_you_mean(GAME_FILE, (name for name in names if "." in name))
            self.problems.error("RW0301", at, f"the folder has no {GAME_FILE}", hint=hint)
            return None
        self._read_game()
        self._unread_clauses()
        for name in names:
            if name.endswith(".yaml") and name not in _ELSEWHERE:
                for document in self.files.yaml(name):
                    self._read_document(document)
        for name in names:
            if not self._check_name(name, name):
                self._check_kind(name, name, (*sorted(_ELSEWHERE), *_FOLDERS, *self._named))
        for name in names:
            if name.endswith(".rules"):
                self.decls.extend(self._read_rules(name))
        for decl in self.decls:
            if isinstance(decl, S.Function | S.Procedure) and decl.replaces:
                message = f"there is nothing that {quoted(decl.name.text)} could replace here"
                hint = "only the rules of a variant replace others; remove the word 'replace'"
                self.problems.error("RW0318", decl.name.span, message, hint=hint)
        self._read_variants()
        if self.game is None:
            return None
        return Folder(
            game=self.game,
            tables=self.tables,
            constants=self.constants,
            options=self.options,
            decls=tuple(self.decls),
            variants=self.variants,
            clauses=self.clauses,
            absent=self.absent,
            files=tuple(self.files.read),
        )

    def _once(self, what: str, name: str, at: Span) -> bool:
        return once(name, at, self._seen.setdefault(what, {}), self.problems, f"the {what}")

    def _check_kind(self, name: str, relative: str, known: Iterable[str]) -> None:
        """Warn of a file or folder that nothing reads; notes for people are no part of a game."""
        is_folder = self.files.is_folder(relative)
        if (
            name in known
            or name.endswith(_NOTES)
            or name.partition(".")[0] in ("README", "LICENSE")
        ):
            return
        if name.endswith((".yaml", ".rules")):
            return  # a folder of such a name is told when it is read
        self.problems.warning(
            "RW0322", whole_file(self.files.name(relative)),
            f"nothing is read from this {'folder' if is_folder else 'file'}",
            expected="files '*.yaml' and '*.rules'",
            hint=did_you_mean(name, known) or "move it elsewhere, or remove it; notes are called '*.md'",
        )  # fmt: skip

    def _check_name(self, name: str, relative: str) -> bool:
        """Report a file or folder that would go unread because of a slip in its name."""
        if name.endswith((".yml", ".rule")):
            right = name.rsplit(".", 1)[0] + (".yaml" if name.endswith(".yml") else ".rules")
            at = whole_file(self.files.name(relative))
            message = "a file of this kind is not read"
            self.problems.error("RW0303", at, message, hint=f"call it {quoted(right)}")
            return True
        elif name not in _FOLDERS and "." not in name and nearest(name, ["variants"]):
            at = whole_file(self.files.name(relative))
            message = "nothing is read from here"
            self.problems.error("RW0303", at, message, hint="did you mean 'variants'?")
            return True
        return False

    # --- the game file ---

    def _read_game(self) -> None:
        documents = self.files.yaml(GAME_FILE)
        if len(documents) > 1:
            message = "the game file holds more than one document"
            self.problems.error("RW0304", documents[1].span, message)
        mapping = as_map(documents[0], self.problems, "the game file") if documents else None
        if mapping is None:
            return
        problems = self.problems
        fields = Fields(mapping, problems, "the game file")
        game_node = fields.need("game")
        game = None if game_node is None else as_name(game_node, problems, "'game'")
        title_node, about_node = fields.take("title"), fields.take("about")
        title = None if title_node is None else as_text(title_node, problems, "'title'")
        about = None if about_node is None else as_text(about_node, problems, "'about'")
        players_node = fields.need("players")
        players = None if players_node is None else read_counts(players_node, problems, None)
        self.players = players
        clauses_node, seats_node = fields.take("clauses"), fields.need("seats")
        seen: dict[str, Span] = {}
        seats = read_members(seats_node, problems, "'seats'", seen)
        # what is wrong with a single count or name is told already
        many = len(seats_node.items) if isinstance(seats_node, YList) else MAX_PLAYERS
        most = max((n for n in players or () if 1 <= n <= MAX_PLAYERS), default=0)
        if seats_node is not None and many < most:
            seated = "1 seat is" if many == 1 else f"{many} seats are"
            message = f"{seated} not enough for {most} players"
            too_many = [str(count) for count in players or () if many < count <= MAX_PLAYERS]
            missing = most - many
            problems.error(
                "RW0308", seats_node.span, message, expected=f"{most} names, one for each player",
                hint=f"add {missing} more, or take {' and '.join(too_many)} out of 'players'",
            )  # fmt: skip
        neutral = read_members(fields.take("neutral"), problems, "'neutral'", seen)
        teams = read_teams(fields.take("teams"), problems, seats)
        reasons_node = fields.take("reasons")
        reasons = read_reasons(reasons_node, problems)
        options_node = fields.take("options")
        if options_node is not None:
            self.options = read_options(options_node, (), problems, players)
        self.absent = read_absent(fields.take("absent"), problems)
        most_decisions = self._most_decisions(fields.take("most_decisions"))
        usual = read_usual(fields.take("usual"), problems)
        fields.finish()
        if clauses_node is not None:
            self._read_clauses(clauses_node)
        if game is not None and game_node is not None and players:
            self.game = GameFile(
                game=game,
                title=title if title is not None else game,
                about=about or "",
                players=players,
                seats=seats,
                neutral=neutral,
                reasons=reasons,
                span=game_node.span,
                most_decisions=most_decisions,
                usual=usual,
                teams=teams,
                reason_spans=_key_spans(reasons_node),
            )

    def _most_decisions(self, node: Node | None) -> int:
        if node is None:
            return MOST_DECISIONS
        found = as_int(node, self.problems, "'most_decisions'")
        if found is not None and not 1 <= found <= 10**9:
            message = "a game has at least one decision, and no game has so many"
            self.problems.error("RW0323", node.span, message, expected="1 .. 1000000000")
        return MOST_DECISIONS if found is None else found

    def _read_clauses(self, node: Node) -> None:
        seen: dict[str, Span] = {}
        for item in node.items if isinstance(node, YList) else [node]:
            text = as_text(item, self.problems, "the path of an index of clauses")
            if text is None or not isinstance(item, YScalar):
                continue
            relative = self.files.inside(item, "")
            if relative is None or not self._once("index", relative, item.span):
                continue
            for document in self.files.yaml(relative):
                read_clauses(document, self.clauses, seen, self.problems)

    def _unread_clauses(self) -> None:
        """Warn of an index of clauses that the game file does not name."""
        for name in self.files.names("clauses") or []:
            if self.files.name(f"clauses/{name}") not in self.files.read and not name.endswith(
                _NOTES
            ):
                self.problems.warning(
                    "RW0322", whole_file(self.files.name(f"clauses/{name}")), "nothing is read from this file",
                    hint=f"name it in {GAME_FILE}: 'clauses: [clauses/{name}]'",
                )  # fmt: skip

    # --- tables, constants and rules ---

    def _read_document(self, node: Node) -> None:
        if isinstance(node, YMap) and node.get("table") is not None:
            table = read_table(node, self.problems, self.players, open_file=self._open)
            if table is not None and self._once("table", table.name, table.span):
                self.tables[table.name] = table
            return
        if isinstance(node, YMap) and (constants := node.get("constants")) is not None:
            fields = Fields(node, self.problems, "this document")
            fields.take("constants")
            cites = read_cites(fields, self.problems)
            fields.finish()
            found = read_constants(constants, cites, self.problems, self.players)
            for constant in found.values():
                option = self.options.get(constant.name)
                if option is not None:
                    self.problems.error(
                        "RW0306", constant.span, f"there is an option {quoted(constant.name)} already",
                        hint="options are read like constants: give one of them another name",
                        related=[Related(option.span, "it is defined here")],
                    )  # fmt: skip
                if self._once("constant", constant.name, constant.span):
                    self.constants[constant.name] = constant
            return
        hint = None
        at = node.span
        if isinstance(node, YMap) and node.entries:
            at = node.entries[0][0].span
            hint = did_you_mean(node.entries[0][0].text, ("table", "constants"))
            hint = hint or _other_file(node)
        message = "this is neither a table nor constants"
        if not isinstance(node, YMap):
            message += f" but {describe(node)}"
        expected = "a document with 'table: …' or 'constants: …'"
        self.problems.error("RW0304", at, message, expected=expected, hint=hint)

    def _open(self, node: YScalar) -> Source | None:
        """The text of a file that a table names."""
        relative = self.files.inside(node, "")
        if relative is None:
            return None
        if not self.files.there(relative):
            others = [name for name in self.files.names("") or [] if name.endswith(".csv")]
            close = nearest(relative, others)
            # what was meant, most likely, is not blamed too
            self._named.add(close or relative)
            hint = None if close is None else f"did you mean {quoted(close)}?"
            message = f"there is no file {quoted(node.text)}"
            self.problems.error("RW0101", node.span, message, hint=hint)
            return None
        self._named.add(relative)
        return self.files.text(relative)

    def _read_rules(self, relative: str) -> tuple[S.Decl, ...]:
        if relative not in self._rules:
            source = self.files.text(relative)
            decls = () if source is None else parse_rules(source, self.problems).decls
            self._rules[relative] = decls
        return self._rules[relative]

    # --- variants ---

    def _read_variants(self) -> None:
        names = self.files.names("variants") or []
        used: set[str] = set()
        # what could not be read is there all the same, and nobody knows what it names
        unread: set[str] = set()

        def read_rules(node: YScalar) -> tuple[S.Decl, ...]:
            relative = self.files.inside(node, "variants")
            if relative is None:
                return ()
            if not self.files.there(relative):
                near = nearest(relative, [f"variants/{n}" for n in names if n.endswith(".rules")])
                # what was meant, most likely, is not blamed too
                used.add(near or relative)
                hint = None if near is None else f"did you mean {quoted(near.partition('/')[2])}?"
                message = f"there is no file {quoted(node.text)} among the variants"
                self.problems.error("RW0101", node.span, message, hint=hint)
                return ()
            used.add(relative)
            return self._read_rules(relative)

        for name in names:
            if not self._check_name(name, f"variants/{name}"):
                self._check_kind(name, f"variants/{name}", ())
            if not name.endswith(".yaml"):
                continue
            before = len(self.problems.errors)
            documents = self.files.yaml(f"variants/{name}")
            if len(self.problems.errors) != before or not documents:
                unread.add(name.removesuffix(".yaml"))
            if not documents:
                continue
            seats = () if self.game is None else self.game.seats
            variant = read_variant(documents, self.problems, self.players, read_rules, seats)
            if len(self.problems.errors) != before:
                unread.add(name.removesuffix(".yaml"))
            if variant is not None and self._once("variant", variant.name, variant.span):
                self.variants[variant.name] = variant
        for name in names:
            if not unread and name.endswith(".rules") and f"variants/{name}" not in used:
                at = whole_file(self.files.name(f"variants/{name}"))
                message = "no variant takes its rules from this file"
                hint = f"add it to the 'rules' of one: [{name}]"
                self.problems.error("RW0414", at, message, hint=hint)
        check_variants(self.variants, unread, self.problems)
        self.variants = {
            name: replace(variant, decls=tuple(_cited(d, variant.cites) for d in variant.decls))
            for name, variant in self.variants.items()
        }


def _other_file(node: YMap) -> str | None:
    """A file whose name is nearly that of another that has a meaning of its own."""
    name = node.span.file.rsplit("/", 1)[-1]
    near = nearest(name, _ELSEWHERE)
    return None if near is None else f"should the file be called {quoted(near)}?"


def _cited(decl: S.Decl, cites: S.Cites) -> S.Decl:
    """A declaration of a variant: without a citation of its own it has that of the variant."""
    return decl if decl.cites or not cites else replace(decl, cites=cites)


def _key_spans(node: Node | None) -> dict[str, Span]:
    """Where the keys of a mapping stand, for messages about one of them."""
    return {key.text: key.span for key, _ in node.entries} if isinstance(node, YMap) else {}
