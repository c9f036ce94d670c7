"""How pages write dates and times, as `date:"DATE_FORMAT"` in a template; Django looks here."""
