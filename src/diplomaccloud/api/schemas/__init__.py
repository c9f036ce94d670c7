"""Request bodies and answers of the operations, by area. Fields are added, never changed."""
