"""Finds the bug with the official Python SDK 2, in the era named first."""

import asyncio
import json
import os
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def main(mode):
    server = stdio_client(StdioServerParameters(command="aidb-mcp", args=["serve", "--replies", "both"], env=dict(os.environ)))
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("session_start", {"target": "."})
        print(json.dumps({
            "era": client.protocol_version,
            "tools": [tool.name for tool in tools],
            "failed": result.is_error,
            "shown": [block.text for block in result.content],
            "structured": result.structured_content,
        }))


asyncio.run(main(sys.argv[1]))
