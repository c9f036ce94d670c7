"""JSON for boards, positions, orders, results and rule sets; reading checks every part."""
