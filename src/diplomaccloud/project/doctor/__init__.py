"""`diplomaccloud doctor`: what is wrong with a site, in plain sentences with what to do."""
