"""Facts about press as values for templates; all wording of press is here."""
