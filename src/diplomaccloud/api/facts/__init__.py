"""Answers filled from what a viewpoint says, without a query or a rule of their own."""
