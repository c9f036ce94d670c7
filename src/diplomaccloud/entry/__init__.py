"""What players enter for a phase: orders as choices and text, and votes. Values without Django."""
