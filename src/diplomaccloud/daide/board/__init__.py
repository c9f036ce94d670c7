"""Boards, positions, orders and results as tokens, and back."""
