"""Settings → a server that runs until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from dataclasses import replace

import uvicorn
from starlette.applications import Starlette

from rulewright.web.app import make_app
from rulewright.web.catalogue import read_offer
from rulewright.web.settings import Settings
from rulewright.web.store import open_store

_SECONDS_IN_24_HOURS = 86_400.0
# when garbage is looked for: new objects that stay until the young are looked through, and how many times until the older ones are
_COLLECT = (5_000, 20, 20)


def run(settings: Settings, where: str, folders: Sequence[str], proxy: str, browser: bool) -> int:
    """Serve; the exit code. The address is printed when it can be opened."""
    # what is wrong is told before anything is begun
    for folder in folders:
        read_offer(folder)
    asyncio.run(_try(where))
    try:
        found = listen(settings)
    except OSError as error:
        print(
            f"rulewright: {settings.host}:{settings.port} can't be listened at: {error.strerror or error};"
            " another port is given by --port",
            file=sys.stderr,
        )
        return 1
    settings = replace(settings, port=found.getsockname()[1])
    app = make_app(settings, open_store(where), folders)
    address = settings.url or f"http://{_shown(settings.host)}:{settings.port}"
    told = f"The games are at {address} (Ctrl-C stops the server; tables are kept)."
    return serve(app, settings, found, told, address if browser else "", proxy)


def serve(
    app: Starlette,
    settings: Settings,
    found: socket.socket,
    told: str,
    opened: str,
    proxy: str = "",
) -> int:
    """Run an application at a socket until it is told to stop; the exit code. `told` is printed when it answers, `opened` is then
    opened in the browser."""
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=settings.limits.message_bytes,
        ws_max_queue=16,
        # packing costs more time and memory than the few kilobytes of a move are worth
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        log_level="warning",
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy or None,
        server_header=False,
        limit_concurrency=settings.limits.connections + 500,
        timeout_graceful_shutdown=3,
    )
    server = uvicorn.Server(config)
    _collect_rarely()
    waiting = threading.Thread(target=_announce, args=(server, told, opened), daemon=True)
    waiting.start()
    server.run(sockets=[found])
    return 0 if server.started else 1


def _collect_rarely() -> None:
    """Tables are many objects that stay: looking through all of them for garbage again and again makes everybody wait for a while."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)


async def _try(where: str) -> None:
    """Whether the store can be opened; raises StoreError."""
    store = open_store(where)
    await store.open()
    await store.close()


def listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind((settings.host, settings.port))
    found.set_inheritable(False)
    return found


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _announce(server: uvicorn.Server, told: str, opened: str) -> None:
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.05)
    print(told, flush=True)
    if opened:
        webbrowser.open(opened)


def clear_tables(where: str, days: float) -> int:
    """Remove the tables that nothing has happened at for so many days."""

    async def clearing() -> int:
        store = open_store(where)
        await store.open()
        try:
            return await store.clear(time.time() - days * _SECONDS_IN_24_HOURS)
        finally:
            await store.close()

    return asyncio.run(clearing())
