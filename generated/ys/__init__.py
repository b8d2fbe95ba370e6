"""Engines of Ys: generated, do not edit."""
