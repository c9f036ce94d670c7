"""Press facts as template values. All wording of press is here."""
