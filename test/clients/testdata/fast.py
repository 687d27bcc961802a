"""Finds the bug with FastMCP's client, configured as people configure it."""

import asyncio
import json
import os

from fastmcp import Client

config = {"mcpServers": {"aidb": {"command": "aidb-mcp", "args": ["serve", "--replies", "both"], "env": dict(os.environ), "cwd": os.getcwd()}}}


logged = []  # what the server logs; by itself the client would write it to standard error


async def log(message):
    logged.append(message.data["event"])


async def main():
    async with Client(config, log_handler=log) as client:
        tools = await client.list_tools()
        result = await client.call_tool("session_start", {"target": "."})
        print(json.dumps({
            "tools": [tool.name for tool in tools],
            "failed": result.is_error,
            "shown": [block.text for block in result.content],
            "structured": result.structured_content,
            "logged": logged,
        }))


asyncio.run(main())
