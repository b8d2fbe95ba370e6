"""Texts and folders of specs → short hashes, by which engines and whatever else is kept are found again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

# how the files of a spec end
SPEC_ENDINGS = (".yaml", ".rules", ".csv")
# files of a spec's folder that no engine is made from
_BESIDE = ("view.yaml", "bots.yaml", "mutants.yaml")


def hash_of(parts: Iterable[str | bytes]) -> str:
    """One hash for parts in their order; where one ends and the next begins counts too."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:24]


def text_hash(text: str) -> str:
    """Of one text."""
    return hash_of([text])


def files_hash(path: Path) -> str:
    """Of the files that a game's engines are made from: neither scenarios nor what only shows or plays the game."""
    parts: list[str | bytes] = []
    for file in sorted(path.rglob("*")):
        names = file.relative_to(path).parts
        if file.suffix not in SPEC_ENDINGS or not file.is_file():
            continue
        if "scenarios" not in names and names[-1] not in _BESIDE:
            parts += ["/".join(names), file.read_bytes().replace(b"\r\n", b"\n")]
    return hash_of(parts)
