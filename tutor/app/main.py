"""The script that Streamlit runs: navigation over the pages, and what holds for all of them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from tutor.app import state
from tutor.app.server import ROOT
from tutor.storage.database import StorageError

PAGES = {"home": "Home", "play": "Play", "replay": "Replay", "settings": "Settings"}


def main() -> None:
    """Run the page that is asked for, or say why nothing can be kept."""
    st.set_page_config(page_title="Gin Tutor", page_icon=":material/playing_cards:", layout="wide")
    pages = [
        st.Page(
            ROOT / "pages" / f"{name}.py",
            title=title,
            url_path=None if name == "home" else name,
            default=name == "home",
        )
        for name, title in PAGES.items()
    ]
    page = st.navigation(pages, position="top")
    st.logo(str(Path(__file__).with_name("logo.svg")), size="large")
    try:
        state.library()
        page.run()
    except StorageError as error:
        st.header("Gin Tutor cannot keep your games")
        st.write(str(error))


main()
