"""The rules of Diplomacy: frozen values, no clock, standard library only."""
