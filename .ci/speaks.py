"""Which revision a server was judged by: `speaks.py REPORT NAME [REQUIREMENT...]`, a JSON report and what the revision is called.

Without requirements it was recognised, and conforms. With them it was pinned, and they are violated."""

import json
import sys

report, name, *requirements = sys.argv[1:]
report = json.load(open(report, encoding="utf-8"))

by = "pinned" if requirements else "recognised"
[speaks] = report["run"]["speaks"]
assert (speaks["name"], speaks["by"]) == (name, by), f"expected {name}, {by}, received {speaks}"

expected = 1 if requirements else 0
received = report["totals"]["exit_code"]
assert received == expected, f"expected exit code {expected}, received {received}"

violated = {one["requirement"] for one in report["requirements"] if one["outcome"] == "violated"}
missing = set(requirements) - violated
assert not missing, f"not violated by {name}: {sorted(missing)}"
print(f"{speaks['contract']} ({name}), {by}: {len(report['requirements'])} requirements, {len(violated)} of them violated")
