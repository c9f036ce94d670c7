"""Tools with which a language model plays on a site, over the Model Context Protocol.

`tools` has one function for each tool, `texts` words what they answer, and `server` offers them.
They call the HTTP API with the caller's token; what other players wrote is marked as theirs.
`docs/mcp.md` is the guide.
"""
