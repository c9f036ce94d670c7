"""Proposals: terms offered in a message, the answers, and the deals."""
