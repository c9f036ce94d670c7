"""JSON of boards, positions, orders, results and rule sets; every part is checked as it is read."""
