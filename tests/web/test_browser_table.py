"""What people do at a table beside deciding, in a real browser: several of them, a server that dies, back, why not, replay, files."""

import json
import re

import pytest
from browser_checks import axe_complaints, is_too_wide
from common import GAMES
from playing import PHONE, Player, make_table
from playwright.sync_api import expect
from real_server import RealServer

from rulewright.engines import games

pytestmark = pytest.mark.browser
SEVERAL = GAMES / "sketches" / "several"


def first_choice(page):
    page.locator("#options .option:enabled").first.click()


def wait_for_turn(page):
    page.wait_for_function("() => document.querySelector('#options .option:not(:disabled)')")


def test_two_people_and_two_bots_at_one_table(real_server, new_page):
    """Three contexts: who made the table, who came by the link, and who watches."""
    host = new_page()
    make_table(host, real_server.url, "yspahan", ["me", "invited", "random", "greedy"])
    link = host.locator("#link-1").input_value()
    guest, watcher = new_page(), new_page()
    guest.goto(link)
    assert "/join/" not in guest.url, "the token stays in the address bar"
    watcher.goto(host.url)
    players = {host: Player(host, "clicks"), guest: Player(guest, "clicks")}
    for _ in range(30):
        host.wait_for_function(
            """() => document.querySelector('.person.decides .who').textContent.match(/you|person/)"""
        )
        who = host if host.locator(".person.decides .who").inner_text() == "you" else guest
        players[who].decide()
        if players[who].over:
            break
    assert players[host].taken > 5 and players[guest].taken > 5
    assert watcher.locator("#options .option").count() == 0
    assert watcher.locator("#picture .target").count() == 0
    # what was told to who watches is told to all
    story = watcher.locator("#story li").all_inner_texts()
    assert len(story) > 20
    wait = "n => document.querySelectorAll('#story li').length >= n"
    host.wait_for_function(wait, arg=len(story))
    # whose turn it is stands in the title
    turn = [page for page in (host, guest) if page.title().startswith("●")]
    assert len(turn) == 1 or host.locator(".person.decides .who").inner_text() not in (
        "you",
        "person, here",
    )


def test_the_page_goes_on_after_the_server_was_killed(tmp_path, new_page):
    server = RealServer(tmp_path)
    page = new_page()
    try:
        make_table(page, server.url, "mykerinos", ["me", "random"])
        player = Player(page, "clicks")
        for _ in range(4):
            player.decide()
        player.wait()
        before = page.locator("#story li").all_inner_texts()
        server.kill()
        page.wait_for_selector("body.offline")
        assert "connection is down" in page.locator("#connection").inner_text()
        # no click is dropped in silence: there is nothing to click
        assert page.locator("#options .option:enabled").count() == 0
        page.evaluate("window.sameDocument = true")
        server.start()
        page.wait_for_selector("body:not(.offline)")
        wait_for_turn(page)
        assert page.locator("#story li").all_inner_texts() == before
        player.decide()
        assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    finally:
        server.stop()


def test_a_step_is_taken_back(real_server, new_page):
    page = new_page()
    make_table(page, real_server.url, "yspahan", ["me", "random"])
    player = Player(page, "clicks")
    for _ in range(40):
        player.wait()
        before = page.locator("#options .words").all_inner_texts()
        player.decide()
        player.wait()
        if page.locator('[data-ask="undo"]').count():
            count = page.locator("#story li").count()
            page.keyboard.press("u")
            page.wait_for_function(
                "n => document.querySelectorAll('#story li').length < n", arg=count
            )
            assert page.locator("#options .words").all_inner_texts() == before
            return
    raise AssertionError("nothing could be taken back in forty decisions")


def test_why_not_on_a_click(real_server, new_page):
    page = new_page()
    make_table(page, real_server.url, "yspahan", ["me", "random"])
    player = Player(page, "clicks")
    for _ in range(60):
        player.wait()
        kind = page.locator("#options .option").first.get_attribute("data-option").partition("/")[0]
        closed = page.locator(f'#picture [data-member^="{kind}/"]:not(.target)')
        if closed.count():
            closed.first.click()
            page.wait_for_selector("#answer .answer")
            text = page.locator("#answer").inner_text()
            assert "not possible now" in text and "in the rules" in text
            page.keyboard.press("Escape")
            assert page.locator("#answer .answer").count() == 0
            return
        player.decide()
    raise AssertionError("everything was possible all the time")


def test_what_an_option_brings(real_server, new_page):
    """It stands beside the option, is told of what the mouse or the keyboard is on, and what happened since is gone through."""
    page = new_page()
    make_table(page, real_server.url, "yspahan", ["me", "random"])
    page.wait_for_selector("#options .brings:not(:empty)")
    assert "then a roll" in page.locator("#options").inner_text()
    player = Player(page, "clicks")
    play_until(player, "#picture g.target")
    tall = "document.documentElement.scrollHeight"
    before = page.evaluate(tall)
    page.locator("#picture g.target").first.focus()
    # what is told must not push the board away from under the mouse
    assert page.locator("#hint").is_visible() and page.evaluate(tall) == before
    meant = page.locator("#options .option.lit .words").first.inner_text()
    assert page.locator("#hint").inner_text().startswith(meant)
    play_until(player, "#since:not([hidden])")
    page.locator('[data-at="since"]').click()
    page.wait_for_selector("#looking:not([hidden])")
    page.wait_for_selector("#looking", state="hidden", timeout=120_000)
    wait_for_turn(page)


def play_until(player, selector):
    for _ in range(80):
        player.wait()
        if player.page.locator(selector).count():
            return
        player.decide()
    raise AssertionError(f"there was no {selector} in eighty decisions")


def test_a_click_on_a_piece_means_its_place(real_server, new_page):
    """In a place that can be chosen a piece that can't be stands in nobody's way."""
    page = new_page()
    make_table(page, real_server.url, "ys", ["me", "random"])
    player = Player(page, "keys")
    found = """() => { for (const on of document.querySelectorAll('#picture g[id$="-on"]')) {
      const place = document.getElementById(on.id.slice(0, -3)), piece = on.querySelector('[data-member]');
      if (place?.dataset.actions && piece && !piece.dataset.actions) {
        piece.scrollIntoView({block: 'center', behavior: 'instant'});
        const box = piece.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; } } return null; }"""
    for _ in range(60):
        player.wait()
        place, version = page.evaluate(found), player.version()
        if place is not None:
            page.mouse.click(*place)
            page.wait_for_function("v => Number(document.body.dataset.version) > v", arg=version)
            return
        player.decide()
    raise AssertionError("no piece stood where one could go")


def test_focus_stays_while_others_move(real_server, new_page):
    """A page that changes under the keyboard must not throw it out."""
    page = new_page()
    make_table(page, real_server.url, "mykerinos", ["me", "random"])
    for _ in range(8):
        wait_for_turn(page)
        page.locator("#options .option").first.focus()
        version = int(page.locator("body").get_attribute("data-version"))
        page.keyboard.press("Enter")
        page.wait_for_function("v => Number(document.body.dataset.version) > v", arg=version)
        wait_for_turn(page)
        assert page.evaluate("document.activeElement !== document.body")


def test_arrows_go_to_the_list_where_the_board_offers_nothing(real_server, new_page):
    """The keyboard may still be on a piece of the board when only the list has options."""
    page = new_page()
    make_table(page, real_server.url, "yspahan", ["me", "random", "random"])
    player = Player(page, "clicks")
    player.wait()
    while page.locator("#picture .target").count():
        player.decide()
        player.wait()
    assert page.locator("#options .option").count()
    page.keyboard.press("Shift")
    page.locator("#picture [data-member]").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.classList.contains('option')")


def test_a_game_is_gone_through_and_gone_on_with(real_server, new_page, tmp_path):
    """The slider of a finished game, advice, the file, the file dropped into the lobby, and a table that goes on from a step."""
    page = new_page()
    make_table(page, real_server.url, "mykerinos", ["me", "random"])
    player = Player(page, "clicks")
    while player.decide():
        pass
    with page.expect_download() as download:
        page.locator("#result a[download]").click()
    file = tmp_path / "game.jsonl"
    download.value.save_as(file)
    assert json.loads(file.read_text().splitlines()[0])["game"] == "mykerinos"

    page.goto(real_server.url)
    drop(page, file)
    page.wait_for_url("**/replay")
    page.wait_for_function("() => document.getElementById('connection').textContent === ''")
    last = int(page.locator("#slide").get_attribute("max"))
    end = page.locator("#picture").inner_html()
    page.locator('[data-go="first"]').click()
    page.wait_for_function("text => document.getElementById('picture').innerHTML !== text", arg=end)
    assert page.locator("#at").inner_text() == f"step 1 of {last}"
    page.keyboard.press("ArrowRight")
    assert page.locator("#at").inner_text() == f"step 2 of {last}"
    page.locator("#slide").fill(str(last // 2))
    page.locator("#eyes").select_option("1")
    page.locator("#advise").click()
    page.wait_for_selector("#answer .answer li")
    assert "%" in page.locator("#answer").inner_text()
    page.locator("#play").click()
    page.wait_for_function("n => Number(document.getElementById('slide').value) > n", arg=last // 2)
    page.locator("#play").click()
    page.locator("#jump").select_option(index=3)
    step = int(page.locator("#slide").input_value())
    page.locator(".continue summary").click()
    page.locator("#seat-1").select_option("random")
    page.locator(".continue .main").click()
    page.wait_for_url(re.compile(r"/table/[^/]+$"))
    wait_for_turn(page)
    assert page.locator("#story li").count() >= step
    assert Player(page, "clicks").decide()


def drop(page, file):
    """Drop a file onto the page as the mouse would."""
    data = page.evaluate_handle(
        """text => { const d = new DataTransfer();
        d.items.add(new File([text], 'game.jsonl', {type: 'application/jsonl'})); return d; }""",
        file.read_text(),
    )
    page.dispatch_event("body", "dragover", {"dataTransfer": data})
    page.dispatch_event("body", "drop", {"dataTransfer": data})


def test_a_wrong_file_is_refused_in_words(real_server, new_page, tmp_path):
    file = tmp_path / "no.jsonl"
    file.write_text("Dear diary\n")
    page = new_page()
    complaints = "Failed to load resource"
    page.goto(real_server.url)
    with page.expect_console_message(lambda m: complaints in m.text):
        drop(page, file)
    page.wait_for_function("() => document.getElementById('drop-answer').textContent.length > 5")
    assert "can't be opened" in page.locator("#drop-answer").inner_text()


# ---------------------------------------------------------------- several at once


@pytest.fixture(scope="module")
def several_server(tmp_path_factory):
    server = RealServer(tmp_path_factory.mktemp("several"), str(SEVERAL))
    yield server
    server.stop()


@pytest.mark.parametrize("way", ["clicks", "keys", "taps"])
def test_several_are_chosen_as_one(several_server, new_page, way):
    """Marked in any order in the list, unmarked, confirmed once; told in one line, taken back as a whole; then to the end."""
    page = new_page(**(PHONE if way == "taps" else {}))
    make_table(page, several_server.url, "several", ["me", "random"])
    player = Player(page, way)
    player.wait()
    assert page.locator("#options h2").inner_text() == "Discard"
    options, on = page.locator("#options .option"), page.locator('.option[aria-pressed="true"]')
    confirm = page.locator('[data-ask="whole"]')
    last = options.last.locator(".words").inner_text()
    lines = page.locator("#story li").count()
    player._use(options.last)
    expect(on).to_have_count(1)
    expect(confirm).to_be_disabled()
    expect(page.locator(".confirm")).to_contain_text("1 more")
    if way == "keys":
        # the keyboard is where it was
        assert page.evaluate("document.activeElement.closest('.option') !== null")
    player._use(on.last)
    expect(on).to_have_count(0)
    player._use(options.last)
    expect(on).to_have_count(1)
    player._use(options.first)
    expect(on).to_have_count(2)
    expect(confirm).to_be_enabled()
    words = confirm.inner_text()
    assert words.startswith("Discards ") and last.lower() in words
    assert axe_complaints(page, "best-practice") == []
    if way == "keys":
        page.keyboard.press("c")
    else:
        player._use(confirm)
    expect(page.locator("#story li")).to_have_count(lines + 1)
    assert words[1:] in page.locator("#story li").last.inner_text()
    player._use(page.locator('[data-ask="undo"]'))
    expect(page.locator("#story li")).to_have_count(lines)
    expect(on).to_have_count(0)
    while player.decide():
        assert player.taken < 20
    assert page.locator("#story li").count() == 9


def test_several_are_marked_on_the_board(several_server, new_page):
    page = new_page()
    make_table(page, several_server.url, "several", ["me", "random"])
    Player(page, "clicks").wait()
    on = page.locator('.option[aria-pressed="true"]')
    member = page.locator("#options .option").last.get_attribute("data-option")
    copies = page.locator(f'#options .option[data-option="{member}"]').count()
    place = page.locator(f'#picture [data-member="{member}"].target').first
    for count in range(1, min(copies, 2) + 1):
        place.click()
        expect(on).to_have_count(count)
    place.click()
    expect(on).to_have_count(0)


# ---------------------------------------------------------------- for everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lobby_passes_axe(real_server, new_page, scheme):
    page = new_page(color_scheme=scheme)
    page.goto(real_server.url)
    for summary in page.locator("summary").all():
        summary.click()
    assert axe_complaints(page, "best-practice") == []


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_passes_axe(real_server, new_page, game, scheme):
    page = new_page(color_scheme=scheme)
    make_table(page, real_server.url, game, ["me", "random"])
    player = Player(page, "clicks")
    for _ in range(8):
        player.decide()
    player.wait()
    assert axe_complaints(page, "best-practice") == []


@pytest.mark.parametrize("game", games())
def test_no_two_seats_look_alike_to_the_colour_blind(real_server, new_page, game):
    """Seats are told apart by a letter beside the colour, whatever of the colours is left."""
    page = new_page()
    make_table(page, real_server.url, game, ["me", "random"])
    player = Player(page, "clicks")
    player.decide()
    # while the other one plays, the list of players is drawn anew
    player.wait()
    session = page.context.new_cdp_session(page)
    seen = set()
    for sight in ("none", "achromatopsia", "deuteranopia", "protanopia", "tritanopia"):
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
        seen.add(page.locator("#seats").screenshot())
        letters = page.locator("#seats .letter").all_inner_texts()
        assert len(set(letters)) == len(letters) == 2
    badges = page.locator("#picture .badge").all_inner_texts()
    assert len(set(badges)) == len(badges) >= 2


@pytest.mark.parametrize("width", [360, 800, 1280, 1920])
def test_no_page_is_wider_than_the_screen(real_server, new_page, width):
    page = new_page(width=width)
    page.goto(real_server.url)
    assert not is_too_wide(page)
    for game in games():
        make_table(page, real_server.url, game, ["me", "random"])
        assert not is_too_wide(page)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_moved_piece_slides_to_its_place(real_server, new_page, motion):
    """Its place on the page is the new one at once; only those who do not mind see it go there."""
    page = new_page()
    page.emulate_media(reduced_motion=motion)
    make_table(page, real_server.url, "breakthrough", ["me", "me"])
    # every movement is counted as it begins
    page.evaluate(
        """() => { window.moved = 0; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...all) { window.moved += 1; return animate.apply(this, all); }; }"""
    )
    for square in ("a7", "a6"):
        before = int(page.locator("body").get_attribute("data-version"))
        wait_for_turn(page)
        page.locator(f'#picture [data-member="Square/{square}"]').click()
        page.wait_for_function("v => Number(document.body.dataset.version) > v", arg=before)
    page.wait_for_selector('#picture [data-member="Square/a6"] .piece')
    assert page.locator('#picture [data-member="Square/a7"] .piece').count() == 0
    assert (page.evaluate("window.moved") > 0) == (motion == "no-preference")
    # nothing is left behind
    page.wait_for_function("() => !document.querySelector('.ghost')")


@pytest.mark.parametrize("how", ["mouse", "space"])
def test_news_that_come_while_an_option_is_pressed_do_not_take_the_click_away(
    how, real_server, new_page
):
    """What options bring is sent behind the page: the list is drawn anew, perhaps between the press and its end."""
    page = new_page()
    sockets = []

    def through(socket):
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/socket$"), through)
    make_table(page, real_server.url, "yspahan", ["me", "random", "random"])
    wait_for_turn(page)
    option = page.locator("#options .option:enabled").first
    before = page.locator("body").get_attribute("data-version")
    if how == "mouse":
        option.hover()
        page.mouse.down()
    else:
        option.focus()
        page.keyboard.down(" ")
    news = {
        "type": "patch", "version": int(before), "looking": -1, "mine": True, "since": 0,
        "steps": page.locator("#story > *").count(),
        "story": [page.locator("#story > *").count(), []],
        "html": {"options": page.locator("#options").evaluate("e => e.outerHTML")},
    }  # fmt: skip
    sockets[-1].send(json.dumps(news))
    # it has come, and waits
    page.evaluate("() => new Promise(done => setTimeout(done, 200))")
    if how == "mouse":
        page.mouse.up()
    else:
        page.keyboard.up(" ")
    expect(page.locator("body")).not_to_have_attribute("data-version", before)
