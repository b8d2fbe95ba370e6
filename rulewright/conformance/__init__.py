"""Scenarios and coverage: how far a spec says what the rulebook says, measured."""
