"""The notice pages: requests in, pages and redirects out."""
