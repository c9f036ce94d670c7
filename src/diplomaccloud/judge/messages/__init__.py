"""What the judge has to say: message keys with typed parameters, and their English sentences."""
