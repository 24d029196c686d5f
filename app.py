"""The launcher: ``streamlit run app.py`` serves the same app as the command ``gin-tutor``."""

import streamlit as st

from tutor.app.server import SCRIPT, around

# Streamlit reads this file and looks for just this call; behind a function of our own it would not find the app.
app = st.App(SCRIPT, **around())
