"""What the engine is measured by; clocks come in as arguments."""
