"""A page in a real browser → whether it is at rest, what axe finds in it, whether it fits the screen."""

from axe_playwright_python.sync_playwright import Axe

# what waits for a page waits this long at most, in milliseconds
PATIENCE = 240_000
STRUCTURE_AND_CONTRAST = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa")


def at_rest(page):
    """Until nothing moves or fades any more, so that no colour is half way."""
    page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running')")


def axe_complaints(page, *more):
    """What axe finds, as far as a program can tell; `more` are further sets of its rules."""
    at_rest(page)
    rules = {"runOnly": {"type": "tag", "values": [*STRUCTURE_AND_CONTRAST, *more]}}
    return [
        (v["id"], v["help"], [n["html"][:120] for n in v["nodes"]][:3])
        for v in Axe().run(page, options=rules).response["violations"]
    ]


def is_too_wide(page):
    return page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
