"""Profiles and the directory of players."""
