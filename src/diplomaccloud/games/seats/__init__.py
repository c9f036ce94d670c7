"""Taking, leaving and replacing: who holds which country."""
