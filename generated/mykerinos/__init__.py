"""Engines of Mykerinos: generated, do not edit."""
