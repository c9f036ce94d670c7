"""The standard map of Europe and its setups for two to seven players."""
