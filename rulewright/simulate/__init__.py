"""Many games between bots → a table with one row for each game, and what the table says.

The same seed gives the same table whatever the number of jobs; each game has a seed of its own, written beside it.
"""

from __future__ import annotations

from rulewright.simulate.plan import Plan, PlanError, make_plan
from rulewright.simulate.run import Crowd
from rulewright.simulate.summary import Summary

__all__ = ["Crowd", "Plan", "PlanError", "Summary", "make_plan"]
