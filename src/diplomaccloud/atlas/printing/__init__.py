"""Printed sheets as PDF: turns, order slips, posters and their tiles."""
