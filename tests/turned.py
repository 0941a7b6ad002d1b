"""Spatial models turned as a whole, or put on a carrier that is driven round. Physics has no directions of its own: a model whose
ground, gravity, forces and start are turned moves as before, turned. Works on the JSON form of a model file (raak convert)."""

import copy
import json
import math
import random

COMPONENTS = "xyz"


def toml_of(value):
    """A value of the JSON form as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml_of(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml_of(entry) for entry in value) + "]"
    return json.dumps(value)


def text_of(model):
    """The model file."""
    return "".join(f"{json.dumps(key)} = {toml_of(value)}\n" for key, value in model.items())


def rotation(axis, angle):
    """The matrix that turns by an angle about a unit axis (Rodrigues)."""
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    return [
        [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
        [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
        [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
    ]


def quaternion(axis, angle):
    return [math.cos(angle / 2), *(math.sin(angle / 2) * e for e in axis)]


def random_turn(seed):
    """An axis, evenly over the sphere, and an angle."""
    numbers = random.Random(seed)
    axis = [numbers.gauss(0.0, 1.0) for _ in range(3)]
    length = math.hypot(*axis)
    return [e / length for e in axis], numbers.uniform(0.3, math.pi)


def product(p, q):
    """Of quaternions: first q, then p."""
    a, b, c, d = p
    w, x, y, z = q
    return [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w]


def apply(matrix, vector):
    """A matrix on a vector of numbers or of expressions of a model file."""
    if all(isinstance(e, (int, float)) for e in vector):
        return [sum(m * e for m, e in zip(row, vector)) for row in matrix]
    return [" + ".join(f"({m!r})*({e})" for m, e in zip(row, vector)) for row in matrix]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def has_directions_of_its_own(model):
    """Whether formulas may speak of directions of the ground, which this module does not turn."""
    if model.get("constraints") or model.get("events"):
        return True
    for driver in model.get("drivers", {}).values():
        if "displacement" not in driver:
            return True
    return any(is_formula(value) for force in model.get("forces", {}).values() for value in flattened(force))


def is_formula(value):
    return isinstance(value, str) and any(f".{what}" in value for what in ("position", "velocity", "omega", "x", "y", "z")) and any(c in value for c in "+-*/( ")


def flattened(value):
    if isinstance(value, dict):
        for entry in value.values():
            yield from flattened(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from flattened(entry)
    else:
        yield value


def renamed(elements, names):
    """Points and axes by other names, in the lists of elements."""
    if isinstance(elements, dict):
        return {key: renamed(value, names) for key, value in elements.items()}
    if isinstance(elements, list):
        return [renamed(value, names) for value in elements]
    return names.get(elements, elements)


def start_of(assembled):
    """The start that raak assemble --json found, by body: position, quaternion, velocity, omega."""
    bodies = {}
    for names, values in ((assembled["names"], assembled["start"]["q"]), (assembled["names_v"], assembled["start"]["v"])):
        for name, value in zip(names, values):
            body, what, _ = name.split(".")
            bodies.setdefault(body, {}).setdefault(what, []).append(value)
    return bodies


def vectors_of(names, values):
    """Values by name, as vectors: body.position and the like."""
    found = {}
    for name, value in zip(names, values):
        found.setdefault(name.rsplit(".", 1)[0], []).append(value)
    return found


def reaction_outputs(model):
    return {f"{joint} {what} {c}": f"{joint}.{what}.{c}" for joint in model.get("joints", {}) for what in ("force", "moment") for c in COMPONENTS}


def bare(model, start):
    """The model with a start given in full, and reactions as its outputs."""
    result = copy.deepcopy(model)
    for key in ("references", "report", "start", "outputs"):
        result.pop(key, None)
    result["start"] = {"guess": {f"{body}.{what}": value for body, parts in start.items() for what, value in parts.items()}}
    result["outputs"] = reaction_outputs(model)
    return result


def turned(model, start, axis, angle):
    """The whole turned about the origin."""
    R, p = rotation(axis, angle), quaternion(axis, angle)
    moved = {}
    for body, parts in start.items():
        moved[body] = {what: product(p, value) if what == "quaternion" else apply(R, value) for what, value in parts.items()}
    result = bare(model, moved)
    ground = result.setdefault("ground", {})
    axes = {name: apply(R, vector) for name, vector in ground.get("axes", {}).items()}
    axes |= {f"turned_{c}": [row[i] for row in R] for i, c in enumerate(COMPONENTS)}
    names = {f"ground.{c}": f"ground.turned_{c}" for c in COMPONENTS}
    ground["axes"] = axes
    ground["points"] = {name: apply(R, vector) for name, vector in ground.get("points", {}).items()}
    result["gravity"] = apply(R, result.get("gravity", [0.0, 0.0, 0.0]))
    for kind in ("joints", "forces", "drivers"):
        if kind in result:
            result[kind] = renamed(result[kind], names)
    turn_forces(result, R)
    return result


def turn_forces(model, R):
    """Vectors of forces that are given in ground axes."""
    for force in model.get("forces", {}).values():
        for key, value in force.items():
            if isinstance(value, list) and len(value) == 3 and key == "value" and force.get("axes") != "body":
                force[key] = apply(R, value)


def measures_angles(model):
    """Whether elements measure angles against the ground, whose zero depends on how its axes are written."""
    turning = any("displacement" in driver for driver in model.get("drivers", {}).values())
    kinds = {element["type"] for kind in ("joints", "forces") for element in model.get(kind, {}).values()}
    return turning or bool(kinds & {"torsion-spring", "torsion-actuator", "actuator", "torque", "gear", "screw", "bushing", "fixed", "prismatic"})


def carried(model, start, axis, rate, angle=0.0):
    """The ground replaced by a carrier that is driven round an axis through the origin, from an angle in rad at a rate in rad/s.

    At rest the whole is turned by that angle."""
    R, p = rotation(axis, angle), quaternion(axis, angle)
    omega = [rate * e for e in axis]
    moved = {}
    for body, parts in start.items():
        position = apply(R, parts["position"])
        moved[body] = {"position": position, "velocity": [v + w for v, w in zip(apply(R, parts["velocity"]), cross(omega, position))]}
        if "quaternion" in parts:
            moved[body]["quaternion"] = product(p, parts["quaternion"])
            moved[body]["omega"] = [v + w for v, w in zip(apply(R, parts["omega"]), omega)]
    moved["carrier"] = {"position": [0.0] * 3, "quaternion": p, "velocity": [0.0] * 3, "omega": omega}
    result = bare(model, moved)
    result["gravity"] = apply(R, result.get("gravity", [0.0, 0.0, 0.0]))
    ground = result.pop("ground", {})
    carrier = {"mass": 1.0, "inertia": [1.0, 1.0, 1.0], "points": ground.get("points", {}) | {"carrier_pin": [0.0] * 3}}
    carrier["axes"] = ground.get("axes", {}) | {"carrier_axis": list(axis)}
    names = {f"ground.{name}": f"carrier.{name}" for name in [*carrier["points"], *carrier["axes"], *COMPONENTS]}
    for kind in ("joints", "forces", "drivers"):
        if kind in result:
            result[kind] = renamed(result[kind], names)
    turn_forces(result, R)
    result["bodies"] = {"carrier": carrier} | result["bodies"]
    result["ground"] = {"points": {"carrier_pin": [0.0] * 3}, "axes": {"carrier_axis": list(axis)}}
    hinge = {"type": "revolute", "pins": ["ground.carrier_pin", "carrier.carrier_pin"], "axes": ["ground.carrier_axis", "carrier.carrier_axis"]}
    result["joints"] = {"carrier_hinge": hinge} | result.get("joints", {})
    result.setdefault("drivers", {})["carrier_motor"] = {"displacement": "carrier_hinge", "motion": f"{angle!r} + {rate!r}*t"}
    return result


def differences(plain, whole, axis, angle, size=1.0):
    """How far a turned run is from the run itself, by body and by reaction, in parts of their sizes: (name, difference).

    Positions and velocities count from `size` on, reactions from a thousandth of it. A reaction counts where each of its components is
    a number in both."""
    R, p = rotation(axis, angle), quaternion(axis, angle)
    found = []
    for names, key in (("names", "q"), ("names_v", "v")):
        one, other = (vectors_of(run[names], run["final"][key]) for run in (plain, whole))
        for name, vector in one.items():
            if name.endswith("quaternion"):
                expected = product(p, vector)
                sign = math.copysign(1.0, sum(a * b for a, b in zip(expected, other[name])))
                expected = [sign * e for e in expected]
            else:
                expected = apply(R, vector)
            scale = max(size if name.endswith(("position", "velocity")) else 1.0, math.hypot(*vector))
            found.append((name, math.dist(expected, other[name]) / scale))
    one, other = ({name: value for name, value in run["outputs"].items() if name.split(" ")[-1] in COMPONENTS} for run in (plain, whole))
    groups = {name.rsplit(" ", 1)[0] for name in one}
    vectors = {group: tuple([run[f"{group} {c}"] for c in COMPONENTS] for run in (one, other)) for group in sorted(groups)}
    unique = {group: pair for group, pair in vectors.items() if None not in pair[0] + pair[1]}
    largest = max((math.hypot(*pair[0]) for pair in unique.values()), default=0.0)
    found += [(group, math.dist(apply(R, pair[0]), pair[1]) / max(largest, 1e-3 * size)) for group, pair in unique.items()]
    return found
