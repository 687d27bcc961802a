"""Finds the bug with FastMCP's client, configured as people configure it."""

import asyncio
import json
import os

from fastmcp import Client

config = {"mcpServers": {"aidb": {"command": "aidb-mcp", "args": ["serve"], "env": dict(os.environ), "cwd": os.getcwd()}}}


async def main():
    async with Client(config) as client:
        tools = await client.list_tools()
        result = await client.call_tool("session_start", {"target": "."})
        print(json.dumps({
            "tools": [tool.name for tool in tools],
            "failed": result.is_error,
            "shown": [block.text for block in result.content],
            "structured": result.structured_content,
        }))


asyncio.run(main())
