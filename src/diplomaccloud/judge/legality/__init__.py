"""Legal orders: what each unit may be ordered, and what a written order means."""
