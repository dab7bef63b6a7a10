"""What assistants call: the engine and the facts as an MCP server over stdio. See README.md."""
