"""Commands about a hand and about the rules."""

from __future__ import annotations

from typing import Any

import click

from tutor.cli.base import Problem, command, main
from tutor.game.cards import CardSet, CardTextError
from tutor.game.layoffs import best_arrangement, exposed
from tutor.game.melds import Arrangement
from tutor.game.rules import PRESETS, RuleError, preset
from tutor.game.solver import arrangements, best_discards, deadwood


@main.command("deadwood")
@click.argument("cards", nargs=-1, required=True)
@command
def deadwood_command(cards: tuple[str, ...]) -> tuple[list[str], dict[str, Any]]:
    """Least deadwood of CARDS, such as "7h 7s 7d 8s 9s", and how to lay them out."""
    try:
        hand = CardSet.parse(" ".join(cards))
    except CardTextError as error:
        raise Problem(f"character {error.position + 1}: {error}", position=error.position) from None
    if not 1 <= len(hand) <= 11:
        raise Problem(f"a hand has 1 to 11 cards, not {len(hand)}")
    ways = arrangements(hand)
    proposed = best_arrangement(hand)
    lines = [f"Deadwood {deadwood(hand)}", *(f"  {_laid_out(way)}" for way in ways)]
    if len(ways) > 1:
        lines.append(f"Least exposed to lay-offs: {_laid_out(proposed)}")
    facts: dict[str, Any] = {
        "cards": str(hand),
        "deadwood": deadwood(hand),
        "arrangements": [_facts_of(way) for way in ways],
        "proposed": _facts_of(proposed),
    }
    if len(hand) == 11:
        best = best_discards(hand)
        thrown = " ".join(card.symbol for card in best.cards)
        lines.append(f"Best after throwing one: {best.deadwood} (throw {thrown})")
        facts["after_discard"] = {"deadwood": best.deadwood, "discards": str(best.cards)}
    return lines, facts


def _laid_out(way: Arrangement) -> str:
    melds = "  ".join(" ".join(card.symbol for card in meld.cards) for meld in way.melds)
    loose = " ".join(card.symbol for card in way.loose)
    return "  +  ".join(part for part in (melds, f"loose {loose}" if loose else "") if part)


def _facts_of(way: Arrangement) -> dict[str, Any]:
    return {
        "melds": [str(meld.cards) for meld in way.melds],
        "loose": str(way.loose),
        "exposed": str(exposed(way)),
    }


@main.command("rules")
@click.argument("name", metavar="PRESET", required=False)
@command
def rules_command(name: str | None) -> tuple[list[str], dict[str, Any]]:
    """The rules of PRESET in plain words; without one, the presets' names."""
    if name is None:
        return list(PRESETS), {"presets": list(PRESETS)}
    try:
        rules = preset(name)
    except RuleError as error:
        raise Problem(str(error)) from None
    sentences = rules.sentences()
    knobs = {knob: {"value": rules.value_text(knob), "sentence": sentence} for knob, sentence in sentences.items()}
    return [f"- {sentence}" for sentence in sentences.values()], {"preset": rules.preset, "rules": knobs}
