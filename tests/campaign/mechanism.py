"""A mechanism as plain data (which JSON keeps), written as a model file for Raak and as lines for the reference.

A body is {name, point, mass, inertia (xx yy zz xy xz yz), com, position, quaternion, angle, velocity, omega}; a joint, force or
driver {name, type, pins, axes, numbers, courses, ...}, where pins and axes are [body, [x, y, z]] and a course is
[c0, c1, c2, c3, c4] of c0 + c1 t + c2 sin(c3 t + c4). The plane is z = 0.
"""

import json

AXES = "xyz"

# What the numbers of an element are called in a model file, in the order in which the reference reads them.
NUMBERS = {
    "fixed": ["angle"], "distance": ["length"], "rolling": ["radius", "offset"], "rack": ["radius", "offset"],
    "gear": ["ratio", "phase"], "screw": ["pitch"], "rolling-disc": ["radius"],
    "spring": ["stiffness", "length", "damping", "pull"], "torsion-spring": ["stiffness", "angle", "damping"],
    "bushing": ["stiffness", "damping", "torsion", "torsion-damping", "angle"],
}
ROWS = {  # of constraints in the plane and in space
    "revolute": (2, 5), "prismatic": (2, 5), "fixed": (3, 6), "distance": (1, 1), "slot": (1, 0), "rolling": (2, 0), "gear": (1, 1),
    "rack": (1, 0), "knife-edge": (1, 1), "spherical": (0, 3), "cylindrical": (0, 4), "screw": (0, 5), "universal": (0, 4),
    "planar": (0, 3), "point-on-line": (0, 2), "point-on-plane": (0, 1), "rolling-disc": (0, 3),
}
DECIDED_BY_START = {"gear": "phase", "bushing": "angle", "fixed": "angle"}  # numbers that elements in space do not have


def freedoms(m):
    """Of the bodies, less the rows: how many remain if no row says what others say."""
    count = -len(m["drivers"])
    for body in m["bodies"]:
        count += (2 if body["point"] else 3) if m["planar"] else (3 if body["point"] else 6)
    return count - sum(ROWS[j["type"]][not m["planar"]] * max(1, len(j["pins"]) - 1 if j["type"] != "gear" else 1) for j in m["joints"])


def is_finite_number(text):
    return text not in ("nan", "inf", "-inf")


def number(x):
    text = repr(float(x))
    assert is_finite_number(text), "a generated number is not finite"
    return text


def listed(values):
    return "[" + ", ".join(values) + "]"


class ModelFile:
    """The text of a model file."""

    def __init__(self, m, title="Random mechanism"):
        self.m = m
        self.points = {}  # (body, place) -> name
        self.directions = {}
        self.size = 2 if m["planar"] else 3
        self.point_bodies = {b["name"] for b in m["bodies"] if b["point"]}
        self.joint_lines = [self.joint(j) for j in m["joints"]]
        self.force_lines = [self.force(f) for f in m["forces"]]
        self.driver_lines = [self.driver(d) for d in m["drivers"]]
        self.title = title

    def vector(self, a):
        return listed(number(x) for x in a[:self.size])

    def name_of(self, table, letter, pin):
        body, at = pin
        own = table.setdefault(body, {})
        return own.setdefault(tuple(at), f"{letter}{len(own)}")

    def pin(self, pin):
        if pin[0] in self.point_bodies:
            return json.dumps(pin[0])
        return json.dumps(f"{pin[0]}.{self.name_of(self.points, 'P', pin)}")

    def axis(self, axis):
        return json.dumps(f"{axis[0]}.{self.name_of(self.directions, 'e', axis)}")

    def course(self, c):
        if not any(c[1:]):
            return number(c[0])
        return json.dumps(f"{number(c[0])} + {number(c[1])}*t + {number(c[2])}*sin({number(c[3])}*t + {number(c[4])})".replace("+ -", "- "))

    def numbers_of(self, e):
        names = NUMBERS.get(e["type"], [])
        if not self.m["planar"]:
            names = [n for n in names if n != DECIDED_BY_START.get(e["type"])]
        return [f"{n} = {number(e['numbers'][n])}" for n in names if n in e["numbers"]]

    def joint(self, j):
        parts = [f'type = "{j["type"]}"']
        if j["type"] == "gear":
            parts.append("bodies = " + listed(json.dumps(p[0]) for p in j["pins"][:2]))
            if j["pins"][2][0] != "ground":
                parts.append("carrier = " + json.dumps(j["pins"][2][0]))
        else:
            key = "between" if j["type"] == "distance" else "pins"
            parts.append(f"{key} = " + listed(self.pin(p) for p in j["pins"]))
        if j["axes"]:
            parts.append("axes = " + listed(self.axis(a) for a in j["axes"]))
        return f'{j["name"]} = {{ {", ".join(parts + self.numbers_of(j))} }}'

    def force(self, f):
        parts = [f'type = "{f["type"]}"']
        if f["type"] == "actuator":
            parts += [f'joint = {json.dumps(f["joint"])}', "value = " + self.course(f["courses"][0])]
        elif f["type"] in ("force", "torque"):
            body, at = f["pins"][0]
            parts.append("at = " + self.pin(f["pins"][0]) if f["type"] == "force" else "on = " + json.dumps(body))
            values = [self.course(c) for c in f["courses"]]
            parts.append("value = " + (values[0] if len(values) == 1 else listed(values)))
            if len(f["pins"]) > 1:
                parts.append("from = " + json.dumps(f["pins"][1][0]))
            if f.get("body_axes"):
                parts.append('axes = "body"')
        elif f["type"] == "torsion-spring":
            if self.m["planar"]:
                parts.append("bodies = " + listed(json.dumps(p[0]) for p in f["pins"]))
            else:
                parts.append("axes = " + listed(self.axis(a) for a in f["axes"]))
        else:
            key = "between" if f["type"] == "spring" else "pins"
            parts.append(f"{key} = " + listed(self.pin(p) for p in f["pins"]))
        return f'{f["name"]} = {{ {", ".join(parts + self.numbers_of(f))} }}'

    def driver(self, d):
        if d["type"] == "angle":
            what = f'coordinate = "{d["pins"][0][0]}.angle"'
        elif d["type"] == "distance":
            what = "distance = " + listed(self.pin(p) for p in d["pins"])
        else:
            what = f'displacement = {json.dumps(d["joint"])}'
        return f'{d["name"]} = {{ {what}, motion = {self.course(d["courses"][0])} }}'

    def tables_of(self, body):
        points = self.points.get(body, {})
        axes = self.directions.get(body, {})
        lines = []
        if points:
            lines.append("points = { " + ", ".join(f"{n} = {self.vector(p)}" for p, n in points.items()) + " }")
        if axes:
            lines.append("axes = { " + ", ".join(f"{n} = {self.vector(a)}" for a, n in axes.items()) + " }")
        return lines

    def body(self, b):
        lines = [f'[bodies.{b["name"]}]', f'mass = {number(b["mass"])}']
        if b["point"]:
            lines.insert(1, 'type = "point"')
        else:
            inertia = b["inertia"]
            if self.m["planar"]:
                lines.append(f"inertia = {number(inertia[2])}")
            else:
                lines.append("inertia = " + listed(number(x) for x in (inertia if any(inertia[3:]) else inertia[:3])))
            lines.append(f'com = {self.vector(b["com"])}')
            lines += self.tables_of(b["name"])
        return lines

    def start(self):
        lines = ["[start.guess]"]
        for b in self.m["bodies"]:
            n = b["name"]
            if self.m["planar"]:
                for key, value in zip(("x", "y", "vx", "vy"), [*b["position"][:2], *b["velocity"][:2]]):
                    lines.append(f'"{n}.{key}" = {number(value)}')
                if not b["point"]:
                    lines += [f'"{n}.angle" = {number(b["angle"])}', f'"{n}.omega" = {number(b["omega"][2])}']
                continue
            lines += [f'"{n}.position" = {self.vector(b["position"])}', f'"{n}.velocity" = {self.vector(b["velocity"])}']
            if not b["point"]:
                lines += [f'"{n}.quaternion" = {listed(number(x) for x in b["quaternion"])}', f'"{n}.omega" = {self.vector(b["omega"])}']
        return lines

    def outputs(self):
        lines = ["[outputs]"]
        for name, expression in reaction_names(self.m):
            lines.append(f'"{name}" = "{expression}"')
        return lines

    def text(self):
        m = self.m
        lines = ['format = "raak/1"', f"title = {json.dumps(self.title)}", f'space = "{"planar" if m["planar"] else "spatial"}"',
                 f'gravity = {self.vector(m["gravity"])}', "[ground]", *self.tables_of("ground")]
        for b in m["bodies"]:
            lines += self.body(b)
        lines += ["[joints]", *self.joint_lines, "[forces]", *self.force_lines, "[drivers]", *self.driver_lines]
        lines += [*self.start(), *self.outputs(), "[runs.default]", f'until = {number(m["until"])}', f'rtol = {number(m.get("rtol", 1e-9))}']
        return "\n".join(lines) + "\n"


def reaction_names(m):
    """Outputs of reactions and efforts, with their expressions, in the order of reaction_values."""
    names = []
    for j in m["joints"]:
        pins = j["pins"][1:2] if j["type"] == "gear" else j["pins"][1:]
        for k, pin in enumerate(pins):
            whose = j["name"] if len(pins) == 1 else f'{j["name"]}.{pin[0]}'
            for kind in ("force", "moment"):
                if m["planar"] and kind == "moment":
                    names.append((f'{j["name"]}_{k}_moment', f"{whose}.moment"))
                    continue
                for c in AXES[:2 if m["planar"] else 3]:
                    names.append((f'{j["name"]}_{k}_{kind}_{c}', f"{whose}.{kind}.{c}"))
    for d in m["drivers"]:
        kind = "moment" if d["type"] in ("angle", "revolute") else "force"
        names.append((f'{d["name"]}_effort', f'{d["name"]}.{kind}'))
    return names


def reaction_values(m, sample):
    """Of a sample of the reference: (value, unique) for each of reaction_names."""
    values = []
    for pins in sample["joints"]:
        for numbers in pins:
            for i in (0, 1, 5) if m["planar"] else range(6):
                values.append((numbers[i], numbers[6 + i] > 0.5))
    for value, unique in sample["drivers"]:
        values.append((value, unique > 0.5))
    return values


def lines_for_reference(m, times, tolerance=1e-12, perturbation=0.0):
    index = {"ground": 0, **{b["name"]: i + 1 for i, b in enumerate(m["bodies"])}}

    def words(*values):
        return " ".join(str(v) if isinstance(v, (str, int)) else repr(float(v)) for v in values)

    lines = ["planar" if m["planar"] else "spatial", words("gravity", *m["gravity"])]
    for b in m["bodies"]:
        lines.append(words("body", b["name"], int(b["point"]), b["mass"], *b["inertia"], *b["com"], *b["position"], *b["quaternion"], b["angle"],
                           *b["velocity"], *b["omega"]))
    joints = {j["name"]: j for j in m["joints"]}
    for kind in ("joints", "forces", "drivers"):
        for e in m[kind]:
            type_, pins, axes = e["type"], e["pins"], e["axes"]
            if "joint" in e:
                pins, axes = joints[e["joint"]]["pins"], joints[e["joint"]]["axes"]
                if type_ == "actuator":
                    type_ = "actuator-" + joints[e["joint"]]["type"]
            numbers = [e["numbers"].get(n, 0.0) for n in NUMBERS.get(e["type"], [])]
            counted = "counted" in e
            if counted:
                numbers.append(e["counted"])
            flat = [len(pins), *(x for b, at in pins for x in (index[b], *map(float, at))), len(axes), *(x for b, at in axes for x in (index[b], *map(float, at)))]
            courses = e.get("courses", [])
            flat += [len(numbers), *map(float, numbers), len(courses), *(float(c) for course in courses for c in course)]
            lines.append(words(kind[:-1], e["name"], type_, *flat, int(bool(e.get("body_axes"))), int(counted)))
    lines.append(words("run", tolerance, perturbation, len(times), *map(float, times)))
    return "\n".join(lines) + "\n"
