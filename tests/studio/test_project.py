"""A folder's files: undo, redo, what others change, and a journal that survives a crash at any moment."""

import pytest

from rulewright.studio import journal as journal_module
from rulewright.studio.edits import Edit, EditError
from rulewright.studio.journal import Journal
from rulewright.studio.project import OUTSIDE, Conflict, Project


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "game"
    (root / "variants").mkdir(parents=True)
    (root / "a.yaml").write_text("x: 1\ny: 2\n")
    (root / "b.rules").write_text("one\ntwo\nthree\n")
    return root


@pytest.fixture
def opened(folder, tmp_path):
    def make():
        return Project(folder, tmp_path / "journal.jsonl")

    return make


def test_changes_are_undone_and_redone_also_later(opened, folder):
    project = opened()
    project.change("x", {"a.yaml": [Edit(3, 4, "10")]})
    project.change("new", {"variants/v.yaml": "variant: v\n"})
    project.change("gone", {"b.rules": None})
    assert (folder / "variants/v.yaml").read_text() == "variant: v\n"
    assert not (folder / "b.rules").exists()
    later = opened()
    assert later.undo() == ["gone"] and (folder / "b.rules").read_text() == "one\ntwo\nthree\n"
    assert later.undo() == ["new"] and not (folder / "variants/v.yaml").exists()
    assert later.undo() == ["x"] and (folder / "a.yaml").read_text() == "x: 1\ny: 2\n"
    assert later.undo() == []
    once_more = opened()
    assert once_more.redo() == ["x"] and once_more.steps() == {"undo": "x", "redo": "new"}
    assert once_more.redo() == ["new"] and once_more.redo() == ["gone"] and once_more.redo() == []
    assert not (folder / "b.rules").exists()


def test_typing_is_one_step(opened, folder):
    project = opened()
    for text in ("one\ntwo\nthree\nf\n", "one\ntwo\nthree\nfo\n", "one\ntwo\nthree\nfour\n"):
        project.replace("b.rules", project.hash("b.rules"), text, group="typing 1")
    assert len(project.undo()) == 3
    assert (folder / "b.rules").read_text() == "one\ntwo\nthree\n"
    assert len(project.redo()) == 3
    assert (folder / "b.rules").read_text() == "one\ntwo\nthree\nfour\n"


def test_what_others_change_shows_up_and_can_be_undone(opened, folder):
    project = opened()
    project.change("x", {"a.yaml": [Edit(3, 4, "10")]})
    (folder / "a.yaml").write_text("x: 10\ny: 3\n")
    (folder / "c.yaml").write_text("z: 1\n")
    assert project.look() == ["a.yaml", "c.yaml"] and project.look() == []
    assert project.text("a.yaml") == "x: 10\ny: 3\n"
    assert project.undo() == [OUTSIDE]
    assert (folder / "a.yaml").read_text() == "x: 10\ny: 2\n" and not (folder / "c.yaml").exists()
    assert project.undo() == ["x"]


def test_two_who_write_at_different_places(opened, folder):
    project = opened()
    base = project.hash("b.rules")
    (folder / "b.rules").write_text("ONE\ntwo\nthree\n")
    project.look()
    assert project.replace("b.rules", base, "one\ntwo\nTHREE\n") == "ONE\ntwo\nTHREE\n"
    with pytest.raises(Conflict) as raised:
        project.replace("b.rules", base, "uno\ntwo\nthree\n")
    assert raised.value.text == "ONE\ntwo\nTHREE\n"


def test_a_change_while_the_studio_was_closed_ends_the_history(opened, folder):
    project = opened()
    project.change("x", {"a.yaml": [Edit(3, 4, "10")]})
    (folder / "a.yaml").write_text("x: 11\n")
    later = opened()
    assert later.undo() == [] and (folder / "a.yaml").read_text() == "x: 11\n"


def test_what_was_put_back_while_it_was_closed_stays(opened, folder):
    """A file that is again as before the last change was not left so by a crash."""
    opened().change("x", {"a.yaml": [Edit(3, 4, "10")]})
    (folder / "a.yaml").write_text("x: 1\ny: 2\n")
    later = opened()
    assert later.finished == [] and (folder / "a.yaml").read_text() == "x: 1\ny: 2\n"


@pytest.mark.parametrize("stops", range(3))
def test_a_crash_in_the_middle_of_a_change(opened, folder, monkeypatch, stops):
    """The journal has the change, some files are written: on the next start the rest is."""
    project = opened()
    real, written = journal_module.write_whole, []

    def write(path, text):
        if len(written) == stops:
            raise KeyboardInterrupt
        written.append(path)
        real(path, text)

    monkeypatch.setattr(journal_module, "write_whole", write)
    change = {"a.yaml": [Edit(3, 4, "10")], "b.rules": "two\n", "new.yaml": "n: 1\n"}
    with pytest.raises(KeyboardInterrupt):
        project.change("three files", change)
    monkeypatch.undo()
    later = opened()
    assert (folder / "a.yaml").read_text() == "x: 10\ny: 2\n"
    assert (folder / "b.rules").read_text() == "two\n"
    assert (folder / "new.yaml").read_text() == "n: 1\n"
    assert len(later.finished) == 3 - stops
    assert later.undo() == ["three files"]
    assert (folder / "b.rules").read_text() == "one\ntwo\nthree\n"
    assert not (folder / "new.yaml").exists()


def test_a_crash_in_the_middle_of_an_undo(opened, folder, monkeypatch):
    project = opened()
    project.change("two files", {"a.yaml": [Edit(3, 4, "10")], "b.rules": "two\n"})
    real, written = journal_module.write_whole, []

    def write(path, text):
        if written:
            raise KeyboardInterrupt
        written.append(path)
        real(path, text)

    monkeypatch.setattr(journal_module, "write_whole", write)
    with pytest.raises(KeyboardInterrupt):
        project.undo()
    monkeypatch.undo()
    later = opened()
    assert (folder / "a.yaml").read_text() == "x: 1\ny: 2\n"
    assert (folder / "b.rules").read_text() == "one\ntwo\nthree\n"
    assert later.redo() == ["two files"] and (folder / "b.rules").read_text() == "two\n"


def test_a_journal_cut_off_anywhere_is_read(opened, folder, tmp_path):
    project = opened()
    project.change("x", {"a.yaml": [Edit(3, 4, "10")]})
    whole = (tmp_path / "journal.jsonl").read_bytes()
    for end in range(len(whole)):
        file = tmp_path / "cut.jsonl"
        file.write_bytes(whole[:end])
        cut = Journal(file)
        assert cut.history.done in (0, 1)
        cut.forget()
        assert Journal(file).history.done == 0


@pytest.mark.parametrize(
    "name",
    ["../a.yaml", "/etc/a.yaml", "a.py", ".a.yaml", "variants/../../a.yaml", "a b.yaml", "", "x/y/z/a.yaml", "a.yaml\n"],
)  # fmt: skip
def test_no_other_file_can_be_written(opened, name):
    with pytest.raises(EditError):
        opened().change("bad", {name: "x: 1\n"})


def test_links_are_not_followed(opened, folder, tmp_path):
    secret = tmp_path / "secret.yaml"
    secret.write_text("s: 1\n")
    (folder / "link.yaml").symlink_to(secret)
    project = opened()
    assert "link.yaml" not in project.files()
    with pytest.raises(EditError):
        project.text("link.yaml")


def test_characters_that_no_file_may_hold(opened):
    with pytest.raises(EditError, match="U\\+202E"):
        opened().change("bad", {"a.yaml": "x: \u202e\n"})
