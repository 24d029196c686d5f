"""The launcher: ``streamlit run app.py`` serves the same app as the command ``gin-tutor``."""

from tutor.app.server import make_app

app = make_app()
