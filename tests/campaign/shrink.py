"""Makes a mechanism smaller while what is wrong with it stays wrong."""

import copy
import re
import time


def signature(what):
    """What kind of finding: words without numbers and paths."""
    words = re.sub(r'"[^"]*"', '""', what)
    words = re.sub(r"/\S+", "/", words)
    return re.sub(r"[-+]?\d[\d.e+-]*", "#", words)[:100]


def without_body(m, name):
    n = copy.deepcopy(m)
    n["bodies"] = [b for b in n["bodies"] if b["name"] != name]
    for kind in ("joints", "forces", "drivers"):
        n[kind] = [e for e in n[kind] if all(pin[0] != name for pin in [*e["pins"], *e["axes"]])]
    return n


def dangling(m):
    """Elements of joints that are gone, and mechanisms of nothing."""
    names = {j["name"] for j in m["joints"]}
    for kind in ("forces", "drivers"):
        m[kind] = [e for e in m[kind] if e.get("joint") is None or e["joint"] in names]
    return m


def smaller(m):
    """Mechanisms that lack one thing each, largest first."""
    for body in m["bodies"]:
        if len(m["bodies"]) > 1:
            yield dangling(without_body(m, body["name"]))
    for kind in ("joints", "forces", "drivers"):
        for i in range(len(m[kind])):
            n = copy.deepcopy(m)
            del n[kind][i]
            yield dangling(n)
    if any(m["gravity"]):
        yield {**copy.deepcopy(m), "gravity": [0.0, 0.0, 0.0]}
    for i, e in enumerate(m["forces"]):
        for key in ("damping", "torsion-damping", "pull", "torsion"):
            if e["numbers"].get(key):
                n = copy.deepcopy(m)
                n["forces"][i]["numbers"][key] = 0.0
                yield n
    if m["until"] > 0.05:
        yield {**copy.deepcopy(m), "until": m["until"] / 2}


def shrink(m, what, still_wrong, patience=90):
    """`still_wrong` answers what is wrong with a mechanism, or nothing. Ends after so many seconds, since what hangs takes long each time."""
    kind = signature(what)
    end = time.monotonic() + patience
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for n in smaller(m):
            if time.monotonic() > end:
                break
            now = still_wrong(copy.deepcopy(n))
            if now and signature(now)[:30] == kind[:30]:
                m, what, progress = n, now, True
                break
    return m, what
