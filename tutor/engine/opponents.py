"""Which style an opponent may have: the usual mix, shifted by what this opponent has shown.

A style shows itself by when it ends a hand, for who could have knocked eight times and has not is no early knocker,
and by the points of the cards it throws: who minds points throws pictures first. How often each style does what on
which turn was counted in rounds of the pooled styles (``data/styles.json``); the shift is Bayes' rule on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from tutor.engine import styles
from tutor.engine.styles import Floats
from tutor.game.actions import Discard, Seat
from tutor.game.public import PublicRound

TURNS = 25
"""Turns told apart; later ones count as the last."""
LEAST_LIMIT = 6
"""Knock limits below this hide when one could have knocked, so nothing is concluded from it."""
DAMPING = 0.6
"""Weight of the thrown cards' evidence: throws of one hand depend on each other and say less than their product."""
_FLOOR = 0.002


@dataclass(frozen=True, slots=True)
class Shown:
    """How one side behaved in a round: the points of its discards in order, and whether it then knocked or had gin."""

    thrown: tuple[int, ...]
    knocked: bool = False
    gin: bool = False


def shown_by(public: PublicRound, seat: Seat) -> Shown:
    """What a seat has shown in this round so far."""
    thrown = tuple(act.action.card.pips for act in public.acts if act.seat is seat and isinstance(act.action, Discard))
    ended = public.knocker is seat
    return Shown(thrown, ended and not public.gin, ended and public.gin)


@cache
def habits() -> tuple[Floats, Floats, Floats]:
    """What each style does on each turn it comes to, as chances.

    To knock and to gin: float64 (styles, TURNS); to throw a card of so many points, where it throws: float64
    (styles, TURNS, 10), ace first.
    """
    path = files("tutor.engine") / "data" / "styles.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    knock, gin, throw = (np.array([told[kind][name] for name in styles.NAMES]) for kind in ("knock", "gin", "throw"))
    return np.clip(knock, _FLOOR, 0.95), np.clip(gin, _FLOOR, 0.95), np.clip(throw, _FLOOR, 1.0)


def shifted(mix: Floats, rounds: Iterable[Shown]) -> Floats:
    """The mix of styles after seeing these rounds: float64 (styles,), adding up to 1."""
    knock, gin, throw = habits()
    goes_on = np.cumsum(np.log1p(-np.minimum(knock + gin, 0.95)), axis=1)
    weight = np.log(np.maximum(mix, 1e-300))
    for one in rounds:
        turns = len(one.thrown)
        if turns:
            weight = weight + goes_on[:, min(turns, TURNS) - 1]
        for turn, points in enumerate(one.thrown[:TURNS]):
            weight = weight + DAMPING * np.log(throw[:, turn, points - 1])
        if one.knocked or one.gin:
            weight = weight + np.log((knock if one.knocked else gin)[:, min(turns, TURNS - 1)])
    shares = np.exp(weight - weight.max())
    shares[mix == 0] = 0.0
    return np.asarray(shares / shares.sum())


def usual(public: PublicRound, opponent: Seat, earlier: Iterable[Shown] = ()) -> Floats:
    """The usual mix shifted by this round so far, and by ``earlier`` rounds of the same opponent if they are told."""
    if public.knock_limit < LEAST_LIMIT:
        return styles.MIX
    return shifted(styles.MIX, (*earlier, shown_by(public, opponent)))
