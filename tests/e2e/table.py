"""Playing at the table as a person does: by mouse, by touch or by keys."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page

READY = """() => {
  for (const host of document.querySelectorAll('*')) {
    const bar = host.shadowRoot && host.shadowRoot.querySelector('.bar');
    if (bar && [...bar.querySelectorAll('button')].some((b) => !b.disabled)) return true;
    if (bar && bar.textContent.includes('Choose a card')) return true;
  }
  return false;
}"""


LOOK = """() => {
  for (const host of document.querySelectorAll('*')) {
    const table = host.shadowRoot && host.shadowRoot.querySelector('.table');
    if (!table) continue;
    const cards = [...table.querySelectorAll('.hand .card')];
    return {
      say: table.querySelector('.say').textContent, bar: table.querySelector('.bar').textContent,
      result: table.querySelector('.result').textContent, selected: table.querySelectorAll('.selected').length,
      hand: cards.map((card) => card.dataset.card), names: cards.map((card) => card.getAttribute('aria-label')),
    };
  }
  return {};
}"""


class TableUser:
    """Someone who sits at the table and plays without much thought."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page = page
        self.touch = touch

    def hit(self, what: Locator) -> None:
        if self.touch:
            what.tap()
        else:
            what.click()

    def bar(self, text: str) -> Locator:
        return self.page.locator(f'.bar button:not([disabled]):has-text("{text}")')

    def ready(self) -> None:
        self.page.wait_for_function(READY)

    def read(self) -> dict[str, Any]:
        """What the table shows, in one look: it may change between two."""
        found = self.page.evaluate(LOOK)
        assert isinstance(found, dict)
        return found

    def state(self) -> str:
        """All that changes with an act, in one text."""
        return str(self.read())

    def hand(self) -> list[str]:
        """The cards in the order they lie."""
        return list(self.read()["hand"])

    def changed(self, before: str) -> None:
        for _ in range(200):
            if self.state() != before:
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"nothing changed after: {before}")

    def finished(self) -> bool:
        return self.page.locator('.bar [data-do="next"], .bar [data-do="again"]').count() > 0

    def loose_card(self) -> Locator:
        look = self.read()
        free = [
            card for card, name in zip(look["hand"], look["names"], strict=True) if not re.search("in the|stays", name)
        ]
        return self.page.locator(f'.hand [data-card="{(free or look["hand"])[-1]}"]')

    def act(self) -> None:
        """One thing: the first that the table offers."""
        self.ready()
        before = self.state()
        for text in ("Big gin", "Knock with", "Gin", "Lay off for me", "Settle", "Draw", "Pass", "Discard", "Go on"):
            offered = self.bar(text)
            if offered.count():
                self.hit(offered.first)
                if text in ("Knock with", "Gin") and self.page.locator(".bar.wide").count():
                    self.hit(self.page.locator('.bar.wide [data-do="act"]').first)
                break
        else:
            self.hit(self.loose_card())
        self.changed(before)

    def play_hand(self, most: int = 200) -> None:
        for _ in range(most):
            self.ready()
            if self.finished():
                return
            self.act()
        raise AssertionError("the hand does not end")


def at_once(page: Page) -> None:
    """Let the opponent play without a pause."""
    page.goto("/settings")
    page.get_by_text("at once").click()
    page.wait_for_timeout(600)


def sit_down(page: Page, **kind: Any) -> TableUser:
    """Begin a game from Home."""
    page.goto("/")
    user = TableUser(page, **kind)
    user.hit(page.get_by_text("Deal me in"))
    page.locator(".bar button").first.wait_for()
    user.ready()
    return user
