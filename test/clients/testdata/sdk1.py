"""Finds the bug with the official Python SDK 1, with ids that no float holds,
and goes while a call is pending."""

import asyncio
import json
import os
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    server = StdioServerParameters(command="aidb-mcp", args=["serve", "--replies", "both"], env=dict(os.environ))
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            era = (await session.initialize()).protocolVersion
            session._request_id = 2**53 + 1  # it counts on from there, and knows no reply by another id
            tools = (await session.list_tools()).tools
            result = await session.call_tool("session_start", {"target": "."})
            print(json.dumps({
                "era": era,
                "tools": [tool.name for tool in tools],
                "failed": result.isError,
                "shown": [block.text for block in result.content],
                "structured": result.structuredContent,
            }), flush=True)
            await session.call_tool("session_start", {"target": os.environ["ENDLESS"], "timeout_ms": 1})
            waiting = asyncio.create_task(session.call_tool("execute", {"action": "wait", "timeout_ms": 60000}))
            await session.list_tools()  # answered after the call was read
            assert not waiting.done(), waiting
            left = time.monotonic()
    waiting.cancel()
    print(json.dumps({"left_in": time.monotonic() - left}))


asyncio.run(main())
