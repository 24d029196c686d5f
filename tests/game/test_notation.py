"""Records written and read: lossless, stable to the byte, and true to the rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.game.test_rules import OTHER_VALUES
from tests.helpers import random_deal
from tests.policies import AnyLegal, KnocksAtOnce
from tutor.engine.arena import play_out
from tutor.engine.players import Novice, Steady
from tutor.game.actions import Draw, IllegalAction, Knock, Seat, Take
from tutor.game.match import HollywoodMatch, Match
from tutor.game.notation import RecordError, action_text, dump, dumps, load, loads, read_action
from tutor.game.record import (
    Branch,
    Glyph,
    Line,
    Moment,
    Move,
    Position,
    Record,
    RoundRecord,
    SeatDeal,
    breaches,
)
from tutor.game.result import Standing
from tutor.game.round import Round, UnknownCard
from tutor.game.rules import PRESETS, MatchFormat, MatchKind, RuleSet, preset

GOLDEN = sorted((Path(__file__).parents[1] / "data" / "golden").glob("*.gin"))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def test_golden_files_are_there() -> None:
    assert len(GOLDEN) >= 4


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_files_survive_byte_for_byte(path: Path, tmp_path: Path) -> None:
    record = load(path)
    dump(record, tmp_path / "again.gin")
    assert (tmp_path / "again.gin").read_bytes() == path.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["again.gin"]


def one_round(seed: int, rules: RuleSet) -> Round:
    random_ = random.Random(seed)
    pairs = ((Novice(), Steady()), (KnocksAtOnce(), KnocksAtOnce()), (AnyLegal(), Novice()))
    return play_out(Round.start(rules, random_deal(random_, Seat(seed % 2))), pairs[seed % 3], seed=seed)


def annotated(random_: random.Random, moment: Moment, depth: int) -> Line:
    """A random line from here with marks, remarks and side lines."""
    moves = []
    for _ in range(random_.randint(1, 12)):
        state = moment.state
        assert isinstance(state, Round)
        legal = state.legal_actions()
        if not legal or (not state.stock and Draw() in legal):
            break
        action, after = moment.played(random_.choice(legal))
        sides = random_.choice([0, 0, 0, 1, 2]) if depth else 0
        lines = tuple(annotated(random_, moment, depth - 1) for _ in range(sides))
        moves.append(
            Move(
                action,
                random_.choice([None, *Glyph]),
                random_.choice(["", "", "A remark.", "two\nlines", "{braces} and \\ and (others)", " \t\r", "7♥"]),
                tuple(line for line in lines if line.moves),
            )
        )
        moment = after
    return Line(tuple(moves), random_.choice(["", "Before it all."]))


def test_annotated_records_survive() -> None:
    random_ = random.Random(8)
    nested = 0
    for number in range(150):
        rules = list(PRESETS.values())[number % len(PRESETS)]
        start = Moment(Round.start(rules, random_deal(random_, Seat(number % 2))))
        assert isinstance(start.state, Round)
        line = annotated(random_, start, 3)
        one = RoundRecord(start.state.deal, line, Standing((number, 5), (1, 2)), (("Commitment", "abc"),))
        record = Record(rules, (one,), (("Title", "  a: b\\n\n"),), "An opening.")
        text = dumps(record)
        assert loads(text) == record
        assert dumps(loads(text)) == text
        nested += "    ( " in text
    assert nested > 30


@given(st.lists(st.tuples(st.from_regex(r"[A-Z][a-z]{0,8}( [a-z]{1,5})?", fullmatch=True), TEXTS), max_size=5), TEXTS)
@settings(max_examples=300)
def test_any_header_and_comment_survives(headers: list[tuple[str, str]], comment: str) -> None:
    reserved = {"Rules", "Rule", "Round"}
    unique = tuple({key: value for key, value in headers if key not in reserved}.items())
    record = Record(PRESETS["Casual"], (), unique, comment)
    assert loads(dumps(record)) == record


@given(st.data())
@settings(max_examples=200)
def test_any_rule_set_survives(data: st.DataObject) -> None:
    values = {
        knob: data.draw(st.sampled_from(values)) for knob, values in OTHER_VALUES.items() if data.draw(st.booleans())
    }
    try:
        rules = RuleSet(**values)  # type: ignore[arg-type]
    except ValueError:
        return
    record = Record(rules)
    assert loads(dumps(record)) == record


def test_both_sides_of_a_round_can_be_recorded_alone() -> None:
    """A one-seat record holds what that seat saw, survives, and replays to the same views."""
    unknown_knock = 0
    for number in range(120):
        rules = list(PRESETS.values())[number % len(PRESETS)]
        end = one_round(number, rules)
        for seat in Seat:
            told = tuple(
                action if act.seat is seat or (isinstance(action, Knock) and number % 2) else act.action
                for action, act in zip(end.actions, end.public.acts, strict=True)
            )
            source = SeatDeal(seat, end.deal.hands[seat], end.deal.upcard, end.deal.dealer)
            record = Record(rules, (RoundRecord(source, Line.of(told)),))
            text = dumps(record)
            assert loads(text) == record
            assert dumps(loads(text)) == text
            unknown_knock += "unknown" in text
            *_, last = record.rounds[0].moments(rules)
            assert last.public.result == end.result
            hidden = end.deal.hands[seat.other] - last.view(seat).known_theirs
            if end.result is not None and not end.result.ending.scores:
                assert not any(f"{seat.other.label} holds" in row for row in text.splitlines())
                assert hidden <= last.view(seat).unseen | last.public.visible
            with pytest.raises(ValueError, match=f"only what {seat.label} knew"):
                last.view(seat.other)
    assert unknown_knock > 20


def test_a_stock_told_in_part_is_kept_so() -> None:
    end = one_round(3, PRESETS["Standard"])
    drawn = tuple(action.card for action in end.actions if isinstance(action, Draw) and action.card is not None)
    deal = end.deal
    part = type(deal)(deal.hands, deal.upcard, drawn, deal.dealer)
    record = Record(PRESETS["Standard"], (RoundRecord(part, Line.of(end.actions)),))
    assert loads(dumps(record)) == record
    without = "\n".join(row for row in dumps(record).split("\n") if not row.startswith("Stock:"))
    assert loads(without) == record
    untold = Round.start(PRESETS["Standard"], type(deal)(deal.hands, deal.upcard, (), deal.dealer))
    for action in end.actions[: next(i for i, action in enumerate(end.actions) if isinstance(action, Draw))]:
        untold = untold.play(action)
    with pytest.raises(UnknownCard, match="not known in this deal"):
        untold.play(Draw())
    with pytest.raises(UnknownCard, match=f"not told as far as the {drawn[0].symbol}"):
        untold.play(Draw(drawn[0]))


def test_a_record_with_incomplete_or_illegal_moves_is_not_written() -> None:
    end = one_round(3, PRESETS["Standard"])
    bare = tuple(Draw() if isinstance(action, Draw) else action for action in end.actions)
    with pytest.raises(ValueError, match="is not complete"):
        dumps(Record(PRESETS["Standard"], (RoundRecord(end.deal, Line.of(bare)),)))
    with pytest.raises(IllegalAction):
        dumps(Record(PRESETS["Standard"], (RoundRecord(end.deal, Line.of((Take(), Take()))),)))
    with pytest.raises(ValueError, match="broken character"):
        dumps(Record(PRESETS["Standard"], comment="\ud800"))


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ((("title", "x"),), "no header name"),
        ((("Rules", "x"),), "a meaning of its own"),
        ((("Title", "x"), ("Title", "y")), "is there twice"),
        ((("Title", "\udc00"),), "broken character"),
        ((("T" * 61, "x"),), "no header name"),
    ],
)
def test_headers_that_cannot_be_written_are_refused(headers: tuple[tuple[str, str], ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Record(PRESETS["Standard"], (), headers)


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    text = GOLDEN[0].read_text(encoding="utf-8")
    assert loads("\ufeff" + text.replace("\n", "\r\n")) == loads(text)


def test_hand_typed_looseness_is_read() -> None:
    typed = """gin 1
Rules: standard
Round: 1
Dealer: north
South holds: 7♥,7♠,A♣,2♣,3♣ JD QD KD H9 S8
North holds: Ah 2h 3h 4d 6s 8c 10c Js Qs Kc
Upcard: 7d

1. south: take, KNOCK 9h
2. north: settle
"""
    record = loads(typed)
    assert record.results()[0] is not None
    assert "1. South: take 7d, knock 9h: Ac2c3c 7d7h7s JdQdKd / 8s" in dumps(record).replace(
        "JdQdKd 7d7h7s", "7d7h7s JdQdKd"
    )


def golden(name: str) -> Record:
    return load(next(path for path in GOLDEN if path.stem == name))


def test_a_game_sums_up() -> None:
    record = golden("game")
    match = record.match()
    assert isinstance(match, Match)
    assert match.over
    standings = record.standings()
    assert standings[0] == Standing()
    results = record.results()
    assert all(result is not None for result in results)
    for before, after, result in zip(standings, standings[1:], results, strict=False):
        assert result is not None
        assert after == before.after(result.score(record.rules))


def test_hollywood_records_are_columns() -> None:
    record = golden("game")
    rules = record.rules.with_values({"match": str(MatchFormat(MatchKind.HOLLYWOOD))})
    assert isinstance(Record(rules, record.rounds[:2]).match(), HollywoodMatch)


def test_positions_name_every_place() -> None:
    record = golden("annotated")
    main = record.rounds[0].line
    moment = record.moment(Position(1, len(main.moves)))
    assert len(moment.public.acts) == len(main.moves)
    ply = next(i for i, move in enumerate(main.moves, start=1) if move.lines)
    side = main.moves[ply - 1].lines[0]
    position = Position(1, ply - 1 + len(side.moves), (Branch(ply, 1),))
    assert Position.parse(str(position)) == position
    assert len(record.moment(position).public.acts) == position.ply
    for bad in (
        Position(2, 0),
        Position(1, 999),
        Position(1, ply, (Branch(ply, 9),)),
        Position(1, ply, (Branch(999, 1),)),
        Position(1, ply, (Branch(ply, 0),)),
        Position(1, ply - 2, (Branch(ply, 1),)),
    ):
        with pytest.raises(ValueError, match=r"no round|not in the record"):
            record.moment(bad)


@pytest.mark.parametrize("text", ["", "1", "0/3", "1/2/3", "1/2.0/3", "1/²", "1/2.1/", "1/" + "9" * 300])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no position"):
        Position.parse(text)


def test_breaches_of_a_one_seat_record() -> None:
    record = golden("one-seat")
    assert breaches(record.rounds[0], record.rules, record.rules) == ()
    assert breaches(record.rounds[0], record.rules, preset("Classic")) == ()
    straight = breaches(record.rounds[0], record.rules, preset("Straight"))
    assert [breach.why.name for breach in straight] == ["OVER_LIMIT"]
    knock = next(i for i, action in enumerate(record.rounds[0].line.actions, start=1) if isinstance(action, Knock))
    assert straight[0].ply == knock


def test_files_that_are_no_text_say_where(tmp_path: Path) -> None:
    path = tmp_path / "bad.gin"
    path.write_bytes(b"gin 1\nTitle: caf\xe9\n")
    with pytest.raises(RecordError, match="line 2, column 11: found the byte 0xe9; expected text in UTF-8"):
        load(path)
    path.write_bytes(b" " * 20_000_001)
    with pytest.raises(RecordError, match="very large file"):
        load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.gin")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "kept.gin"
    good = golden("game")
    dump(good, path)
    bad = Record(good.rules, (RoundRecord(good.rounds[0].source, Line.of((Take(), Take()))),))
    with pytest.raises(IllegalAction):
        dump(bad, path)
    assert load(path) == good
    assert list(tmp_path.iterdir()) == [path]


def test_single_actions_have_one_spelling() -> None:
    for number in range(60):
        end = one_round(number, list(PRESETS.values())[number % len(PRESETS)])
        for action, act in zip(end.actions, end.public.acts, strict=True):
            assert read_action(action_text(action, act.offer)) == action
            assert read_action(action_text(act.action)) == act.action
        for action in Round.start(end.public.rules, end.deal).legal_actions():
            assert read_action(action_text(action)) == action
    for text in ("", "knock", "discard 7h, discard 8h", "win", "discard 7x", "1. South: pass"):
        with pytest.raises(RecordError):
            read_action(text)


MISDEAL = """gin 1
Rules: Standard
Rule: first_turn_misdeal = yes

Round: 1
Dealer: North
Seat: South
South holds: {hand}
{told}Upcard: 7d
"""


def test_a_misdeal_seen_from_one_seat() -> None:
    own = loads(MISDEAL.format(hand="Ac 2c 3c 4d 5d 6d 9d 9h 9s Ks", told=""))
    theirs = MISDEAL.format(hand="Ac 2c 3c 4d 5d 6d 9d 9h Js Ks", told="Misdeal: yes\n")
    assert dumps(loads(theirs)) == theirs
    for record in (own, loads(theirs)):
        result = record.results()[0]
        assert result is not None
        assert result.ending.value == "misdeal"
    assert loads(theirs.replace("Misdeal: yes\n", "")).results() == (None,)
    with pytest.raises(RecordError, match="these rules know no misdeal"):
        loads(theirs.replace("Rule: first_turn_misdeal = yes\n", ""))
    with pytest.raises(RecordError, match="or no such header"):
        loads(theirs.replace("Misdeal: yes", "Misdeal: no"))


def test_rules_stand_before_the_first_round() -> None:
    text = GOLDEN[0].read_text(encoding="utf-8")
    for line in ("Rules: Straight", "Rule: knock_limit = 0"):
        with pytest.raises(RecordError, match="rules before the first round"):
            loads(text.replace("Round: 1", f"Round: 1\n{line}", 1))


def test_gin_is_not_written_for_a_knock() -> None:
    text = GOLDEN[0].read_text(encoding="utf-8")
    assert "gin 8s: " in text
    side = text.replace("knock 9h: Ac2c3c 7d7h7s JdQdKd / 8s", "gin 9h", 1)
    with pytest.raises(RecordError, match="a knock, for 8s stays loose"):
        loads(side)


def test_what_cannot_be_read_back_is_not_written() -> None:
    with pytest.raises(ValueError, match="at least one move"):
        Move(Take(), lines=(Line(comment="only words"),))
    deep = Line.of((Take(),))
    for _ in range(30):
        deep = Line((Move(Take(), lines=(deep,)),))
    with pytest.raises(ValueError, match="at most 20 deep"):
        dumps(Record(PRESETS["Standard"], (RoundRecord(one_round(3, PRESETS["Standard"]).deal, deep),)))
    with pytest.raises(ValueError, match="0 to 999999"):
        Standing((1_000_000, 0))


def test_long_records_are_summed_up_soon() -> None:
    record = golden("misdeal")
    long = Record(record.rules, record.rounds * 3_000)
    match = long.match()
    assert isinstance(match, Match)
    assert len(match.games[0].results) == 3_000


def test_a_last_discard_taken_is_a_breach_where_it_is_dead() -> None:
    record = golden("rare-endings")
    found = breaches(record.rounds[0], record.rules, preset("Standard"))
    assert [(breach.ply, breach.why.name) for breach in found] == [(5, "ROUND_OVER")]


def test_written_files_can_be_shared(tmp_path: Path) -> None:
    path = tmp_path / "one.gin"
    dump(golden("game"), path)
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    dump(golden("misdeal"), path)
    assert path.stat().st_mode & 0o777 == 0o640
