"""Cases: who judges them, what the judge sees, and what a decision does."""
