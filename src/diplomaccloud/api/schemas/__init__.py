"""What the operations take and answer, by area. Fields are added, never changed."""
