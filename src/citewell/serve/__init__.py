"""The services: answers with their evidence over HTTP, to programs, people and other clients, and over MCP."""
