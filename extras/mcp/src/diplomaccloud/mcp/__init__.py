"""Tools for language models to play on a site, over the Model Context Protocol.

`tools` has one function for each tool, words the answers, and offers them on a server.
They call the HTTP API with the caller's token. Text by other players is marked as theirs.
`docs/mcp.md` is the guide.

Answers have less than 2,000 tokens. For a refused order, the answer names the nearest legal one,
but never gives it. One tool for each operation would fill a model's context before it has read the
board.
"""
