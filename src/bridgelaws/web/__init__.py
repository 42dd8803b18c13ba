"""The law over HTTP: the API of version 1, and a place for pages. Extra `web`."""
