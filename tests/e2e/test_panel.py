"""The coach's panel in a real browser, on a page of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import Server

OURS = {"include": [{"fromShadowDom": ["[data-testid=stBidiComponentIsolated]", ".panel"]}]}


class Demo(Server):
    """The page with every block; it runs where the app's own colours are."""

    def command(self) -> list[str]:
        script = str(Path(__file__).with_name("panel_demo.py"))
        return [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(self.port)]


@pytest.fixture(scope="module")
def demo(browser: Browser) -> Iterator[Demo]:
    running = Demo(Path(__file__).parents[2])
    yield running
    running.kill()


def opened(browser: Browser, demo: Demo, *, width: int = 1280, scheme: Any = "light") -> Page:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, base_url=demo.url)
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.goto("/")
    page.get_by_text("events [").wait_for()
    panel(page, "wide").locator(".bars").wait_for()
    return page


@pytest.fixture
def page(browser: Browser, demo: Demo) -> Iterator[Page]:
    page = opened(browser, demo)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.context.close()
    assert errors == []


def panel(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key} .panel")


def events(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(page.get_by_text("events [").inner_text().removeprefix("events "))
    return found


def sent(page: Page, count: int) -> list[dict[str, Any]]:
    """The events so far, once there are this many; none comes after them."""
    page.wait_for_function('n => (document.body.innerText.match(/"kind"/g) || []).length >= n', arg=count)
    page.wait_for_timeout(500)
    assert len(events(page)) == count
    return events(page)


def focused(page: Page) -> str:
    return str(
        page.evaluate(
            """() => {
              let at = document.activeElement;
              while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
              return at.dataset.cell || at.dataset.ply || at.dataset.do || at.className;
            }"""
        )
    )


def test_more_reasons_stay_open_over_a_rerun(page: Page) -> None:
    coach = panel(page, "coach")
    more = coach.get_by_role("button", name="More reasons")
    expect(more).to_have_attribute("aria-expanded", "false")
    assert coach.locator("table").count() == 0
    more.dblclick()
    expect(more).to_have_attribute("aria-expanded", "true")
    coach.locator("tr.played").wait_for()
    assert "played" in coach.locator("tr.played").inner_text()
    page.get_by_role("button", name="Run again").click()
    coach.get_by_role("button", name="Hint 2 of 3").click()
    coach.get_by_text("2 · Which cards").wait_for()
    assert coach.locator("table").count() == 1
    expect(more).to_have_attribute("aria-expanded", "true")


def test_what_goes_out_has_kind_and_ply_and_a_double_click_is_one(page: Page) -> None:
    panel(page, "coach").get_by_role("button", name="Hint 2 of 3").dblclick()
    assert sent(page, 1) == [{"ply": 9, "kind": "hint"}]
    assert focused(page) == "hint"
    panel(page, "small").get_by_role("button", name="Rethink").click()
    assert sent(page, 2)[1] == {"ply": None, "kind": "rethink"}
    panel(page, "large").get_by_role("button", name="Try that turn again").click()
    assert sent(page, 3)[2] == {"ply": 9, "at": 7, "kind": "try"}


def test_an_event_without_an_answer_closes_the_panel_for_two_seconds_only(page: Page) -> None:
    undo = panel(page, "coach").get_by_role("button", name="Undo draw")
    undo.click()
    sent(page, 1)
    undo.click()
    sent(page, 1)
    page.wait_for_timeout(1600)
    undo.click()
    sent(page, 2)


def test_a_verdict_is_told_once_and_what_waits_is_not_told(page: Page) -> None:
    coach = panel(page, "coach")
    live = coach.locator("[aria-live]")
    assert live.inner_text() == "Turn 3 · you threw eight of hearts. Among the best. jack of clubs was just as good"
    coach.get_by_role("button", name="Hint 2 of 3").click()
    coach.get_by_text("2 · Which cards").wait_for()
    assert live.inner_text() == "Which cards: ten of diamonds jack of clubs eight of hearts"
    assert "looking" not in panel(page, "large").locator("[aria-live]").inner_text()
    assert panel(page, "small").get_by_role("alert").count() == 1


def test_words_are_never_markup(page: Page) -> None:
    box = panel(page, "large").get_by_text("Same hand, same opponent")
    assert box.inner_text() == "Same hand, same opponent <b>&</b> same stock."


def test_the_grid_is_one_widget_to_walk(page: Page) -> None:
    coach = panel(page, "coach")
    assert coach.get_by_role("grid").count() == 0
    coach.get_by_role("button", name="What they may hold").click()
    coach.get_by_role("grid").wait_for()
    assert focused(page) == "grid"
    figure, height = coach.locator(".figure"), coach.bounding_box()
    assert coach.locator('[data-cell][tabindex="0"]').count() == 1
    page.keyboard.press("Tab")
    assert focused(page) == "0,0"
    assert figure.inner_text() == "As: unlikely, 12 of 100"
    for key in ["ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"]:
        page.keyboard.press(key)
    assert focused(page) == "3,2"
    page.keyboard.press("End")
    assert focused(page) == "3,12"
    page.keyboard.press("ArrowUp")
    assert figure.inner_text() == "Kd: impossible"
    page.keyboard.press("Home")
    assert focused(page) == "2,0"
    coach.locator('[data-cell="2,9"]').hover()
    assert figure.inner_text() == "Td: known"
    page.mouse.move(5, 5)
    assert figure.inner_text() == "Ad: unlikely, 12 of 100"
    assert coach.bounding_box() == height
    assert coach.locator('[data-cell][tabindex="0"]').get_attribute("data-cell") == "2,0"
    page.keyboard.press("Shift+Tab")
    assert focused(page) == "grid"
    page.keyboard.press("Enter")
    coach.get_by_role("grid").wait_for(state="detached")
    assert focused(page) == "grid"


def test_moments_by_mouse_and_by_keys(page: Page) -> None:
    small = panel(page, "small")
    chosen = small.locator('[aria-current="true"]')
    assert "Blunder" in chosen.inner_text()
    small.get_by_role("button", name="Previous moment").click(force=True)
    small.get_by_role("button", name="Next moment").click()
    assert sent(page, 1) == [{"ply": 4, "kind": "moment"}]
    expect(chosen).to_contain_text("was better")
    chosen.focus()
    for count, (key, ply) in enumerate([("ArrowDown", 20), ("[", 4), ("ArrowUp", 12), ("]", 4)], 2):
        page.keyboard.press(key)
        assert sent(page, count)[-1] == {"ply": ply, "kind": "moment"}
        assert focused(page) == str(ply)
    small.get_by_text("Inaccuracy: about 1 point").click()
    assert sent(page, 6)[-1] == {"ply": 20, "kind": "moment"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_panel(browser: Browser, demo: Demo, scheme: str) -> None:
    page = opened(browser, demo, scheme=scheme)
    coach = panel(page, "coach")
    assert ("dark" in str(coach.get_attribute("class"))) is (scheme == "dark")
    coach.get_by_role("button", name="More reasons").click()
    coach.get_by_role("button", name="What they may hold").click()
    coach.get_by_role("grid").wait_for()
    page.wait_for_timeout(500)
    found = Axe().run(page, context=OURS)
    assert len(found.response["passes"]) > 5, "axe looked at nothing"
    wrong = {
        violation["id"]: [
            str(node["target"]) + str(node.get("failureSummary", ""))[:200] for node in violation["nodes"]
        ]
        for violation in found.response["violations"]
    }
    page.context.close()
    assert wrong == {}


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_nothing_sticks_out_and_buttons_are_large_enough(browser: Browser, demo: Demo, width: int) -> None:
    page = opened(browser, demo, width=width)
    coach = panel(page, "coach")
    coach.get_by_role("button", name="More reasons").click()
    coach.get_by_role("button", name="What they may hold").click()
    coach.get_by_role("grid").wait_for()
    page.wait_for_timeout(300)
    for key in ["coach", "small", "large", "wide"]:
        wrong = panel(page, key).evaluate(
            """panel => {
              const edge = panel.getBoundingClientRect();
              return [...panel.querySelectorAll('.blocks *')].filter((one) => {
                const box = one.getBoundingClientRect();
                if (one.closest('.aloud') || one.hidden) return false;
                return box.right > edge.right + 0.5 || box.left < edge.left - 0.5
                  || (one.matches('button') && box.height < 44) || parseFloat(getComputedStyle(one).fontSize) < 13;
              }).map((one) => one.outerHTML.slice(0, 90));
            }"""
        )
        assert wrong == [], key
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.context.close()


def test_names_under_the_bars_never_overlap(browser: Browser, demo: Demo) -> None:
    for width in [1280, 390, 320]:
        page = opened(browser, demo, width=width)
        for names in panel(page, "wide").locator(".names").all():
            found = names.evaluate(
                """names => [...names.children].filter((one) => one.textContent).map((one) => {
                  const range = document.createRange();
                  range.selectNodeContents(one);
                  const box = range.getBoundingClientRect();
                  return [box.left, box.right];
                })"""
            )
            assert all(right <= left for (_, right), (left, _) in pairwise(found)), (width, found)
        page.context.close()
