"""The figures about the compiler in its page are near what is so."""

import figures


def test_the_page_says_how_large_the_compiler_is() -> None:
    page = figures.PAGE.read_text(encoding="utf-8")
    old = [
        f"{words}: {said} in the page, {value} now"
        for words, value, unit in figures.figures()
        for said in [figures.in_page(words, page)]
        if abs(said - value) > max(unit, figures.DRIFT * value)
    ]
    assert not old, "write them anew: python tests/compiler/figures.py\n" + "\n".join(old)


def test_a_page_that_is_written_anew_is_right() -> None:
    page = figures.written_anew(figures.PAGE.read_text(encoding="utf-8"))
    for words, value, unit in figures.figures():
        assert abs(figures.in_page(words, page) - value) <= unit / 2, words
