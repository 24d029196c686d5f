"""Two hundred broken records, each with the line of its error and the words that help; and ten thousand mutated ones.

Each case changes one place of ``data/malformed_base.gin``: the old text (its first occurrence), the new text, the
line the error must name, and a piece of what it must say.
"""

from __future__ import annotations

import contextlib
import random
import time
import tracemalloc
from pathlib import Path

import pytest

from tutor.game.notation import RecordError, dumps, loads
from tutor.game.notation.scanner import MAX_CHARACTERS

DATA = Path(__file__).parents[1] / "data"
BASE = (DATA / "malformed_base.gin").read_text(encoding="utf-8")

CASES: list[tuple[str, str, int, str]] = [
    # The first line.
    ("gin 1", "", 1, 'expected "gin 1" in the first line'),
    ("gin 1", "gin", 1, 'found "gin"; expected "gin 1"'),
    ("gin 1", "gin one", 1, 'expected "gin 1"'),
    ("gin 1", "gin 2", 1, 'found "2"; expected version 1'),
    ("gin 1", "gin 0", 1, 'found "0"; expected version 1'),
    ("gin 1", "gin 999999", 1, "expected version 1"),
    ("gin 1", "gin 1 2", 1, 'expected "gin 1"'),
    ("gin 1", "gin 1.0", 1, 'expected "gin 1"'),
    ("gin 1", "GIN 1", 1, 'found "GIN"'),
    ("gin 1", "pgn 1", 1, 'found "pgn"'),
    ("gin 1", "gin 99999999999", 1, 'expected "gin 1"'),
    ("gin 1", "[Event x]", 1, 'found "[Event"'),
    ("gin 1", "gin -1", 1, 'expected "gin 1"'),
    ("gin 1\n", "gin 1 ", 1, 'expected "gin 1"'),
    # Headers of the record.
    ("Title: A base to break", "Title A base to break", 2, 'expected the header "Rules: …"'),
    ("Title: A base to break", "title: x", 2, 'expected the header "Rules: …"'),
    ("Title: A base to break", "South: x", 3, 'header "South" is there twice'),
    ("Title: A base to break", "Title: back\\slash", 2, 'found "\\s"; expected \\n'),
    ("Title: A base to break", "Title: ends\\", 2, "a character after the backslash"),
    ("Title: A base to break", "Title: \\u(110000)", 2, "the number of a character"),
    ("Title: A base to break", "Title: \\u(d800)", 2, "the number of a character"),
    ("Title: A base to break", "Title: \\u()", 2, "expected \\n"),
    ("Title: A base to break", "Title: \\u(41", 2, "expected \\n"),
    ("Title: A base to break", "Title: \\t", 2, "expected \\n"),
    ("Title: A base to break", "A b c d e f g: x", 2, "is no header name"),
    ("Title: A base to break", "Ti--tle: x", 2, "is no header name"),
    ("Title: A base to break", "Title : x", 2, "is no header name"),
    ("Title: A base to break", "T" * 61 + ": x", 2, "is no header name"),
    ("Title: A base to break", "Ti1tle: x", 2, 'expected the header "Rules: …"'),
    ("Rules: Standard", "Rules: Vegas", 5, "a rule set: Casual, Classic, Standard"),
    ("Rules: Standard", "Rules:", 5, "a rule set: Casual, Classic"),
    ("Rules: Standard", "Rules: Standard, Classic", 5, "a rule set: Casual"),
    ("Rules: Standard\n", "", 7, 'expected the header "Rules: …"'),
    ("Rules: Standard", "Rules: Standard\nRules: Classic", 6, 'expected "Rules" once'),
    ("Rules: Standard", "rules: Standard", 5, 'expected the header "Rules: …"'),
    # Rules one by one.
    ("Rule: box_bonus = 20", "Rule: box_bonus 20", 6, 'as in "tie = void"'),
    ("Rule: box_bonus = 20", "Rule: box_bonus: 20", 6, 'as in "tie = void"'),
    ("Rule: box_bonus = 20", "Rule:", 6, 'as in "tie = void"'),
    ("Rule: box_bonus = 20", "Rule: boxes = 20", 6, '"boxes" is no rule'),
    ("Rule: box_bonus = 20", "Rule: box_bonus = many", 6, "is a whole number"),
    ("Rule: box_bonus = 20", "Rule: box_bonus = -20", 6, "is a whole number"),
    ("Rule: box_bonus = 20", "Rule: box_bonus = 2000", 6, "box bonus is 0 to 1000, not 2000"),
    ("Rule: box_bonus = 20", "Rule: box_bonus = 2e1", 6, "is a whole number"),
    ("Rule: box_bonus = 20", "Rule: box_bonus = 99999999999999", 6, "is a whole number"),
    ("Rule: box_bonus = 20", "Rule: box_bonus =", 6, "is a whole number"),
    ("Rule: box_bonus = 20", "Rule: = 20", 6, '"" is no rule'),
    ("Rule: box_bonus = 20", "Rule: box_bonus = 20\nRule: box_bonus = 25", 7, "expected box_bonus once"),
    ("Rule: box_bonus = 20", "Rule: tie = draw", 6, "tie is one of undercut, nothing, void"),
    ("Rule: box_bonus = 20", "Rule: oklahoma = on", 6, "oklahoma is yes or no"),
    ("Rule: box_bonus = 20", "Rule: knock_limit = 11", 6, "knock limit is 0 to 10, not 11"),
    ("Rule: box_bonus = 20", "Rule: spade_doubles = yes", 6, "switch Oklahoma on"),
    ("Rule: box_bonus = 20", "Rule: oklahoma = yes\nRule: knock_limit = 0", 7, "choose one of them"),
    ("Rule: box_bonus = 20", "Rule: match = best of 4", 6, "odd n"),
    ("Rule: box_bonus = 20", "Rule: match = best of", 6, "is no match"),
    ("Rule: box_bonus = 20", "Rule: match = best of 99999999999", 6, "is no match"),
    ("Rule: box_bonus = 20", "Rule: last_discard = alive", 6, "last_discard is one of dead, take to end"),
    ("Rule: box_bonus = 20", "Rule: shutout = yes", 6, "shutout is one of none"),
    ("Rule: box_bonus = 20", "Rule: next_dealer = south", 6, "next_dealer is one of winner, loser, alternate"),
    ("Rule: box_bonus = 20", "Rule: big_gin_bonus = no", 6, "big_gin_bonus is a whole number or none"),
    # The remark and what stands where a round should.
    ("{An opening remark.}", "{An opening remark.", 8, "found an open comment"),
    ("{An opening remark.}", "An opening remark.", 8, 'a round that begins with "Round: 1"'),
    ("{An opening remark.}", "{An} opening remark.", 8, 'a round that begins with "Round: 1"'),
    ("{An opening remark.}", "{An opening remark.}}", 8, "a move, a comment in braces"),
    ("{An opening remark.}", "{One.}\n{Two.}", 9, 'a round that begins with "Round: 1"'),
    ("{An opening remark.}", "(An opening remark.)", 8, 'a round that begins with "Round: 1"'),
    ("{An opening remark.}", "{An opening remark.\\}", 8, "found an open comment"),
    ("{An opening remark.}", "{\\x}", 8, "expected \\n"),
    ("Round: 1", "Round: 2", 10, 'found "Round: 2"; expected "Round: 1"'),
    ("Round: 1", "Round: one", 10, 'expected "Round: 1"'),
    ("Round: 1", "Round 1", 10, 'expected "Round: 1"'),
    ("Round: 1", "Round:", 10, 'expected "Round: 1"'),
    ("Round: 1", "round: 1", 10, 'a round that begins with "Round: 1"'),
    ("Round: 1", "Round: 1 1", 10, 'expected "Round: 1"'),
    ("Round: 1", "Hand: 1", 10, 'a round that begins'),
    ("Round: 2", "Round: 3", 29, 'found "Round: 3"; expected "Round: 2"'),
    ("Round: 2", "Round: 1", 29, 'expected "Round: 2"'),
    # Headers of a round.
    ("Dealer: North\n", "", 18, 'expected the header "Dealer: …"'),
    ("Dealer: North", "Dealer: West", 11, 'found "West"; expected South or North'),
    ("Dealer: North", "Dealer:", 11, "expected South or North"),
    ("Dealer: North", "Dealer: North South", 11, "expected South or North"),
    ("Dealer: North", "Dealer: North\nDealer: South", 12, 'expected "Dealer" once'),
    ("Standing: 30-12, boxes 2-1", "Standing: 30", 12, "points and boxes, South first"),
    ("Standing: 30-12, boxes 2-1", "Standing: 30-12 boxes 2-1", 12, "points and boxes"),
    ("Standing: 30-12, boxes 2-1", "Standing: thirty-twelve", 12, "points and boxes"),
    ("Standing: 30-12, boxes 2-1", "Standing: -30-12", 12, "points and boxes"),
    ("Standing: 30-12, boxes 2-1", "Standing: 9999999-12", 12, "points and boxes"),
    ("Standing: 30-12, boxes 2-1", "Standing: 30–12", 12, "points and boxes"),
    ("Standing: 30-12, boxes 2-1", "Standing: 30-12\nStanding: 30-12", 13, 'expected "Standing" once'),
    ("South holds: Ac 2c 3c Jd Qd Kd 7h 9h 7s 8s\n", "", 18, 'expected the header "South holds: …"'),
    ("South holds: Ac 2c", "South holds: Ac", 13, "10 cards, not 9"),
    ("South holds: Ac 2c", "South holds: Ac 2c 5h", 13, "10 cards, not 11"),
    ("South holds: Ac 2c", "South holds: Ac Ac", 13, "A♣ is there twice"),
    ("South holds: Ac 2c", "South holds: Ac 2x", 13, "'X' is neither a rank"),
    ("South holds: Ac 2c", "South holds: Ac 2", 13, "lacks its suit"),
    ("South holds: Ac 2c", "South holds: Ac 1c", 13, "write A for an ace"),
    ("South holds: Ac 2c", "South holds: Ac 7d", 15, "7♦ is dealt twice"),
    ("South holds: Ac 2c", "South holds: Ac 8c", 14, "8♣ is dealt twice"),
    ("South holds: Ac 2c", "South holds: Ac 9c", 16, "9♣ is dealt twice"),
    ("South holds: Ac 2c", "South holds: Ac {2c}", 13, "'{' is neither"),
    ("South holds: Ac 2c", "South has: Ac 2c", 19, 'expected the header "South holds: …"'),
    ("North holds: 4c", "North holds:", 14, "10 cards, not 9"),
    ("North holds: 4c", "North holds: 4c 4c", 14, "4♣ is there twice"),
    ("North holds: 4c", "North holds: Ac", 14, "A♣ is dealt twice"),
    ("Upcard: 7d\n", "", 18, 'expected the header "Upcard: …"'),
    ("Upcard: 7d", "Upcard:", 15, "expected one upcard"),
    ("Upcard: 7d", "Upcard: 7d 8d", 15, "expected one upcard"),
    ("Upcard: 7d", "Upcard: seven of diamonds", 15, "is neither a rank"),
    ("Upcard: 7d", "Upcard: Jd", 15, "J♦ is dealt twice"),
    ("Upcard: 7d", "Upcard: 8d", 20, 'expected take 8d, the card on the pile'),
    ("Stock: 9c 9d", "Stock: 9c 9c", 16, "9♣ is there twice"),
    ("Stock: 9c 9d", "Stock: 9c 2c", 16, "2♣ is dealt twice"),
    ("Stock: 9c 9d", "Stock: 9c, 9d; 9q", 16, "lacks its suit"),
    ("Stock: 9c 9d 9s 4d 4h 4s 5c", "Stock: 9c", 26, "a stock that is told far enough"),
    ("Stock: 9c 9d 9s 4d 4h 4s 5c", "Stock:", 23, "a stock that is told far enough"),
    ("Stock: 9c 9d 9s 4d 4h 4s 5c", "Stock: " + " ".join(r + s for s in "cdhs" for r in "A23456789TJQK"), 16,
     "each card once: A♣ is dealt twice"),
    ("Stock: 9c 9d 9s 4d 4h 4s 5c", "Stock: 9d 9c", 23, "not the next card of the stock"),
    ("Stock: 9c", "Out of play: 7d\nStock: 9c", 16, "7♦ is dealt twice"),
    ("Stock: 9c", "Out of play: " + " ".join(r + "c" for r in "5679JQ") + " " + " ".join(r + "d" for r in "A2345689T")
     + " " + " ".join(r + "h" for r in "45678TJQK") + " As 2s 3s 4s 5s\nStock: 9c", 16, "7♥ is dealt twice"),
    ("Source: A kitchen table", "Source: A\nSource: B", 18, 'header "Source" is there twice'),
    ("Source: A kitchen table", "Seat: South", 14, "expected only what South knew"),
    # Turns.
    ("1. South: take 7d !", "South: take 7d !", 20, 'a turn such as "3. South: draw 7h'),
    ("1. South: take 7d !", "1 South: take 7d !", 20, "a turn such as"),
    ("1. South: take 7d !", "1. take 7d !", 20, "expected South or North"),
    ("1. South: take 7d !", "1. South take 7d !", 20, 'expected ":" after South'),
    ("1. South: take 7d !", "1. West: take 7d !", 20, 'found "West"; expected South or North'),
    ("1. South: take 7d !", "1. North: take 7d !", 20, "expected South, who is on turn"),
    ("1. South: take 7d !", "2. South: take 7d !", 20, 'found "2."; expected "1."'),
    ("1. South: take 7d !", "0. South: take 7d !", 20, 'expected "1."'),
    ("1. South: take 7d !", "1000000. South: take 7d !", 20, "at most five digits"),
    ("1. South: take 7d !", "1. South:", 20, "what South did: pass, take, draw"),
    ("1. South: take 7d !", "1. South: !", 20, "what South did"),
    ("1. South: take 7d !", "1. South: , take 7d !", 20, "what South did"),
    ("1. South: take 7d !", "1. South: takes 7d !", 20, 'found "takes"; expected what South did'),
    ("1. South: take 7d !", "1. South: take 7d !!!", 20, "a move, a comment in braces"),
    ("1. South: take 7d !", "1. South: take 7d ! ?", 20, "a turn such as"),
    ("1. South: take 7d !", "1. South: take 8d !", 20, "expected take 7d, the card on the pile"),
    ("1. South: take 7d !", "1. South: take 7x !", 20, "a card such as 7h"),
    ("1. South: take 7d !", "1. South: take 7d8d !", 20, "expected one card"),
    ("1. South: take 7d !", "1. South: take 7d, take 7d !", 20, "You have your card for this turn"),
    ("1. South: take 7d !", "1. South: draw 9c !", 20, "First take the upcard or pass"),
    ("1. South: take 7d !", "1. South: discard 8s !", 20, "Take the upcard or pass first"),
    ("1. South: take 7d !", "1. South: settle / 8s !", 20, "Nobody has knocked yet"),
    ("1. South: take 7d !", "1. South: lay 8s on 9s9h9c", 20, "Nobody has knocked yet"),
    ("1. South: take 7d !", "1. South: take 7d ! {open", 20, "found an open comment"),
    ("1. South: take 7d !", "1. South: take 7d ! {a} {b}", 20, "a turn such as"),
    ("1. South: take 7d !", "1. South: take 7d ! }", 20, "a move, a comment in braces"),
    ("{South needs a third seven.}", "{South needs", 19, "an open comment"),
    # Side lines.
    ("( 1. South: pass ??", "1. South: pass ??", 23, "a turn such as"),
    ("( 1. South: pass ??", "( )", 21, "a side line with at least one move"),
    ("( 1. South: pass ??", "( {only words} )", 21, "a side line with at least one move"),
    ("( 1. South: pass ??", "( 1. North: pass ??", 21, "expected South, who is on turn"),
    ("( 1. South: pass ??", "( 3. South: pass ??", 21, 'found "3."; expected "1."'),
    ("( 1. South: pass ??", "( pass ??", 21, "a turn such as"),
    ("( 1. South: pass ??", "(( 1. South: pass ??", 21, "a turn such as"),
    ("3. South: draw 9c, discard 9c )", "3. South: draw 9c, discard 9c", 29, 'a ")" that ends the side line'),
    ("3. South: draw 9c, discard 9c )", "3. South: draw 9c, discard 9c ))", 23, "a turn such as"),
    ("3. South: draw 9c, discard 9c )", "3. South: draw 9d, discard 9c )", 23, "not the next card of the stock"),
    ("3. South: draw 9c, discard 9c )", "3. South: take 7d )", 23, "Both sides passed the upcard"),
    ("3. South: draw 9c, discard 9c )", "3. South: draw 9c, discard Kc )", 23, "K♣ is not in your hand"),
    ("3. South: draw 9c, discard 9c )", "4. South: draw 9c )", 23, 'found "4."; expected "3."'),
    # Discards.
    ("1. South: discard 8s", "1. South: discard", 24, "a card after discard"),
    ("1. South: discard 8s", "1. South: discard 7d", 24, "You took the 7♦ this turn"),
    ("1. South: discard 8s", "1. South: discard Kc", 24, "K♣ is not in your hand"),
    ("1. South: discard 8s", "1. South: discard 8s 9h", 24, "a turn such as"),
    ("1. South: discard 8s", "1. South: discard 8s9h", 24, "expected one card"),
    ("1. South: discard 8s", "1. South: discard the eight", 24, "a card such as 7h"),
    ("1. South: discard 8s", "2. South: discard 8s", 24, 'found "2."; expected "1."'),
    ("1. South: discard 8s", "1. North: discard 8s", 24, "expected South, who is on turn"),
    ("1. South: discard 8s", "1. South: draw 9c", 24, "You have your card for this turn"),
    ("1. South: discard 8s", "1. South: pass", 24, "You have your card for this turn"),
    ("{Too careful.}", "Too careful.", 24, "a turn such as"),
    ("2. North: draw 9c, discard Kc", "2. North: draw 9c discard Kc", 25, "a turn such as"),
    ("2. North: draw 9c, discard Kc", "2. North: draw 9c,, discard Kc", 25, "what North did"),
    ("2. North: draw 9c, discard Kc", "2. North: draw 9c, discard Kc,", 25, "what North did"),
    ("2. North: draw 9c, discard Kc", "2. North: discard Kc", 25, "Draw a card first"),
    ("2. North: draw 9c, discard Kc", "2. North: draw 9c, draw 9d", 25, "You have your card"),
    ("2. North: draw 9c, discard Kc", "2. North: pass", 25, "There is nothing to pass now"),
    ("2. North: draw 9c, discard Kc", "2. North: take 9c", 25, "expected take 8s, the card on the pile"),
    ("2. North: draw 9c, discard Kc", "2. North: draw 9d, discard Kc", 25, "not the next card of the stock"),
    ("2. North: draw 9c, discard Kc", "2. North: draw ??, discard ?? Kc", 25, "a card after discard"),
    ("2. North: draw 9c, discard Kc", "2. North: draw 9c, knock Kc: 8c9cTc Ah2h3h / 4c 6s Js Qs", 25,
     "You would show 30, and the limit is 10"),
    ("2. North: draw 9c, discard Kc", "2. North: draw 9c, big gin", 25, "all eleven cards in melds"),
    # Knocks.
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock", 26, "a card after knock"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d:", 26, "melds and loose cards"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d: Ac2c3c 7d7h7s JdQdKd", 26, "9♥ is missing"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h 9h", 26, "each card once"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d: Ac2c3c 7d7h7s JdQdKd / 9d", 26, "9♦ is not yours to show"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d: Ac2c3c 7d7h7s 7s8s9d / 9h", 26, "neither of one rank"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d: Ac2c3c 7d7h7s JdQdKd Kd / 9h", 26, "at least three cards"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d: QcKcAc 7d7h7s JdQdKd / 9h", 26, "not in unbroken order"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d: Ac2c3c 7d7h7s 7d8d9d / 9h", 26, "7♦ cannot lie in two places"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9d: Ac2c3c JdQdKd / 7d 7h 7s 9h", 26, "You would show 30"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 9h: Ac2c3c 7d7h7s JdQdKd / 9h", 26, "9♥ is not yours to show"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock 8s: Ac2c3c 7d7h7s JdQdKd / 9h", 26, "8♠ is not in your hand"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock unknown: Ac2c3c 7d7h7s JdQdKd / 9h", 26, "Choose the card"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "gin 9d: Ac2c3c 7d7h7s JdQdKd / 9h", 26, "a knock, for cards are loose"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "big: Ac2c3c", 26, 'expected "big gin"'),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "big gin: Ac2c3c 7d7h7s JdQdKd / 9h 9d", 26, "all eleven cards in melds"),
    ("knock 9d: Ac2c3c 7d7h7s JdQdKd / 9h", "knock Ac", 26, "You would show"),
    # Lay-offs and the settlement.
    ("4. North: lay 4c on Ac2c3c", "4. North: lay 4c", 27, 'expected "on" and a meld'),
    ("4. North: lay 4c on Ac2c3c", "4. North: lay 4c Ac2c3c", 27, 'expected "on" and a meld'),
    ("4. North: lay 4c on Ac2c3c", "4. North: lay on Ac2c3c", 27, "a card such as 7h"),
    ("4. North: lay 4c on Ac2c3c", "4. North: lay 4c on 7d7h7s", 27, "does not fit the set of sevens"),
    ("4. North: lay 4c on Ac2c3c", "4. North: lay 5c on Ac2c3c4c", 27, "5♣ is not in your hand"),
    ("4. North: lay 4c on Ac2c3c", "4. North: lay 4c on Ac2c3c, lay 4c on Ac2c3c4c", 27, "4♣ is not in your hand"),
    ("4. North: lay 4c on Ac2c3c", "4. North: lay 4c on Ac2c3c, lay 6s on Ac2c3c", 27, "does not lie on the table"),
    ("4. North: lay 4c on Ac2c3c", "4. North: lay 4c on 4c5c6c", 27, "does not lie on the table"),
    ("4. North: lay 4c on Ac2c3c", "4. North: lay 4c on Ac", 27, "at least three cards"),
    ("4. North: lay 4c on Ac2c3c", "4. North: draw 9s", 27, "Lay off what fits, then settle"),
    ("4. North: lay 4c on Ac2c3c", "4. South: lay 4c on Ac2c3c", 27, "expected North, who is on turn"),
    ("4. North: lay 4c on Ac2c3c", "4. North: settle / 4c", 27, "is missing"),
    ("4. North: lay 4c on Ac2c3c", "4. North: settle / 4c 8c 9c Tc Ah 2h 3h 6s Js Qs", 27, "not 63"),
    ("4. North: lay 4c on Ac2c3c", "4. North: settle, settle", 27, "nothing more, for the hand is over"),
    ("4. North: lay 4c on Ac2c3c", "4. North: settle\n5. South: pass", 28, "nothing more, for the hand is over"),
    # A hand from one seat.
    ("Seat: South", "Seat: East", 31, "expected South or North"),
    ("Seat: South", "Seat: North", 32, "expected only what North knew"),
    ("Seat: South\n", "", 34, 'expected the header "North holds: …"'),
    ("Seat: South", "Seat: South\nStock: 3c", 32, "expected only what South knew"),
    ("Ac 2d 4d 5d Td", "Ac 2d 4d 5d 9d", 33, "each card once: 9♦ is dealt twice"),
    ("Ac 2d 4d 5d Td", "Ac 2d 4d 5d", 32, "10 cards, not 9"),
    ("3. North: draw, discard Qs", "3. North: draw 7c, discard Qs", 37, "the card is not seen"),
    ("3. North: draw, discard Qs", "3. North: draw, discard Td", 37, "10♦ cannot be in their hand"),
    ("4. South: draw 5s, discard Qd", "4. South: draw, discard Qd", 38, "draw and the card"),
    ("4. South: draw 5s, discard Qd", "4. South: draw Kh, discard Qd", 38, "K♥ cannot come from the stock"),
    ("knock unknown: JcQcKc 4h5h6h7h / 2c 2h As", "knock unknown", 39, "have to be told"),
    ("knock unknown: JcQcKc 4h5h6h7h / 2c 2h As", "knock unknown: JcQcKc 4h5h6h7h / 2c 2h", 39, "ten cards"),
    ("knock unknown: JcQcKc 4h5h6h7h / 2c 2h As", "knock unknown: JcQcKc 4h5h6h7h / 2c 2h Ac", 39, "A♣ cannot be in"),
    ("knock unknown: JcQcKc 4h5h6h7h / 2c 2h As", "knock unknown: JcQcKc 4h5h6h7h / 2c 2h Kd", 39, "You would show 14"),
    ("lay 9h on 4h5h6h7h8h", "lay 9h on 4h5h6h7h", 40, "does not lie on the table"),
]  # fmt: skip


def broken(old: str, new: str) -> str:
    assert old in BASE, old
    return BASE.replace(old, new, 1)


def test_the_base_is_sound() -> None:
    record = loads(BASE)
    assert dumps(record) == BASE
    assert len(CASES) >= 200
    assert len({(old, new) for old, new, _, _ in CASES}) == len(CASES)


@pytest.mark.parametrize(("old", "new", "line", "words"), CASES, ids=range(len(CASES)))
def test_a_broken_record_says_where_and_what(old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(RecordError) as caught:
        loads(broken(old, new))
    error = caught.value
    assert error.line == line
    assert words in str(error)
    rows = broken(old, new).split("\n")
    assert 1 <= error.column <= len(rows[line - 1]) + 1
    assert str(error).startswith(f"line {line}, column {error.column}: found ")
    assert "; expected " in str(error)


def mutated(text: str, random_: random.Random) -> str:
    for _ in range(random_.randint(1, 4)):
        place = random_.randrange(len(text) + 1)
        kind = random_.randrange(9)
        rows = text.split("\n")
        row = random_.randrange(len(rows))
        if kind == 0:
            text = text[:place] + text[place + random_.randint(1, 8) :]
        elif kind == 1:
            text = (
                text[:place]
                + chr(random_.choice([0, 9, 10, 32, 40, 41, 123, 125, 92, 55, 104, 9829, 128169]))
                + text[place:]
            )
        elif kind == 2:
            text = (
                text[:place]
                + random_.choice(["7h", "knock", "( ", " )", "{", "}", ", ", "1. South: ", "??", "\\u("])
                + text[place:]
            )
        elif kind == 3:
            rows.insert(row, random_.choice(rows))
            text = "\n".join(rows)
        elif kind == 4:
            del rows[row]
            text = "\n".join(rows)
        elif kind == 5:
            other = random_.randrange(len(rows))
            rows[row], rows[other] = rows[other], rows[row]
            text = "\n".join(rows)
        elif kind == 6:
            text = text[:place]
        elif kind == 7:
            words = text.split(" ")
            one, other = random_.randrange(len(words)), random_.randrange(len(words))
            words[one], words[other] = words[other], words[one]
            text = " ".join(words)
        else:
            text = text[:place] + text[place:].replace(random_.choice("cdhs"), random_.choice("cdhs"), 1)
        if not text:
            return text
    return text


def test_ten_thousand_mutated_records(times: int) -> None:
    """Each is a legal record that survives, or a clear error; nothing else, and none takes long."""
    random_ = random.Random(9)
    texts = [BASE, *(path.read_text(encoding="utf-8") for path in sorted((DATA / "golden").glob("*.gin")))]
    texts = [text for text in texts if len(text) < 4_000]
    legal = 0
    for number in range(10_000 * times):
        text = mutated(texts[number % len(texts)], random_)
        began = time.process_time()
        try:
            record = loads(text)
        except RecordError as error:
            rows = text.replace("\r\n", "\n").split("\n")
            assert 1 <= error.line <= len(rows)
            assert 1 <= error.column <= len(rows[error.line - 1]) + 1
        else:
            legal += 1
            assert loads(dumps(record)) == record
        assert time.process_time() - began < 5
    assert 300 * times < legal < 9_000 * times


@pytest.mark.parametrize(
    "text",
    [
        BASE.split("1. South")[0] + "( " * 400_000,
        BASE.split("1. South")[0] + "1. South: take 7d " + "( 1. South: pass " * 100_000,
        BASE + "{" * 1_000_000,
        BASE + "\\" * 1_000_000,
        BASE + "1" * 2_000_000,
        BASE + "7h" * 1_000_000,
        BASE + "\n" * 2_000_000 + "x",
        BASE.replace("Title: A", "Title: A" * 300_000),
        BASE.replace("Title:", "Title" * 300_000),
        BASE.replace("{An", "A: b\n" * 200_000 + "{An"),
        BASE.replace("Rule: box_bonus = 20", "Rule: box_bonus = 20\n" * 100_000),
        "gin 1\nRules: Standard\n" + "A" * 1_000_000,
        "gin " + "1" * 1_000_000,
        " " * 2_000_000,
    ],
    ids=range(14),
)
def test_hostile_records_end_soon_in_little_memory(text: str) -> None:
    tracemalloc.start()
    began = time.process_time()
    try:
        with contextlib.suppress(RecordError):
            dumps(loads(text))
        assert tracemalloc.get_traced_memory()[1] < 400_000_000
        assert time.process_time() - began < 30
    finally:
        tracemalloc.stop()


def test_a_record_that_is_too_long_is_not_read() -> None:
    with pytest.raises(RecordError, match=f"at most {MAX_CHARACTERS}"):
        loads(" " * (MAX_CHARACTERS + 1))
