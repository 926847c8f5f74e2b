"""Puts a corpus of frames into a SQLite table: `seed.py DATABASE FRAMES.ndjson`. Needs the standard library alone."""

import json
import sqlite3
import sys

FIELDS = ("frame_id", "timestamp", "app_name", "window_name", "browser_url", "focused", "ocr_text")

database_file, corpus = sys.argv[1:]
with open(corpus, encoding="utf-8") as lines:
    frames = [json.loads(line) for line in lines]

database = sqlite3.connect(database_file)
with database:
    # In one transaction, in the place of what was there: who asks meanwhile sees the old frames or the new ones.
    database.execute("BEGIN")
    database.execute("DROP TABLE IF EXISTS frames")
    database.execute(
        "CREATE TABLE frames (frame_id INTEGER PRIMARY KEY, timestamp REAL NOT NULL, app_name TEXT NOT NULL,"
        " window_name TEXT NOT NULL, browser_url TEXT, focused INTEGER, ocr_text TEXT NOT NULL)"
    )
    database.execute("CREATE INDEX frames_by_time ON frames (timestamp)")
    marks = ", ".join("?" for _ in FIELDS)
    database.executemany(
        f"INSERT INTO frames VALUES ({marks})", [[frame[field] for field in FIELDS] for frame in frames]
    )
database.close()
print(f"{len(frames)} frames")
