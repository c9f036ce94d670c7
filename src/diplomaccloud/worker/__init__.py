"""The worker: processes due phases, runs background tasks and reports its health."""
