"""The services: answers with their evidence over HTTP, for programs, people and other clients, and over MCP."""
