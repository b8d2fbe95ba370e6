"""The command line: `rulewright …` and `python -m rulewright …`."""

from __future__ import annotations

from typing import NoReturn

from rulewright.stop import Stop


def main() -> NoReturn:
    """Run the command line and exit; who asks to stop while it is being loaded is heard all the same."""
    with Stop() as stop:
        from rulewright.cli import main as run

        run(stop=stop)


if __name__ == "__main__":
    main()
