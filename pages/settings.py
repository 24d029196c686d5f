"""Settings: who you are, how the table looks and how fast it plays."""

import streamlit as st

from tutor.app import coached, state, widgets

kept = state.settings()
st.header("Settings")

st.subheader("Table")
decks = {"four": "Four colours", "two": "Two colours"}
deck = st.radio("Deck", list(decks), index=list(decks).index(kept["deck"]), format_func=decks.get, horizontal=True)
pace = st.radio("Opponent's pace", list(state.PACES), index=list(state.PACES).index(kept["pace"]), horizontal=True)
sizes = ["small", "normal", "large"]
size = st.radio("Card size", sizes, sizes.index(kept["size"]), horizontal=True)
sorts = {"rank": "by rank", "suit": "by suit", "melds": "by melds"}
sort = st.radio(
    "A new hand is sorted", list(sorts), list(sorts).index(kept["sort"]), format_func=sorts.get, horizontal=True
)
st.markdown(":gray[After that nothing moves by itself; the Sort button is on the table.]")
confirm = st.toggle("Ask before a knock", value=kept["confirm"])
still = st.toggle("No animations", value=kept["still"])

st.subheader("Coach")
levels = list(coached.LEVELS)
level = st.radio("You are", levels, levels.index(kept["level"]), format_func=str.capitalize, horizontal=True)
st.markdown(":gray[A beginner hears of the one move that cost most; the words for bad moves come later.]")
modes = list(coached.MODES)
coach = st.radio("The coach", modes, modes.index(kept["coach"]), format_func=coached.MODES.get, horizontal=True)
grades = {"blunder": "blunders", "mistake": "mistakes and worse", "inaccuracy": "inaccuracies and worse"}
warn_from = st.radio(
    "It warns of", list(grades), list(grades).index(kept["warn_from"]), format_func=grades.get, horizontal=True
)
changes = {
    "level": level,
    "coach": coach,
    "warn_from": warn_from,
    "deck": deck,
    "pace": pace,
    "confirm": confirm,
    "still": still,
    "size": size,
    "sort": sort,
}
changed = {key: value for key, value in changes.items() if kept[key] != value}
if changed:
    state.save(**changed)

st.subheader("Who plays here")
me = state.profile()
names = list(state.library().profile_names())
st.markdown(f"You play as **{me.name}**. Profiles have no password: they keep games apart, not secret.")
other = st.selectbox("Play as", names, index=names.index(me.name))
name = st.text_input("Or as someone new", max_chars=40).strip()
if st.button("Change player", disabled=not name and other == me.name):
    state.play_as(name or other)
    st.rerun()

st.subheader("Keys at the table")
st.markdown(
    "Arrow keys walk along the hand, Enter selects a card, Shift and an arrow key move it. "
    "**d** draw, **t** take, **p** pass, **x** discard, **k** knock, **b** big gin, **l** lay off, **e** settle, "
    "**n** next hand, **u** take back, **g** go on, **1 2 3** sort by rank, suit, melds. "
    "They work while the table has the focus."
)

st.subheader("Engine")
widgets.engine_line()
