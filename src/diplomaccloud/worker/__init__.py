"""The worker that processes due phases."""
