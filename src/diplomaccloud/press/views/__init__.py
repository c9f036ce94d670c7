"""Short views of press: read the request, act or read, present."""
