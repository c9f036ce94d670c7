"""The home page, the page around every other page, and the pages that say what went wrong."""
