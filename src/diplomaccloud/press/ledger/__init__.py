"""The ledger: who kept which deal."""
