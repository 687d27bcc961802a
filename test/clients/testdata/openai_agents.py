"""Has OpenAI's agents SDK convert the tools strictly and call them for a scripted model."""

import asyncio
import json
import os

from agents import Agent, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio
from agents.models.openai_responses import OpenAIResponsesModel
from openai import AsyncOpenAI


async def main():
    set_tracing_disabled(True)
    model = OpenAIResponsesModel("scripted", AsyncOpenAI(base_url=os.environ["MODEL"] + "/v1", api_key="scripted"))
    params = {"command": "aidb-mcp", "args": ["serve"], "env": dict(os.environ), "cwd": os.getcwd()}
    async with MCPServerStdio(params=params, client_session_timeout_seconds=60) as server:
        agent = Agent(name="tester", model=model, mcp_servers=[server], mcp_config={"convert_schemas_to_strict": True})
        result = Runner.run_streamed(agent, "Find the bug.")
        async for _ in result.stream_events():
            pass
        print(json.dumps({"said": result.final_output}))

    # With nothing set it gives up on a call after five seconds.
    params["args"] = ["serve", "--wait", "2s"]
    async with MCPServerStdio(params=params) as server:
        result = await server.call_tool("session_start", {"target": os.environ["ENDLESS"]})
        print(json.dumps({"shown": [block.text for block in result.content]}))


asyncio.run(main())
