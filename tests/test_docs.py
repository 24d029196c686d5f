"""The examples of the documentation do what they say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tutor.cli import main
from tutor.engine.players import Novice
from tutor.engine.protocol import PROTOCOL as PROTOCOL_VERSION
from tutor.engine.protocol import Session, answer, hello
from tutor.engine.protocol.wire import EVENTS
from tutor.game.notation import RecordError, dumps, loads
from tutor.game.record import Position
from tutor.game.result import Outcome
from tutor.game.rules import PRESETS, RuleSet, preset

ROOT = Path(__file__).parents[1]
PROTOCOL = (ROOT / "docs" / "PROTOCOL.md").read_text(encoding="utf-8")
NOTATION = (ROOT / "docs" / "NOTATION.md").read_text(encoding="utf-8")
GOOD = re.findall(r"^```gin\n(.*?)^```", NOTATION, re.MULTILINE | re.DOTALL)
BAD = re.findall(r"^```gin-error\n(.*?)^```\n\n```text\n(.*?)\n```", NOTATION, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", GOOD, ids=range(len(GOOD)))
def test_notation_examples_are_canonical_records(text: str) -> None:
    assert dumps(loads(text)) == text


@pytest.mark.parametrize(("text", "message"), BAD, ids=range(len(BAD)))
def test_notation_errors_read_as_shown(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        loads(text)
    assert str(caught.value) == message


def test_there_are_examples() -> None:
    assert len(GOOD) == 2
    assert len(BAD) == 2


def test_the_position_of_the_notation_page() -> None:
    record = loads(GOOD[0])
    assert len(record.moment(Position.parse("1/0")).public.acts) == 0
    assert "`1/2.1/3`" in NOTATION
    assert str(record.moment(Position.parse("1/2.1/3")).public.acts[-1].action).startswith("LayOff(card=Card(index=3)")


def preset_table() -> str:
    names = list(PRESETS)
    knobs = list(RuleSet().sentences())
    rows = [f"| knob | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    rows += [f"| {knob} | {' | '.join(PRESETS[name].value_text(knob) for name in names)} |" for knob in knobs]
    return "\n".join(rows)


def test_the_preset_table_is_the_presets() -> None:
    assert preset_table() in (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8")


def test_every_command_of_the_readme_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`gin-tutor ([a-z-]+)", readme))
    assert named == set(main.commands)
    for name in named:
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


def test_the_conversations_of_the_protocol_page() -> None:
    found = re.findall(r"^```text\n(> .*?)^```", PROTOCOL, re.MULTILINE | re.DOTALL)
    assert len(found) == 2
    for text in found:
        session = Session(Novice(), preset("Standard"), "1")
        lines = text.splitlines()
        for number, (sent, back) in enumerate(zip(lines[::2], lines[1::2], strict=True), start=1):
            session, reply = answer(session, sent.removeprefix("> "), number)
            assert back == f"< {json.dumps(reply)}"


def test_the_protocol_page_has_every_event_field_and_ending() -> None:
    assert f"version {PROTOCOL_VERSION}\n" in PROTOCOL
    told = set(re.findall(r"`([a-z_ ]+)`", PROTOCOL))
    assert told >= set(EVENTS)
    assert told >= {field for needed, optional in EVENTS.values() for field in needed | optional}
    assert told >= {outcome.value for outcome in Outcome}
    assert told >= set(hello(Session(Novice(), preset("Standard"))))


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), (page, target)
