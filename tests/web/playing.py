"""A page of a table → a player that uses it: by mouse, by keys, or by touch."""

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
READY = """() => {
  const over = document.querySelector('#result table') !== null;
  const open = [...document.querySelectorAll('#options .option, #options [data-ask=whole]')].some(o => !o.disabled);
  return over || open;
}"""

PLACE = """number => {
  const found = [...document.querySelectorAll('#picture .target')].filter(t => t.dataset.actions.split(' ').length === 1);
  if (!found.length) return null;
  const target = found[number % found.length];
  target.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
  if (target instanceof SVGGraphicsElement) {
    const at = new DOMPoint(0, 0).matrixTransform(target.getScreenCTM());
    return [at.x, at.y];
  }
  const box = target.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


class Player:
    """Plays whatever comes. It looks at the page only as a person could, and never calls its scripts."""

    def __init__(self, page, way):
        self.page, self.way = page, way
        self.taken = 0

    @property
    def over(self):
        return self.page.locator("#result table").count() > 0

    def wait(self):
        """Until there is something to decide, or the game is over."""
        self.page.wait_for_function(READY)

    def version(self):
        return int(self.page.locator("body").get_attribute("data-version"))

    def decide(self):
        self.wait()
        if self.over:
            return False
        before = self.version()
        if self.page.locator("#options.several").count():
            self._mark_and_confirm()
            self.taken += 1
            self.page.wait_for_function(
                "v => Number(document.body.dataset.version) > v", arg=before
            )
            return True
        count = self.page.locator("#options .option").count()
        getattr(self, f"_{self.way}")(self.taken % count, count)
        self.taken += 1
        self.page.wait_for_function("v => Number(document.body.dataset.version) > v", arg=before)
        return True

    def _mark_and_confirm(self):
        """In a choice of several: marks from the last to the first, as many as it takes."""
        confirm = self.page.locator('[data-ask="whole"]')
        free = self.page.locator('#options .option[aria-pressed="false"]:not([data-off])')
        while not confirm.is_enabled():
            marked = self.page.locator('#options .option[aria-pressed="true"]').count()
            self._use(free.last)
            self.page.wait_for_function(
                """n => document.querySelectorAll('#options .option[aria-pressed="true"]').length === n""",
                arg=marked + 1,
            )
        self._use(confirm)

    def _use(self, button):
        match self.way:
            case "clicks":
                button.click()
            case "taps":
                button.tap()
            case "keys":
                button.focus()
                self.page.keyboard.press("Enter")

    def _clicks(self, number, count):
        """On the board where that is possible, in the list where not."""
        place = self._place(number)
        if place is None:
            self.page.locator("#options .option").nth(number).click()
        else:
            self.page.mouse.click(*place)

    def _taps(self, number, count):
        place = self._place(number)
        if place is None:
            self.page.locator("#options .option").nth(number).tap()
        else:
            self.page.touchscreen.tap(*place)

    def _place(self, number):
        """Where on the screen something is that means one option: where its piece stands, which in a bent shape is not its middle."""
        if self.taken % 2 == 0:
            return None
        return self.page.evaluate(PLACE, number)

    def _keys(self, number, count):
        keyboard = self.page.keyboard
        match self.taken % 3:
            case 0:
                keyboard.type(str(number + 1))
                if (number + 1) * 10 <= count:
                    keyboard.press("Enter")
            case 1:
                keyboard.press("ArrowDown")
                self._enter()
            case 2:
                self._tab_to_a_target_or_option()
                self._enter()

    def _enter(self):
        """A place that means several options offers these in the list, with the first in focus: then once more."""
        self.page.keyboard.press("Enter")
        if self.page.locator("#options .option.meant").count():
            self.page.keyboard.press("Enter")

    def _tab_to_a_target_or_option(self):
        for _ in range(200):
            self.page.keyboard.press("Tab")
            found = self.page.evaluate(
                """() => { const e = document.activeElement;
                if (e.classList.contains('option')) return true;
                return e.classList.contains('target') && e.dataset.actions.split(' ').length === 1; }"""
            )
            if found:
                return
        raise AssertionError("Tab leads to nothing that can be chosen")


def make_table(page, url, game, seats):
    """A table by the lobby's form, as somebody makes it."""
    page.goto(url)
    form = page.locator(f'form[data-game="{game}"]')
    form.locator(f'input[name=players][value="{len(seats)}"]').check()
    form.locator("summary").click()
    for i, who in enumerate(seats):
        form.locator(f"select[name=seat{i}]").select_option(who)
    form.locator("button.main").click()
    page.wait_for_url("**/table/*")
    page.wait_for_function("() => document.getElementById('connection').textContent === ''")
