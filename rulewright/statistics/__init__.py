"""Figures of games → how sure one can be of them: means, tests that may be looked at while they run, ratings."""
