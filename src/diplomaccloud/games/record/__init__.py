"""The game's record, its receipts, and the pages that show them."""
