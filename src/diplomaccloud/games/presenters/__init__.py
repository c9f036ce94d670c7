"""Facts of `viewpoint` turned into frozen values for the templates, with all their wording."""
