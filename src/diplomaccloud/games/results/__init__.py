"""Phases of the past: results, explanations, the ending."""
