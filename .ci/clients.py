"""What the official Python client gets of a server: everything that it is told, as JSON."""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


async def received(streams):
    told = []

    async def receive(answer):
        try:
            told.append((await answer).model_dump(mode="json"))
        except Exception as error:
            told.append(repr(error))

    async with ClientSession(streams[0], streams[1]) as session:
        await receive(session.initialize())
        tools = await session.list_tools()
        told.append(tools.model_dump(mode="json"))
        for given in [{"memory_id": "m1", "query": "tea"}, {"memory_id": "m1"}, {"query": 5}]:
            for tool in tools.tools:
                await receive(session.call_tool(tool.name, given))
        await receive(session.call_tool("nothing", {}))
    return told


async def main(kind, *words):
    if kind == "http":
        client = streamable_http_client(words[0])
    else:
        server = StdioServerParameters(command=words[0], args=list(words[1:]))
        client = stdio_client(server, errlog=open(os.devnull, "w"))
    async with client as streams:
        told = await received(streams)
    print(json.dumps(told, indent=1))


asyncio.run(main(*sys.argv[1:]))
