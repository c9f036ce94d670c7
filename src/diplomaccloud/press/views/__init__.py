"""Short views of press: read the request, act or load data, and present the result."""
