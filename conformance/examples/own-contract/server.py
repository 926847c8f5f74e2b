"""The handbook of a workshop as an MCP server with the tools `search` and `fetch`: `server.py DOCUMENTS.ndjson`.

It speaks JSON-RPC on its standard streams, one message a line, and needs the standard library alone.
"""

import json
import re
import sys

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
MOST_RESULTS = 10


class Refused(Exception):
    """Arguments that make no sense to a tool."""


class Fault(Exception):
    """A message that is answered with a JSON-RPC error: its code and its text."""


def argument(name, description):
    """The input schema of a tool with one argument, a text."""
    properties = {name: {"type": "string", "description": description}}
    return {"type": "object", "properties": properties, "required": [name], "additionalProperties": False}


def words(text):
    """The words of a text, in small letters."""
    return re.findall(r"\w+", text.lower())


class Handbook:
    """The documents, and the two tools over them."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            self.documents = [json.loads(line) for line in lines]

    def tools(self):
        return [
            {
                "name": "search",
                "description": "Finds pages of the workshop's handbook.",
                "inputSchema": argument("query", "Words to look for."),
            },
            {
                "name": "fetch",
                "description": "Reads one page of the handbook.",
                "inputSchema": argument("id", "The id of a result."),
            },
        ]

    def search(self, query):
        """The documents that hold some word of the query, those with most of its words first; a word of a title counts twice."""
        wanted, found = set(words(query)), []
        for document in self.documents:
            score = len(wanted & set(words(document["text"]))) + 2 * len(wanted & set(words(document["title"])))
            if score:
                found.append((score, document))
        found.sort(key=lambda one: -one[0])
        return {"results": [self.result(document) for _, document in found[:MOST_RESULTS]]}

    def result(self, document):
        return {key: document[key] for key in ("id", "title", "url")}

    def fetch(self, id):
        for document in self.documents:
            if document["id"] == id:
                return document
        raise Refused(f"no document has the id {id!r}")

    def call(self, name, given):
        """The answer of a tool as the result of an MCP call."""
        tool = next((tool for tool in self.tools() if tool["name"] == name), None)
        if tool is None:
            raise Fault(INVALID_PARAMS, f"there is no tool {name!r}")
        try:
            (expected,) = tool["inputSchema"]["required"]
            if set(given) != {expected} or not isinstance(given[expected], str):
                raise Refused(f"{name} takes one argument, {expected}, a text")
            answer = getattr(self, name)(given[expected])
        except Refused as refused:
            return {"content": [{"type": "text", "text": str(refused)}], "isError": True}
        return self.shown(answer)

    def shown(self, answer):
        return {"content": [{"type": "text", "text": json.dumps(answer, ensure_ascii=False)}], "structuredContent": answer}

    def answer(self, method, params):
        """The result of a request."""
        if method == "initialize":
            asked = params.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "handbook", "version": "1.0.0"},
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return {"tools": self.tools()}
        if method == "tools/call":
            given = params.get("arguments", {})
            if not isinstance(params.get("name"), str) or not isinstance(given, dict):
                raise Fault(INVALID_PARAMS, "a call has a name and arguments")
            return self.call(params["name"], given)
        raise Fault(METHOD_NOT_FOUND, f"there is no method {method!r}")


def reply(handbook, line):
    """The response to a line; nothing to a notification."""
    try:
        message = json.loads(line)
    except ValueError as error:
        return {"jsonrpc": "2.0", "id": None, "error": {"code": PARSE_ERROR, "message": str(error)}}
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return {"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_REQUEST, "message": "that is no request"}}
    if "id" not in message:
        return None
    response = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        params = message.get("params", {})
        response["result"] = handbook.answer(message["method"], params if isinstance(params, dict) else {})
    except Fault as fault:
        code, text = fault.args
        response["error"] = {"code": code, "message": text}
    return response


def serve(handbook):
    """Answers each line of standard input until it ends."""
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        response = reply(handbook, line)
        if response is not None:
            print(json.dumps(response, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    serve(Handbook(sys.argv[1]))
