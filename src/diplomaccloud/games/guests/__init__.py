"""People who play before they have an account."""
