"""Games: seats, phases, orders, deadlines, and what each viewer may see of them."""
