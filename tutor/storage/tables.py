"""The tables as they are now; the migrations lead to them."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

profiles = Table(
    "profiles",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("settings", Text, nullable=False),
    Column("created_at", String(32), nullable=False),
)

browsers = Table(
    "browsers",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("profile_id", Integer, ForeignKey("profiles.id"), nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("profile_id", Integer, ForeignKey("profiles.id"), nullable=False, index=True),
    Column("opponent", String(60), nullable=False),
    Column("rules", Text, nullable=False),
    Column("practice", Boolean, nullable=False),
    Column("first_dealer", Integer, nullable=False),
    Column("finished", Boolean, nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("origin", String(40), nullable=False, server_default=""),
)

rounds = Table(
    "rounds",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", Integer, ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("dealer", Integer, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("hand_order", Text, nullable=False),
    UniqueConstraint("game_id", "number"),
)

actions = Table(
    "actions",
    metadata,
    Column("round_id", Integer, ForeignKey("rounds.id"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", String(32), nullable=False),
    PrimaryKeyConstraint("round_id", "ply"),
)

takebacks = Table(
    "takebacks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("round_id", Integer, ForeignKey("rounds.id"), nullable=False, index=True),
    Column("ply", Integer, nullable=False),
    Column("texts", Text, nullable=False),
    Column("at", String(32), nullable=False),
)

held = Table(
    "held",
    metadata,
    Column("round_id", Integer, ForeignKey("rounds.id"), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("taken_back", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", String(32), nullable=False),
)

marks = Table(
    "marks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("round_id", Integer, ForeignKey("rounds.id"), nullable=False, index=True),
    Column("ply", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("detail", Text, nullable=False),
    Column("at", String(32), nullable=False),
    UniqueConstraint("round_id", "ply", "kind", "detail"),
)

kept_positions = Table(
    "kept_positions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("profile_id", Integer, ForeignKey("profiles.id"), nullable=False, index=True),
    Column("source", String(60), nullable=False),
    Column("position", String(60), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", String(32), nullable=False),
    UniqueConstraint("profile_id", "source", "position", "seat"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("source", String(60), nullable=False),
    Column("hand", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("engine", String(80), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", String(32), nullable=False),
    PrimaryKeyConstraint("source", "hand", "seat"),
)

records = Table(
    "records",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("profile_id", Integer, ForeignKey("profiles.id"), nullable=False, index=True),
    Column("title", String(200), nullable=False),
    Column("text", Text, nullable=False),
    Column("created_at", String(32), nullable=False),
)
