"""Rulewright: board-game rules as source code."""
