"""`rulewright serve` as a command: what it says, what it refuses, games of one's own, the words of the interface."""

import ast
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from real_server import RealServer
from web_server import make_table, serving, sitting

from rulewright.web.app import STATIC
from rulewright.web.catalogue import BOTS
from rulewright.web.words import CLIENT, ENGLISH, STRENGTHS

WEB = STATIC.parent


def serve(*words, **more):
    command = [sys.executable, "-m", "rulewright", "serve", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **more)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "70000"], "from 0 to 65535"),
        (["--url", "games.example"], "begins with http"),
        (["nowhere"], "there is no game 'nowhere'"),
    ],
)
def test_wrong_use_is_told(words, said, tmp_path):
    got = serve("--no-browser", "--store", str(tmp_path / "t.sqlite"), *words)
    assert got.returncode == 2 and said in got.stderr and "Traceback" not in got.stderr


def test_a_store_that_can_not_be_opened_is_told(tmp_path):
    (tmp_path / "t.sqlite").write_text("no database" * 99)
    got = serve("--no-browser", "--port", "0", "--store", str(tmp_path / "t.sqlite"))
    assert got.returncode == 1 and "can't be used" in got.stderr and "Traceback" not in got.stderr


def test_a_port_that_is_taken_is_told(real_server, tmp_path):
    got = serve("--no-browser", "--port", str(real_server.port), "--store", str(tmp_path / "t"))
    assert got.returncode == 1 and "another port is given by --port" in got.stderr


def test_it_listens_on_loopback_and_stops_when_told(tmp_path):
    server = RealServer(tmp_path)
    assert server.url.startswith("http://127.0.0.1:")
    assert urllib.request.urlopen(f"{server.url}/healthy", timeout=30).read() == b"ok"
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(30) in (0, 130, -signal.SIGINT)


def test_old_tables_are_cleared_by_who_runs_it(tmp_path):
    store = str(tmp_path / "t.sqlite")
    with serving(tmp_path) as client:
        make_table(client, "mykerinos", ["me", "invited"])
    (tmp_path / "tables.sqlite").rename(store)
    assert serve("--store", store, "--clear", "1").stdout == "0 tables removed\n"
    assert serve("--store", store, "--clear", "0").stdout == "1 tables removed\n"


def test_a_folder_of_ones_own_is_offered_and_played(tmp_path, monkeypatch):
    from rulewright.cli import main

    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "pebbles"
    with pytest.raises(SystemExit) as ended:
        main(["new", "game", "pebbles"])
    assert ended.value.code == 0
    with serving(tmp_path, folders=(str(folder),)) as client:
        assert 'data-game="pebbles"' in client.get("/").text
        table = make_table(client, "pebbles", ["me", "random"])
        with sitting(client, table) as me:
            while not me.over:
                me.until_mine()
                if not me.over:
                    me.choose(me.actions[0])
        text = client.get(f"/table/{table}/game.jsonl").text
        # the file does not tell where on the server the folder is
        assert str(tmp_path) not in text
        assert client.post("/replays", content=text.encode()).status_code == 201


def test_the_words_of_the_interface_stand_in_one_place():
    """Templates, scripts and modules take their words from the list, and every word of the list is used."""
    sources = [*WEB.glob("*.py"), *(WEB / "templates").glob("*.html"), *STATIC.glob("*.js")]
    text = "\n".join(p.read_text() for p in sources if p.name != "words.py")
    # how a game ended is told in both faces; the words stand first in that module
    text += (WEB.parent / "play" / "game_over.py").read_text().partition("\n}\n")[2]
    unused = [
        key
        for key in ENGLISH
        if not re.search(rf"""\bw\.{key}\b|w\["{key}"\]|["']{key}["']|words\.{key}\b""", text)
        and not key.startswith("undo_")
    ]
    assert unused == []
    assert set(STRENGTHS) == set(BOTS), "every bot that is offered has a word for its strength"
    for key in re.findall(
        r"""words\.(\w+)|(?<!_)say\(["'](\w+)["']""",
        "\n".join(p.read_text() for p in STATIC.glob("*.js")),
    ):
        assert (key[0] or key[1]) in CLIENT
    for file in (WEB / "templates").glob("*.html"):
        plain = re.sub(r"\{[{%#].*?[}%#]\}", "", file.read_text(), flags=re.DOTALL)
        for words in re.findall(r">([^<>]*[A-Za-z]{3}[^<>]*)<", plain):
            # attributes of the body stand between two blocks
            assert '="' in words or words.strip() in (
                "Rulewright",
                "",
                "&nbsp;&nbsp;",
            ), f"{file.name}: {words.strip()!r}"


@pytest.mark.parametrize("name", ["members", "men", "panels", "pictures", "tracks"])
def test_what_is_drawn_takes_its_words_from_the_list(name):
    """No text for people stands in the modules that draw: between tags, or as a phrase or a sentence's end."""
    tree = ast.parse((WEB / f"{name}.py").read_text())
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    told = {id(n.body[0].value) for n in ast.walk(tree) if isinstance(n, documented) and ast.get_docstring(n)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            text = re.sub(r"""<[^<>]*>?|[^<>]*"[^<>]*>""", "|", node.value)
            found = re.findall(r"\|([A-Za-z]{2,})\||([a-z]{2,} [a-z]{2,})|([(,] ?[a-z]{3,})", text)
            assert not found, node.value


def test_who_vanishes_cuts_off_nobody(tmp_path):
    """A connection that breaks while another one acts: the one who acts goes on, again and again."""
    with serving(tmp_path) as client:
        table = make_table(client, "mykerinos", ["me", "random"])
        with sitting(client, table) as me:
            for _ in range(15):
                with sitting(client, table):
                    me.until_mine()
                    me.say("choose", version=me.version, action=me.actions[0])
                    # the other leaves while the answer is under way
                me.until(me.version + 1)
                if me.over:
                    break


def test_the_package_holds_the_pages():
    """What the server shows is package data: templates, styles, scripts."""
    patterns = re.search(
        r'"\*" = \[(.*)\]', (Path(__file__).parents[2] / "pyproject.toml").read_text()
    )[1]
    for file in [*STATIC.iterdir(), *(WEB / "templates").iterdir()]:
        assert f'"*{file.suffix}"' in patterns, file.name
