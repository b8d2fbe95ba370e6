"""Engines of Yspahan: generated, do not edit."""
