"""The date and time formats of templates, such as `date:"DATE_FORMAT"`; Django looks here."""
