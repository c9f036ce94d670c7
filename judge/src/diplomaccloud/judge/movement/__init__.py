"""The general resolver, which decides moves, supports and convoys under every rule set."""
