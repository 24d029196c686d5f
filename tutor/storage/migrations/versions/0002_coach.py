"""What the coach needs: actions held back, marks of help, reviews; where a game that is a second try came from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make them."""
    op.add_column("games", sa.Column("origin", sa.String(40), nullable=False, server_default=""))
    op.create_table(
        "held",
        sa.Column("round_id", sa.Integer, sa.ForeignKey("rounds.id"), primary_key=True),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("taken_back", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "marks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("round_id", sa.Integer, sa.ForeignKey("rounds.id"), nullable=False, index=True),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("round_id", "ply", "kind", "detail"),
    )
    op.create_table(
        "kept_positions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("profile_id", sa.Integer, sa.ForeignKey("profiles.id"), nullable=False, index=True),
        sa.Column("source", sa.String(60), nullable=False),
        sa.Column("position", sa.String(60), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("profile_id", "source", "position", "seat"),
    )
    op.create_table(
        "reviews",
        sa.Column("source", sa.String(60), nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("engine", sa.String(80), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("source", "hand", "seat"),
    )
