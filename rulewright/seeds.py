"""A seed and labels → another seed, one way: whoever holds the result can't find the seed, nor what other labels give."""

from __future__ import annotations

from hashlib import blake2b

_KEY = b"rulewright seeds"


def derive(seed: int, *labels: str | int) -> int:
    """A number below 2**128. Different labels give numbers that have nothing to do with one another."""
    text = "\0".join([str(seed), *(f"{type(x).__name__}:{x}" for x in labels)])
    return int.from_bytes(blake2b(text.encode(), digest_size=16, key=_KEY).digest())
