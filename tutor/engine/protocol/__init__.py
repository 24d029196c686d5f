"""Playing over a line of text: docs/PROTOCOL.md as code, without any input or output of its own."""

from tutor.engine.protocol.session import PROTOCOL, Session, answer, hello

__all__ = ["PROTOCOL", "Session", "answer", "hello"]
