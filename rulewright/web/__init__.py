"""Games at tables in the browser: a server of pages and sockets, with everything that happens kept in a store.

No game is known here; `rulewright serve` starts it.
"""
