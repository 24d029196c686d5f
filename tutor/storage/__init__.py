"""What is remembered: profiles, games, every action, imported records."""
