"""Translates boards, positions, orders and results to and from tokens."""
