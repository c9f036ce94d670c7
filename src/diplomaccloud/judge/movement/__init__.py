"""The general resolver: decides moves, supports and convoys under every rule set."""
