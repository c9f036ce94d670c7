"""Centers and statistics through the years."""
