"""What a contract asks has the same outcome over every transport and era: `servers.py REPORT ERA...`, a JSON report and its eras."""

import json
import sys
from collections import defaultdict

report, *eras = sys.argv[1:]

outcomes, places = defaultdict(dict), set()
for one in json.load(open(report, encoding="utf-8"))["requirements"]:
    place = (one["transport"], one["era"])
    places.add(place)
    # These compare two endpoints, and are judged at one of them.
    if one["requirement"].startswith("memory.") and not one["requirement"].startswith("memory.same-"):
        outcomes[one["requirement"]][place] = one["outcome"]

expected = {(transport, era) for transport in ("mcp-http", "mcp-stdio") for era in eras}
assert places == expected, f"judged at {sorted(places)}, expected {sorted(expected)}"
for requirement, at in outcomes.items():
    assert at.keys() == expected and len(set(at.values())) == 1, f"{requirement} differs: {at}"
assert outcomes, "nothing of the contract was judged"
print(f"{len(outcomes)} requirements of the contract have the same outcome at {len(places)} places")
