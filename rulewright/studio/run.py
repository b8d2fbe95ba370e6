"""A game or folder → the studio's server, on loopback alone, and the address with its token opened in the browser."""

from __future__ import annotations

import os
import secrets
import sys
from dataclasses import replace
from pathlib import Path

from rulewright.runtime.errors import RulewrightError
from rulewright.studio.project import data_folder
from rulewright.studio.requests import Studio
from rulewright.studio.web import more
from rulewright.studio.workbench import Benches
from rulewright.web.app import make_app
from rulewright.web.run import listen, serve
from rulewright.web.settings import Limits, Settings
from rulewright.web.store import open_store


def run(wanted: Path | None, port: int, home: Path, browser: bool) -> int:
    """Serve; the exit code. A page that is open when the server ends goes on with the next one: the token stays the user's."""
    data = data_folder()
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    benches = Benches(data)
    opened = "" if wanted is None else benches.remember(wanted)
    # who has the token is at home here, so nothing needs to be kept scarce
    many = (100_000, 100_000.0)
    limits = Limits(new_tables=many, pages=many, messages=many, advice=many, replays=many)
    settings = Settings("127.0.0.1", port, "", limits)
    try:
        found = listen(settings)
    except OSError as error:
        print(
            f"rulewright: 127.0.0.1:{port} can't be listened at: {error.strerror or error};"
            " another port is given by --port",
            file=sys.stderr,
        )
        return 1
    settings = replace(settings, port=found.getsockname()[1])
    studio = Studio(benches, token_of(data), home.resolve())
    app = make_app(settings, open_store(str(data / "tables.sqlite")), (), more(settings, studio))
    address = f"http://127.0.0.1:{settings.port}/studio?token={studio.token}"
    if opened:
        address += f"&open={opened}"
    told = f"The studio is at {address}\n(only with this address, and from this computer; Ctrl-C stops it, files are saved as you go)"
    return serve(app, settings, found, told, address if browser else "")


def token_of(data: Path) -> str:
    """The user's own secret for the studio, in a file that nobody else can read."""
    file = data / "token"
    try:
        found = file.read_text(encoding="ascii").strip()
        if file.stat().st_mode & 0o077:
            raise RulewrightError(f"{file} can be read by others: remove it, and a new one is made")
        if len(found) >= 32:
            return found
    except (OSError, ValueError):
        pass
    token = secrets.token_urlsafe(32)
    file.unlink(missing_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as opened:
        opened.write(token)
    return token
