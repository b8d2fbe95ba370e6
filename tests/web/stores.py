"""A real PostgreSQL for tests: a cluster of its own in a folder, reached by a socket in it."""

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path:
    """The folder of PostgreSQL's programs; without one these tests fail, as nobody should think that they ran."""
    found = shutil.which("pg_isready") and shutil.which("initdb")
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda p: int(p.split("/")[-2]))
    assert found or folders, "no PostgreSQL was found: install Debian's package postgresql"
    return Path(folders[-1]) if folders else Path(str(found)).parent


@contextmanager
def postgres():
    """A server for this test alone; its address. It does not listen on any port."""
    where = programs()
    folder = Path(tempfile.mkdtemp(prefix="rw-pg-"))
    # the server refuses to run as root: then it runs as its own user
    as_user = {}
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    data = folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **as_user}
    subprocess.run(
        [where / "initdb", "-D", data, "-A", "trust", "-U", "rulewright", "-N"], check=True, **quiet
    )
    command = [where / "postgres", "-D", data, "-k", folder, "-h", "", "-c", "max_connections=60"]
    server = subprocess.Popen(command, **quiet)
    try:
        ready = [where / "pg_isready", "-h", folder, "-U", "rulewright"]
        for _ in range(200):
            if subprocess.run(ready, **quiet).returncode == 0:
                break
            assert server.poll() is None, "PostgreSQL ended by itself"
            time.sleep(0.1)
        yield f"postgresql://rulewright@/postgres?host={folder}"
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(folder)
