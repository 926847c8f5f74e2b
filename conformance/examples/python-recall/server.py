"""Search over screen frames in a SQLite table: `server.py DATABASE PORT`. Needs the standard library alone."""

import json
import math
import re
import sqlite3
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
WHOLE = re.compile(r"\d{1,18}", re.ASCII)
# Marks that turn round what a page shows after them, and C0 and C1 control characters.
UNSAFE = re.compile("[\u202a-\u202e\u2066-\u2069]|[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
PAGE, MOST = 20, 100
SNIPPET = 200


class Refused(Exception):
    """A parameter that makes no sense."""


def number(asked, name, otherwise=None):
    """A time in epoch seconds."""
    text = asked.get(name)
    if text is None and otherwise is not None:
        return otherwise
    if text is None or not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise Refused(f"{name} must be a number of epoch seconds, got {text!r}")
    return float(text)


def whole(asked, name, otherwise, least, most):
    """A whole number in a range."""
    text = asked.get(name, str(otherwise))
    if not WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise Refused(f"{name} must be a whole number from {least} to {most}, got {text!r}")
    return int(text)


def occurrences(text, word):
    """How often a word stands in a text, whatever the case."""
    return (text or "").lower().count(word.lower())


def search(database, asked):
    """The frames of a window that hold every word of the query, a page of them."""
    if asked.get("content_type", "ocr") not in ("", "ocr"):
        raise Refused(f"content_type must be ocr, got {asked['content_type']!r}")
    values = {"start": number(asked, "start_time"), "end": number(asked, "end_time", time.time())}
    if values["start"] > values["end"]:
        raise Refused("start_time must not be later than end_time")
    limit, offset = whole(asked, "limit", PAGE, 1, MOST), whole(asked, "offset", 0, 0, 10**18)
    wanted, score = ["timestamp BETWEEN :start AND :end"], []
    for at, word in enumerate(asked.get("q", "").split()):
        values[f"word{at}"] = word
        score.append(f"occurrences(ocr_text, :word{at})")
        wanted.append(f"occurrences(ocr_text, :word{at}) > 0")
    for field in ("app_name", "window_name", "browser_url"):
        if asked.get(field):
            values[field] = asked[field]
            wanted.append(f"{field} LIKE '%' || :{field} || '%'")
    if "focused" in asked:
        if asked["focused"] not in ("true", "false", "1", "0"):
            raise Refused(f"focused must be true or false, got {asked['focused']!r}")
        values["focused"] = asked["focused"] in ("true", "1")
        wanted.append("focused = :focused")
    # The id breaks what ties are left, so that a second page begins where the first one ends.
    order = ([f"{' + '.join(score)} DESC"] if score else []) + ["timestamp DESC", "frame_id DESC"]
    found = database.execute(
        f"SELECT * FROM frames WHERE {' AND '.join(wanted)}"
        f" ORDER BY {', '.join(order)} LIMIT {limit} OFFSET {offset}",
        values,
    )
    return {"data": [item(frame) for frame in found], "pagination": {"limit": limit, "offset": offset}}


def item(frame):
    """A frame as the contract names its fields."""
    return {
        "frame_id": frame["frame_id"],
        "timestamp": frame["timestamp"],
        "app_name": frame["app_name"],
        "window_name": frame["window_name"],
        "browser_url": frame["browser_url"],
        "focused": None if frame["focused"] is None else bool(frame["focused"]),
        "ocr_snippet": " ".join(UNSAFE.sub("", frame["ocr_text"]).split())[:SNIPPET],
        "frame_url": f"/api/v1/frames/{frame['frame_id']}",
    }


class Handler(BaseHTTPRequestHandler):
    """One request after another of one connection."""

    protocol_version = "HTTP/1.1"
    database_file = ""

    def do_GET(self):
        url = urlsplit(self.path)
        frame = re.fullmatch(r"/api/v1/frames/(\d{1,18})", url.path, re.ASCII)
        database = sqlite3.connect(self.database_file)
        database.row_factory = sqlite3.Row
        database.create_function("occurrences", 2, occurrences, deterministic=True)
        try:
            if url.path == "/api/v1/search":
                asked = {name: values[0] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
                self.answer(200, search(database, asked))
            elif frame:
                found = database.execute("SELECT * FROM frames WHERE frame_id = ?", (int(frame[1]),)).fetchone()
                self.answer(200, dict(found)) if found else self.answer(404, {"error": "there is no such frame"})
            else:
                self.answer(404, {"error": "there is no such path"})
        except Refused as refused:
            self.answer(400, {"error": str(refused)})
        finally:
            database.close()

    def answer(self, status, value):
        """Sends a JSON value in one piece."""
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


if __name__ == "__main__":
    Handler.database_file = sys.argv[1]
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
