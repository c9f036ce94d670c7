"""Reasons: why each order succeeded or failed, as trees of causes with the rules that apply."""
