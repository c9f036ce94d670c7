"""Bots that offer, answer and explain deals."""
