"""A record reviewed for one seat: review."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tutor.cli.base import Problem, command, main
from tutor.cli.records import FILE, loaded
from tutor.game.actions import Seat
from tutor.game.record import Record, SeatDeal

if TYPE_CHECKING:
    from tutor.teaching.review import HandReview


@main.command("review")
@FILE
@click.option(
    "--seat",
    "seat_name",
    type=click.Choice(("south", "north"), case_sensitive=False),
    help="Whose play; South unless the record was kept by North.",
)
@click.option("--hand", "number", type=click.IntRange(1), help="Only this hand of the record.")
@command
def review_command(file: Path, seat_name: str | None, number: int | None) -> tuple[list[str], dict[str, Any]]:
    """Judge one seat's decisions by what it knew: losses, luck, the one thing to fix and the one done well."""
    from tutor.teaching.history import History, history_lines
    from tutor.teaching.moments import decisions
    from tutor.teaching.review import review_hand

    record = loaded(file)
    if not record.rounds:
        raise Problem(f"{file.name}: the record has no hands")
    if number is not None and number > len(record.rounds):
        raise Problem(f"{file.name}: there is no hand {number}, the record has {len(record.rounds)}")
    numbers = range(1, len(record.rounds) + 1) if number is None else (number,)
    seat = _seat(record, seat_name)
    standings = record.standings()
    lines: list[str] = []
    found: list[HandReview] = []
    with ThreadPoolExecutor(1) as pool:
        for one in numbers:
            try:
                hand = decisions(record.rounds[one - 1], record.rules, standings[one - 1], seat)
                found.append(review_hand(hand, pool=pool))
            except ValueError as error:
                raise Problem(f"{file.name}: hand {one}: {error}") from None
            lines += _hand_lines(one, record.names[seat], found[-1])
    history = History.of(found)
    if len(found) > 1:
        lines += ["", *history_lines(history)]
    hands = [_facts(one, review) for one, review in zip(numbers, found, strict=True)]
    return lines, {"seat": seat.label, "hands": hands, "history": history.facts()}


def _seat(record: Record, name: str | None) -> Seat:
    if name is not None:
        return Seat[name.upper()]
    source = record.rounds[0].source
    return source.seat if isinstance(source, SeatDeal) else Seat.SOUTH


def _hand_lines(number: int, player: str, review: HandReview) -> list[str]:
    from tutor.teaching.reasons.words import plain
    from tutor.teaching.summary import both_ledgers, done_well, ledger_lines, spoken, tally, to_fix

    unfinished = " (unfinished)" if review.points is None else ""
    lines = [f"Hand {number}, {player}{unfinished}: {tally(review)}"]
    fix, well = to_fix(review), done_well(review)
    if fix is not None:
        lines.append(f"  To fix. {plain(fix[1])}")
        lines += [f"    {plain(words)}" for words in fix[0].reasons[:2]]
    if well is not None:
        lines.append(f"  Done well. {plain(well[1])}")
    for one in review.by_loss:
        after = both_ledgers(review, one)
        figures = f"{one.grade.value}, {one.loss:.1f} ± {1.96 * one.loss_se:.1f} points"
        best = f"best {plain(spoken(one.best))}{'' if after is None else f'. {after}'}"
        lines.append(f"  ply {one.ply}: {plain(spoken(one.played))}: {figures}; {best}")
    return lines + [f"  {line}" for line in ledger_lines(review)]


def _facts(number: int, review: HandReview) -> dict[str, Any]:
    from tutor.teaching.reasons.words import plain
    from tutor.teaching.summary import both_ledgers, done_well, tally, to_fix

    facts = review.facts()
    for row, one in zip(facts["decisions"], review.decisions, strict=True):
        after = review.followed(one)
        row["followed"] = None if after is None else {"amount": after.amount, "error": after.error}
        row["words"] = both_ledgers(review, one)
    fix, well = to_fix(review), done_well(review)
    account = review.account
    told = None if account is None else asdict(account)
    if told is not None:
        told["swings"] = [one | {"kind": one["kind"].value} for one in told["swings"]]
    return {
        "hand": number,
        "tally": tally(review),
        "to_fix": None if fix is None else {"ply": fix[0].ply, "words": plain(fix[1])},
        "done_well": None if well is None else {"ply": well[0].ply, "words": plain(well[1])},
        "account": told,
        **facts,
    }
