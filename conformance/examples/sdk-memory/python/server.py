"""Search over memories with the Python SDK: `server.py FOLDER [--port PORT]`.

On standard input and output, or with a port over streamable HTTP.
"""

import argparse
import json
from datetime import datetime
from pathlib import Path
from typing import Annotated

from mcp.server import MCPServer
from pydantic import BaseModel, Field

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=Path)
parser.add_argument("--port", type=int)
options = parser.parse_args()


class Entry(BaseModel):
    memoryId: str
    entryId: str
    creationTime: str
    summary: str
    rawEntry: str
    score: int = 0


class Context(BaseModel):
    memoryId: str
    contextId: str
    timestamp: str
    context: str
    score: int = 0


class Answer(BaseModel):
    entries: list[Entry]
    count: int
    latestContext: str
    latestContextTimestamp: str | None
    contexts: list[Context]


def read(kind, name):
    """The objects of a file of JSON lines. A line ends with a newline alone: texts may hold other ends of lines."""
    text = (options.folder / name).read_text(encoding="utf-8")
    return [kind(**json.loads(line)) for line in text.split("\n") if line]


ENTRIES = read(Entry, "entries.ndjson")
CONTEXTS = read(Context, "contexts.ndjson")


def best(items, query, most, text, time):
    """Items that contain words of the query, the best first; the newer of two that are equally good."""
    words = query.lower().split()
    scored = [item.model_copy(update={"score": sum(text(item).lower().count(word) for word in words)}) for item in items]
    found = [item for item in scored if item.score > 0]
    found.sort(key=lambda item: (item.score, datetime.fromisoformat(time(item))), reverse=True)
    return found[:most]


DESCRIPTION = """\
Searches one memory for entries and contexts that contain words of a query.

memory_id and query are required. top_ke is the most entries to return: default 5, range 0 to 10; 0 returns contexts only. \
top_kc is the most contexts to return: default 2, range 1 to 3.

The answer always has these fields: entries (each with summary, rawEntry, score and creationTime), count (the number of \
entries), latestContext (the text of the newest context, whatever the query), latestContextTimestamp (its time), and contexts \
(each with context, timestamp and score).

Entries and contexts are sorted by relevance score, descending. Their timestamps show how the memory changed: where two \
results contradict each other, the newer one usually holds."""

server = MCPServer("sdk-memory-python", version="0.1.0", log_level="WARNING")


# Whole numbers are strict, since pydantic otherwise reads "3" and true as numbers too.
@server.tool(title="Search memories", description=DESCRIPTION)
def search_memories(
    memory_id: Annotated[str, Field(min_length=1, description="The memory to search.")],
    query: Annotated[str, Field(pattern=r"\S", description="What to look for.")],
    top_ke: Annotated[
        int, Field(ge=0, le=10, strict=True, description="How many entries to return at most; 0 returns contexts only.")
    ] = 5,
    top_kc: Annotated[int, Field(ge=1, le=3, strict=True, description="How many contexts to return at most.")] = 2,
) -> Answer:
    own = [context for context in CONTEXTS if context.memoryId == memory_id]
    newest = max(own, key=lambda context: datetime.fromisoformat(context.timestamp), default=None)
    entries = best(
        [entry for entry in ENTRIES if entry.memoryId == memory_id],
        query,
        top_ke,
        lambda entry: f"{entry.summary}\n{entry.rawEntry}",
        lambda entry: entry.creationTime,
    )
    return Answer(
        entries=entries,
        count=len(entries),
        latestContext=newest.context if newest else "",
        latestContextTimestamp=newest.timestamp if newest else None,
        contexts=best(own, query, top_kc, lambda context: context.context, lambda context: context.timestamp),
    )


if options.port is None:
    server.run("stdio")
else:
    server.run("streamable-http", host="127.0.0.1", port=options.port)
