"""What all rooms of press share. It knows no feature."""
