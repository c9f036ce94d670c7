"""Orders: saving them, drafts, conditional orders, and the orders of bots."""
