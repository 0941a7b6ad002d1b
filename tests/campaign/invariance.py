"""A mechanism seen differently moves the same: in other units, turned as a whole, under other names and in another order, and
backwards in time. Each view is (mechanism, options of raak run, how bodies are seen back, factors of force and moment or nothing)."""

import copy
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from dimensions import ELEMENTS
from trial import AMPLIFIED, WITHIN, Bounds
from answers import gap_of_bodies, run_raak, sizes_of_bodies, state_of_raak, take_start
from random_bodies import Z
from mechanism import reaction_names
from vectors import about, conjugate, product, times, turn, turn_back


def elements(m):
    return [e for kind in ("joints", "forces", "drivers") for e in m[kind]]


def vectors_of(m):
    """Every vector in the axes of a body or of the ground, to be changed in place: (owner, key, kind)."""
    for e in elements(m):
        for pin in e["pins"]:
            yield pin, 1, "place"
        for axis in e["axes"]:
            yield axis, 1, "direction"
    for b in m["bodies"]:
        yield b, "com", "place"


def scaled(m, length, mass, time):
    def unit(l, k, t):
        return length**l * mass**k * time**t

    n = copy.deepcopy(m)
    for owner, key, kind in vectors_of(n):
        if kind == "place":
            owner[key] = times(length, owner[key])
    for b in n["bodies"]:
        b["mass"] *= mass
        b["inertia"] = times(unit(2, 1, 0), b["inertia"])
        b["position"] = times(length, b["position"])
        b["velocity"] = times(unit(1, 0, -1), b["velocity"])
        b["omega"] = times(1 / time, b["omega"])
    n["gravity"] = times(unit(1, 0, -2), n["gravity"])
    joints = {j["name"]: j for j in n["joints"]}
    for e in elements(n):
        for key in e["numbers"]:
            e["numbers"][key] *= unit(*ELEMENTS[e["type"], key])
        size = 1.0
        if e["type"] == "force":
            size = unit(1, 1, -2)
        elif e["type"] == "torque" or e["type"] == "actuator" and joints[e["joint"]]["type"] == "revolute":
            size = unit(2, 1, -2)
        elif e["type"] == "actuator":
            size = unit(1, 1, -2)
        elif e["type"] not in ("angle", "revolute"):
            size = length
        e["courses"] = [[size * c[0], size * c[1] / time, size * c[2], c[3] / time, c[4]] for c in e.get("courses", [])]
        if "way" in e:
            e["way"] *= length
    n["until"] = m["until"] * time
    # No coordinate may have a looser tolerance than the one it was.
    options = ["--atol", f"q={1e-9 * min(1.0, length):.3g},v={1e-9 * min(1.0, length) / time:.3g},lambda=1e-9"]

    def back(bodies):
        return [[*times(1 / length, b[:3]), *b[3:8], *times(time / length, b[8:11]), *times(time, b[11:])] for b in bodies]

    return n, options, back, (unit(1, 1, -2), unit(2, 1, -2))


def rotated(m, q):
    """Everything, the frames of the bodies too, so that what is parallel at rest stays so."""
    n = copy.deepcopy(m)
    for owner, key, _ in vectors_of(n):
        owner[key] = turn(q, owner[key])
        if m["planar"]:
            owner[key][2] = 0.0
    for b in n["bodies"]:
        b["position"], b["velocity"], b["omega"] = (turn(q, b[k]) for k in ("position", "velocity", "omega"))
        b["quaternion"] = product(product(q, b["quaternion"]), conjugate(q))
        i = b["inertia"]
        rows = [turn(q, [i[0], i[3], i[4]]), turn(q, [i[3], i[1], i[5]]), turn(q, [i[4], i[5], i[2]])]
        full = [turn(q, [rows[k][c] for k in range(3)]) for c in range(3)]
        b["inertia"] = [full[0][0], full[1][1], full[2][2], full[0][1], full[0][2], full[1][2]]
    n["gravity"] = turn(q, n["gravity"])
    for f in [f for f in n["forces"] if f["type"] in ("force", "torque") and len(f["courses"]) > 1]:
        n["forces"].remove(f)
        for k, course in enumerate(f["courses"]):
            along = turn(q, [float(i == k) for i in range(3)])[:len(f["courses"])]
            part = copy.deepcopy(f)
            part["name"] = f'{f["name"]}_{k}'
            part["courses"] = [[a * course[0], a * course[1], a * course[2], course[3], course[4]] for a in along]
            n["forces"].append(part)

    def back(bodies):
        return [[*turn_back(q, b[:3]), *product(product(conjugate(q), b[3:7]), q), b[7], *turn_back(q, b[8:11]), *turn_back(q, b[11:])] for b in bodies]

    return n, [], back, None


def renamed(m, random):
    """Other names for bodies, and everything in another order."""
    n = copy.deepcopy(m)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
    names = {"ground": "ground"}
    for b in n["bodies"]:
        names[b["name"]] = random.choice(letters) + "".join(random.choices(letters + "0123456789", k=random.choice([1, 3, 8, 30]))) + str(len(names))
        b["name"] = names[b["name"]]
    for e in elements(n):
        for pin in [*e["pins"], *e["axes"]]:
            pin[0] = names[pin[0]]
    order = list(range(len(n["bodies"])))
    random.shuffle(order)
    n["bodies"] = [n["bodies"][i] for i in order]
    for kind in ("joints", "forces", "drivers"):
        random.shuffle(n[kind])

    def back(bodies):
        placed = [None] * len(bodies)
        for place, body in zip(order, bodies):
            placed[place] = body
        return placed

    return n, [], back, (1.0, 1.0)


def backwards(m, bodies):
    """From where a run ended to where it began; for mechanisms that lose nothing to dampers."""
    n = copy.deepcopy(m)
    take_start(n, {"start": bodies})
    for e in elements(n):
        e["courses"] = [[c[0] + c[1] * m["until"], c[1], c[2], c[3], c[4] + c[3] * m["until"]] for c in e.get("courses", [])]
        if "counted" in e:
            del e["counted"]  # the angle follows from the configuration
    n["until"] = -m["until"]
    return n


def has_dampers(m):
    return any(e["numbers"].get(k, 0.0) != 0.0 for e in m["forces"] for k in ("damping", "torsion-damping"))


def is_wound_up(m, base):
    """Whether a torsion spring in space ends more than half a turn from its rest: a start reads its angle within half a turn."""
    stored = {a["name"]: a["end"] for a in base["ledger"]["accounts"] if a["kind"] == "potential"}
    springs = [f for f in m["forces"] if f["type"] == "torsion-spring" and not m["planar"] and f["name"] in stored]
    return any(2.0 * stored[f["name"]] > 3.0**2 * f["numbers"]["stiffness"] for f in springs)


def views(m, random, largest):
    """Scales are powers of ten up to 10^largest either way."""
    factor = lambda: 10.0 ** random.choice([-largest, -largest / 2, 0, largest / 2, largest])
    q = about(Z, random.uniform(-3, 3)) if m["planar"] else about([random.gauss(0, 1) for _ in range(3)], random.uniform(-3, 3))
    if not m["planar"] and random.random() < 0.3:
        q = about(random.choice([[1.0, 0, 0], [0, 1.0, 0], Z]), random.choice([-1, 1, 2]) * math.pi / 2)
    yield "scale", scaled(m, factor(), factor(), factor())
    yield "rotation", rotated(m, q)
    yield "names and order", renamed(m, random)


def compare(m, base, answer, view, factors):
    """Largest excess over what is allowed: differences by their sizes."""
    if answer["status"] != "ok":
        return f'ends with {answer["status"]}, code {answer["code"]}: {answer["message"][:300]}'
    seen, back = view
    want = state_of_raak(m, base)
    got = back(state_of_raak(seen, answer))
    sizes = sizes_of_bodies(want)
    for gap, size, what in zip(gap_of_bodies(want, got), sizes, ("positions", "velocities")):
        if not gap <= WITHIN * size:
            return f"{what} are off by {gap:.3g}"
    if factors is None:
        return None
    for kind, factor in zip(("_force", "_moment"), factors):
        names = [n for n, _ in reaction_names(m) if kind in n and base["outputs"][n] is not None]
        size = max([1.0, *(abs(base["outputs"][n]) for n in names)])
        for n in names:
            other = answer["outputs"][n]
            if other is None or not abs(other / factor - base["outputs"][n]) <= WITHIN * size:
                return f"{n} is {other!r} / {factor:.3g}, expected {base['outputs'][n]!r}"
    return None


def try_views(m, reference, files, random, largest=3):
    """The first view under which a mechanism moves otherwise, or nothing."""
    first = reference.ask(m, [m["until"]])
    if first["status"] != "ok" or first["weakest"] < 1e-3 or first["mobility"] == 0 and not m["drivers"]:
        return {"verdict": "skipped"}
    bounds = Bounds(m, first["samples"][0], first["companion"][0])
    if bounds.sensitive or "stiff" in m["kinds"]:
        return {"verdict": "skipped"}
    take_start(m, first)
    base = run_raak(files.write(m))
    if base["status"] != "ok":
        return {"verdict": "skipped"}  # which the other trials find
    for what, (seen, options, back, factors) in views(m, random, largest):
        answer = run_raak(files.write(seen), *options)
        if wrong := compare(m, base, answer, (seen, back), factors):
            return {"verdict": "finding", "what": f"{what}: {wrong}", "view": seen, "options": options}
    if not has_dampers(m) and not is_wound_up(m, base):
        seen = backwards(m, state_of_raak(m, base))
        answer = run_raak(files.write(seen), "--until", repr(seen["until"]))
        if answer["status"] != "ok":
            return {"verdict": "finding", "what": f'backwards: ends with {answer["status"]}: {answer["message"][:300]}', "view": seen, "options": []}
        want = [[*b["position"], *b["quaternion"], b["angle"], *b["velocity"], *b["omega"]] for b in m["bodies"]]
        grown = 10 * AMPLIFIED * sum(g / 1e-6 for g in gap_of_bodies(first["samples"][0]["bodies"], first["companion"][0]["bodies"]))
        for gap, size, name in zip(gap_of_bodies(want, state_of_raak(m, answer)), sizes_of_bodies(want), ("positions", "velocities")):
            if not gap <= WITHIN * size + grown:
                return {"verdict": "finding", "what": f"backwards: {name} are off by {gap:.3g}", "view": seen, "options": []}
    return {"verdict": "agrees"}
