"""What has reached a person: for notices, for streams, and for pages kept up to date."""
