"""A real server in a process of its own."""

import re
import signal
import subprocess
import sys
from pathlib import Path


class RealServer:
    """`rulewright serve` as a user starts it; it can be killed and started again at the same port."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder, self.words = folder, words
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [
            sys.executable, "-m", "rulewright", "serve", "--no-browser", "--port", str(self.port),
            *([] if "--store" in self.words else ["--store", str(self.folder / "tables.sqlite")]), *self.words,
        ]  # fmt: skip
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, f"the server did not start: {line!r}"
        self.port = int(found[1])
        self.url = found[0]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
