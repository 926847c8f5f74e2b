"""Holds a JUnit report to a schema, and to the CTRF report of the same run: `readers.py SCHEMA JUNIT CTRF`."""

import json
import sys
from collections import Counter

from junitparser import Error, Failure, JUnitXml, Skipped
from lxml import etree

schema, junit, ctrf = sys.argv[1:]

etree.XMLSchema(file=schema).assertValid(etree.parse(junit))

STATUS = {Failure: "failed", Error: "other", Skipped: "skipped"}


def status(case):
    """What a case came to; it has one result at most."""
    results = case.result
    assert len(results) <= 1, f"{case.name} has {len(results)} results"
    return STATUS[type(results[0])] if results else "passed"


report = JUnitXml.fromfile(junit)
cases = [(suite.name, case) for suite in report for case in suite]
read = Counter((suite, case.name, status(case)) for suite, case in cases)
tests = json.load(open(ctrf, encoding="utf-8"))["results"]["tests"]
told = Counter((test["suite"][0], test["name"], test["status"]) for test in tests)
assert read == told, f"JUnit and CTRF differ: {read - told} {told - read}"
assert read and max(read.values()) == 1, "every case has a name of its own"

counts = Counter(status for _, _, status in read.elements())
assert (report.tests, report.failures, report.errors) == (len(cases), counts["failed"], counts["other"])
assert sum(suite.skipped for suite in report) == counts["skipped"]
print(f"{len(cases)} JUnit cases are valid, and read as in CTRF: {dict(counts)}")
