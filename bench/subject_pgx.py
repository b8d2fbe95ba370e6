"""A game of pgx as a subject: many games in one compiled step on one core, with observations and masks; actions are drawn at random in it."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import Any


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    jax: Any = importlib.import_module("jax")
    pgx: Any = importlib.import_module("pgx")
    wrappers: Any = importlib.import_module("pgx.experimental.wrappers")
    env = pgx.make(args["game"])
    many = args["games"]
    step = jax.vmap(wrappers.auto_reset(env.step, env.init))

    @jax.jit  # type: ignore[untyped-decorator]
    def forward(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step(
            state, jax.random.categorical(key, logits), jax.random.split(jax.random.fold_in(key, 1), many)
        )  # fmt: skip

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), many))
    held = [forward(state, jax.random.PRNGKey(1))]

    def play(count: int, seed: int) -> tuple[int, int]:
        state = held[0]
        for number in range(count):
            state = forward(state, jax.random.PRNGKey(seed * 100_003 + number))
        state.observation.block_until_ready()
        held[0] = state
        return count * many, count * many

    play(3, 0)
    return {"play": play, "options": None, "version": f"pgx {version('pgx')}"}
