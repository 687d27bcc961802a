"""Has Google's SDK make functions of the tools, and calls for a scripted Gemini."""

import asyncio
import json
import os

from google import genai
from google.genai import types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    server = StdioServerParameters(command="aidb-mcp", args=["serve"], env=dict(os.environ))
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            gemini = genai.Client(api_key="scripted", http_options=types.HttpOptions(base_url=os.environ["MODEL"]))
            # The tools themselves, not the session: this version cannot copy one.
            config = types.GenerateContentConfig(
                tools=(await session.list_tools()).tools,
                automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            )
            said = [types.UserContent("Find the bug.")]
            reply = gemini.models.generate_content(model="gemini-2.5-pro", contents=said, config=config)
            call = reply.function_calls[0]
            result = await session.call_tool(call.name, call.args)
            shown = types.Part.from_function_response(name=call.name, response={"output": result.content[0].text})
            said += [reply.candidates[0].content, types.UserContent(shown)]
            reply = gemini.models.generate_content(model="gemini-2.5-pro", contents=said, config=config)
            print(json.dumps({"said": reply.text}))


asyncio.run(main())
