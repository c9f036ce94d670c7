"""Legal orders: the orders that each unit may be given, and the meaning of a written order."""
