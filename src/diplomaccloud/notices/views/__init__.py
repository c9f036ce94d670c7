"""The pages of notices: requests in, pages and redirects out."""
