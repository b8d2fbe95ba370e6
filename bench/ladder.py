"""A game → the recorded ratings of opponents that never change, and a new bot's rating beside them.

`python -m rulewright.bench.ladder record GAME` plays the fixed opponents against each other and writes `ladders/GAME.json`, with the hashes of the rules and of each
bot. `python -m rulewright.bench.ladder rate GAME BOT` plays a bot against them: what it gains on each is a number that later ones are compared by.
`python -m rulewright.bench.ladder check` tells which records are of other rules or other bots than there are now.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rulewright.bots.identity import bot_hash
from rulewright.engines import games, load
from rulewright.ladder.standings import Standings, to_json
from rulewright.native import NativeUnavailable
from rulewright.ready import build_for, to_be_built
from rulewright.runtime.errors import RulewrightError
from rulewright.simulate.plan import Plan, make_ladder, player_counts
from rulewright.simulate.run import Crowd
from rulewright.wording import counted, ruleset_title

LADDERS = Path(__file__).resolve().parent / "ladders"
# from the weakest on; the first one's rating is 0
RUNGS = ("fixed-random", "fixed-near:2", "fixed-search:20")
BLOCKS, SEED = 8, 1


def file_of(game: str) -> Path:
    return LADDERS / f"{game}.json"


def recorded(game: str) -> dict[str, Any]:
    file = file_of(game)
    if not file.is_file():
        raise RulewrightError(
            f"nothing is recorded for {game}; do so with: python -m rulewright.bench.ladder record {game}"
        )
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def changed(game: str) -> list[str]:
    """What is no longer as it was recorded, in words: the rules, or bots."""
    found = recorded(game)
    now = load(game, int(found["players"]), tuple(found["variants"]), found["options"])
    out = []
    if now.info["hash"] != found["ruleset"]:
        out.append(
            f"the rules of {game} with {found['players']} players ({found['ruleset']} then, {now.info['hash']} now)"
        )
    rungs = {one["bot"] for one in found["bots"]}
    if rungs != set(RUNGS):
        out.append(f"the opponents ({', '.join(sorted(rungs))} then, {', '.join(RUNGS)} now)")
    for bot in found["bots"]:
        hash_ = bot_hash(bot["bot"], now)
        if hash_ != bot["hash"]:
            out.append(f"the bot {bot['bot']} ({bot['hash']} then, {hash_} now)")
    return out


def unclear(game: str) -> list[str]:
    """Rungs that the games of the record do not tell from chance."""
    return [
        one["bot"]
        for one in recorded(game)["bots"]
        if one["bot"] != RUNGS[0] and one["interval"][0] <= 0 <= one["interval"][1]
    ]


def played(plan: Plan, jobs: int) -> dict[str, Any]:
    """A ladder whose first rung is the anchor, as plain data."""
    try:
        build_for(to_be_built([plan]))
    except NativeUnavailable as error:
        print(f"note: {error}", file=sys.stderr)
    crowd = Crowd(plan)
    standings = Standings(plan)
    for row in crowd.rows(jobs):
        standings.add(row)
        if row.number % plan.block == plan.block - 1:
            print(f"block {len(standings.blocks)}", file=sys.stderr)
    hashes = [bot_hash(bot, crowd.game, plan.folder) for bot in plan.bots]
    return to_json(standings, str(crowd.game.info["hash"]), hashes, plan.bots.index(RUNGS[0]))


def record(game: str, blocks: int, jobs: int) -> dict[str, Any]:
    """The rungs against each other, written down."""
    players = min(n for n in player_counts(game) if n >= 2)
    found = played(make_ladder(game, RUNGS, players, blocks, SEED), jobs)
    for bot in found["bots"]:
        bot["rating"] = round(bot["rating"], 1)
        bot["interval"] = [round(x, 1) for x in bot["interval"]]
    kept = {k: v for k, v in found.items() if k not in ("pairs", "until")}
    LADDERS.mkdir(exist_ok=True)
    file_of(game).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return kept


def rate(game: str, bot: str, blocks: int, jobs: int) -> dict[str, Any]:
    """A bot among the rungs."""
    found = recorded(game)
    plan = make_ladder(
        game, [*RUNGS, bot], found["players"], blocks, SEED, found["variants"], found["options"]
    )
    return played(plan, jobs)


def _show(found: dict[str, Any], before: dict[str, Any] | None = None) -> None:
    then = {} if before is None else {one["bot"]: one["rating"] for one in before["bots"]}
    rules = ruleset_title(found["game"], found["players"], found["variants"])
    print(f"{rules}: {counted(found['blocks'], 'block')}, seed {found['seed']}")
    for one in found["bots"]:
        low, high = one["interval"]
        was = f", recorded {then[one['bot']]:+.0f}" if one["bot"] in then else ""
        print(f"  {one['bot']:<20} {one['rating']:+7.0f}  ({low:+.0f} to {high:+.0f}){was}  {one['hash']}")  # fmt: skip
    for pair in found.get("pairs", ()):
        # only what the new bot does against each, not the other way round
        if pair["a"] not in then:
            low, high = pair["interval"]
            print(f"  {pair['a']} is ahead of {pair['b']} in {100 * pair['ahead']:.0f} % of meetings ({100 * low:.0f} to {100 * high:.0f})")  # fmt: skip


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rulewright.bench.ladder", description=__doc__)
    parser.add_argument("do", choices=["record", "rate", "check"])
    parser.add_argument("game", nargs="?", help="a game of the package; check takes all")
    parser.add_argument("bot", nargs="?", help="the bot to rate, such as mcts:200")
    parser.add_argument("--blocks", type=int, default=BLOCKS)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(words)
    if given.do != "check" and given.game not in games():
        parser.error(f"name a game of the package: {', '.join(games())}")
    try:
        if given.do == "record":
            _show(record(given.game, given.blocks, given.jobs))
            return 0
        wrong = {g: changed(g) for g in ([given.game] if given.game else games())}
        for game, what in wrong.items():
            for one in what:
                print(f"no longer as recorded: {one}; record {game} anew")
        for game in wrong:
            for bot in unclear(game):
                print(f"note: {game}: {bot} is not clearly apart from {RUNGS[0]} in the record; more --blocks would tell")  # fmt: skip
        if given.do == "check" or any(wrong.values()):
            return 1 if any(wrong.values()) else 0
        if not given.bot:
            parser.error("name a bot to rate, such as mcts:200")
        _show(rate(given.game, given.bot, given.blocks, given.jobs), recorded(given.game))
    except RulewrightError as error:
        print(f"rulewright: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
