"""Answers built from viewpoints, without queries or rules of their own."""
