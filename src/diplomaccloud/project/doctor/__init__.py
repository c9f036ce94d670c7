"""`diplomaccloud doctor`: finds problems of a site, and suggests fixes in plain sentences."""
