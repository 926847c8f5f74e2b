"""The same server with one fault in it: `faulty.py FAULT DOCUMENTS.ndjson`. `faulty.py --list` names the faults."""

import json
import sys

sys.dont_write_bytecode = True  # The folder stays as it is.
import server  # noqa: E402


def changed(answer):
    """A copy, to be changed."""
    return json.loads(json.dumps(answer))


def of_results(change):
    """A fault of each result."""

    class Faulty(server.Handbook):
        def result(self, document):
            return change(super().result(document))

    return Faulty


def of_search(change):
    """A fault of what a search answers."""

    class Faulty(server.Handbook):
        def search(self, query):
            return change(super().search(query))

    return Faulty


def of_fetch(change):
    """A fault of what a fetch answers."""

    class Faulty(server.Handbook):
        def fetch(self, id):
            return change(changed(super().fetch(id)))

    return Faulty


def of_shown(change):
    """A fault of how an answer is sent."""

    class Faulty(server.Handbook):
        def shown(self, answer):
            return change(super().shown(answer))

    return Faulty


def of_tools(change):
    """A fault of the list of tools."""

    class Faulty(server.Handbook):
        def tools(self):
            return change(super().tools())

    return Faulty


def without(key):
    return lambda object: {name: value for name, value in object.items() if name != key}


def with_(**more):
    return lambda object: {**object, **more}


class NoTitles(server.Handbook):
    """Searches texts alone."""

    def search(self, query):
        wanted = set(server.words(query))
        found = [one for one in self.documents if wanted and wanted <= set(server.words(one["text"]))]
        return {"results": [self.result(document) for document in found]}


class NothingIsAnError(server.Handbook):
    """Refuses a search that finds nothing."""

    def search(self, query):
        answer = super().search(query)
        if not answer["results"]:
            raise server.Refused("nothing was found")
        return answer


class NextDocument(server.Handbook):
    """Reads the page behind the one that was asked for."""

    def fetch(self, id):
        at = self.documents.index(super().fetch(id))
        return self.documents[(at + 1) % len(self.documents)]


class SomeDocuments(server.Handbook):
    """Finds more than it can read."""

    def fetch(self, id):
        if id.startswith("t"):
            raise server.Refused(f"no document has the id {id!r}")
        return super().fetch(id)


def renamed(tools):
    return [{**tool, "name": "read" if tool["name"] == "fetch" else tool["name"]} for tool in tools]


def with_limit(tools):
    tools[0]["inputSchema"]["properties"]["limit"] = {"type": "integer"}
    return tools


def list_alone(shown):
    answer = shown["structuredContent"]
    return sent(answer["results"]) if "results" in answer else shown


def sent(value):
    """A list as text. Structured content is always an object, so that there is none."""
    return {"content": [{"type": "text", "text": json.dumps(value, ensure_ascii=False)}]}


FAULTS = {
    "list-alone": of_shown(list_alone),
    "another-key": of_search(lambda answer: {"items": answer["results"]}),
    "count-beside": of_search(lambda answer: {**answer, "total": len(answer["results"])}),
    "no-result-id": of_results(without("id")),
    "number-as-id": of_results(with_(id=7)),
    "results-twice": of_search(lambda answer: {"results": answer["results"] * 2}),
    "no-result-title": of_results(without("title")),
    "no-result-url": of_results(without("url")),
    "path-as-url": of_results(with_(url="/handbook")),
    "no-titles": NoTitles,
    "nothing-is-an-error": NothingIsAnError,
    "next-document": NextDocument,
    "some-documents": SomeDocuments,
    "no-text": of_fetch(without("text")),
    "text-cut": of_fetch(lambda document: {**document, "text": document["text"][:80]}),
    "no-title": of_fetch(without("title")),
    "no-url": of_fetch(without("url")),
    "metadata-list": of_fetch(with_(metadata=["handbook"])),
    "two-items": of_shown(lambda shown: {**shown, "content": shown["content"] * 2}),
    "prose": of_shown(lambda shown: {**shown, "content": [{"type": "text", "text": "Here is what I found."}]}),
    "fetch-renamed": of_tools(renamed),
    "second-argument": of_tools(with_limit),
}


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(FAULTS))
    else:
        fault, documents = sys.argv[1:]
        server.serve(FAULTS[fault](documents))
