"""The operations: each reads a request, calls an action or a viewpoint, and builds the response."""
