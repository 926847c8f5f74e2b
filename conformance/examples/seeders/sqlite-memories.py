"""Puts the corpus of memories into a SQLite database: `sqlite-memories.py DATABASE`.

The suite says where the corpora are in $CORPUS. Times become microseconds since 1970, so that they sort as instants; their text stays
beside them. A search over text goes through an FTS5 table.
"""

import json
import os
import sqlite3
import sys
from datetime import datetime, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

TABLES = """
DROP TABLE IF EXISTS memories;
DROP TABLE IF EXISTS entries;
DROP TABLE IF EXISTS contexts;
DROP TABLE IF EXISTS entries_text;
CREATE TABLE memories (memory_id TEXT PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE entries (
    entry_id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories, created_us INTEGER NOT NULL,
    creation_time TEXT NOT NULL, summary TEXT NOT NULL, raw_entry TEXT NOT NULL);
CREATE TABLE contexts (
    context_id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories, created_us INTEGER NOT NULL,
    timestamp TEXT NOT NULL, context TEXT NOT NULL);
CREATE VIRTUAL TABLE entries_text USING fts5 (summary, raw_entry, content = entries, content_rowid = rowid);
"""


def documents(name):
    """The objects of a file of the corpus."""
    with open(os.path.join(os.environ["CORPUS"], "memory", "corpus", name), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def microseconds(time):
    """An instant of RFC 3339. Python before 3.11 knows no `Z`."""
    return (datetime.fromisoformat(time.replace("Z", "+00:00")) - EPOCH) // (EPOCH.resolution)


def main(database_file):
    """Everything in the place of what was there."""
    database = sqlite3.connect(database_file)
    database.executescript(TABLES)
    with database:
        for one in documents("memories.ndjson"):
            database.execute("INSERT INTO memories VALUES (?, ?)", (one["memoryId"], one["title"]))
        for one in documents("entries.ndjson"):
            time = one["creationTime"]
            row = (one["entryId"], one["memoryId"], microseconds(time), time, one["summary"], one["rawEntry"])
            database.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", row)
        for one in documents("contexts.ndjson"):
            time = one["timestamp"]
            row = (one["contextId"], one["memoryId"], microseconds(time), time, one["context"])
            database.execute("INSERT INTO contexts VALUES (?, ?, ?, ?, ?)", row)
        database.execute("INSERT INTO entries_text (entries_text) VALUES ('rebuild')")
    for table in ("memories", "entries", "contexts"):
        (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()
        print(f"{table}: {count}")
    database.close()


if __name__ == "__main__":
    main(sys.argv[1])
