"""English, the only language of the site."""
