"""The next games: those that the site opens, one for each template, and their musters."""
