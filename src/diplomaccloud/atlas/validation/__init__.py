"""Validation of chart files: find all faults and say where each of them is."""
