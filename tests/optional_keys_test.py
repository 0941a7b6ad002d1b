"""Every optional key of every joint, force and driver does what it says, by formulas that are written down here.

Two bodies in general position and motion; what a force exerts on them is compared with their accelerations at the start, and what a joint or driver
imposes with the start that is assembled. A key that the catalogue has and this file lacks is a failure: add its case to KEYS.
"""

import json
import math
import unittest

from program import ProgramTest, raak

MASS, INERTIA = {"a": 2.0, "b": 1.3}, {"a": 0.7, "b": 0.4}
# Place, rotation vector, velocity and angular velocity of each body; in the plane the third axis alone turns.
PLACE = {"a": (0.3, -0.4, 0.2), "b": (1.1, 0.7, -0.5)}
TURN = {"a": (0.3, -0.5, 0.4), "b": (-0.2, 0.6, 1.1)}
SPEED = {"a": (0.5, 0.2, -0.3), "b": (-0.7, 0.4, 0.6)}
SPIN = {"a": (0.2, 0.9, -0.8), "b": (-1.2, 0.3, 1.7)}
POINT = {"a": (0.4, 0.3, -0.1), "b": (-0.2, 0.5, 0.6)}


def add(*vectors):
    return tuple(map(sum, zip(*vectors)))


def times(s, v):
    return tuple(s * x for x in v)


def dot(u, v):
    return sum(x * y for x, y in zip(u, v))


def cross(u, v):
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def norm(v):
    return math.sqrt(dot(v, v))


def turned(rotation, v):
    """Rodrigues' formula."""
    angle = norm(rotation)
    if angle == 0.0:
        return v
    n = times(1.0 / angle, rotation)
    return add(times(math.cos(angle), v), times(math.sin(angle), cross(n, v)), times((1.0 - math.cos(angle)) * dot(n, v), n))


def rotation_between(first, second):
    """The rotation vector that leads from the frame of the first to that of the second, in ground axes."""
    columns = [[turned(r, e) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1))] for r in (first, second)]
    R = [[sum(columns[1][k][i] * columns[0][k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    angle = math.acos((R[0][0] + R[1][1] + R[2][2] - 1.0) / 2.0)
    return times(angle / (2.0 * math.sin(angle)), (R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]))


class Bodies:
    """Where the bodies are and move, in the plane or in space."""

    def __init__(self, planar):
        self.planar = planar

    def flat(self, v):
        return (v[0], v[1], 0.0) if self.planar else v

    def turn(self, body):
        return (0.0, 0.0, TURN[body][2]) if self.planar else TURN[body]

    def spin(self, body):
        return (0.0, 0.0, SPIN[body][2]) if self.planar else SPIN[body]

    def arm(self, body):
        return turned(self.turn(body), self.flat(POINT[body]))

    def point(self, body):
        return add(self.flat(PLACE[body]), self.arm(body))

    def rate(self, body):
        return add(self.flat(SPEED[body]), cross(self.spin(body), self.arm(body)))

    def text(self):
        """The model without any element; inertia is the same about all axes, so that no gyroscopic term is needed here."""
        text = 'format = "raak/1"\n' + ("" if self.planar else 'space = "spatial"\n')
        for body in "ab":
            inertia = f"{INERTIA[body]}" if self.planar else str([INERTIA[body]] * 3)
            text += f"[bodies.{body}]\nmass = {MASS[body]}\ninertia = {inertia}\n"
            text += f"points = {{ P = {list(POINT[body])[: 2 if self.planar else 3]}, C = {[0.0] * (2 if self.planar else 3)} }}\n"
        text += "[start.trust]\n"
        for body in "ab":
            if self.planar:
                values = zip(("x", "y", "vx", "vy", "angle", "omega"), (*PLACE[body][:2], *SPEED[body][:2], TURN[body][2], SPIN[body][2]))
                text += "".join(f'"{body}.{name}" = {value}\n' for name, value in values)
            else:
                for name, value in (("position", PLACE), ("rotation", TURN), ("velocity", SPEED), ("omega", SPIN)):
                    text += f'"{body}.{name}" = {list(value[body])}\n'
        return text

    def accelerations(self, forces, torques):
        """What forces at the points P and torques make of the bodies, in the order of the file."""
        result = []
        for body in "ab":
            force, torque = forces.get(body, (0.0, 0.0, 0.0)), add(torques.get(body, (0.0, 0.0, 0.0)), cross(self.arm(body), forces.get(body, (0.0, 0.0, 0.0))))
            linear, angular = times(1.0 / MASS[body], force), times(1.0 / INERTIA[body], torque)
            result += [*linear[:2], angular[2]] if self.planar else [*linear, *angular]
        return result


def along(bodies, pull):
    """A pull between the points P as a function of their distance and its rate."""
    d = add(bodies.point("b"), times(-1.0, bodies.point("a")))
    length = norm(d)
    unit = times(1.0 / length, d)
    force = times(pull(length, dot(unit, add(bodies.rate("b"), times(-1.0, bodies.rate("a"))))), unit)
    return {"a": force, "b": times(-1.0, force)}, {}


def pair(force, torque=(0.0, 0.0, 0.0)):
    """Force and torque on b, and their opposite on a."""
    return {"b": force, "a": times(-1.0, force)}, {"b": torque, "a": times(-1.0, torque)}


def offset(bodies):
    return add(bodies.point("b"), times(-1.0, bodies.point("a")))


def offset_rate(bodies):
    return add(bodies.rate("b"), times(-1.0, bodies.rate("a")))


def relative_turn(bodies):
    return rotation_between(bodies.turn("a"), bodies.turn("b"))


def relative_spin(bodies):
    return add(bodies.spin("b"), times(-1.0, bodies.spin("a")))


def last(v):
    return (0.0, 0.0, v[2])


SPRING = 'type = "spring", between = ["a.P", "b.P"]'
BUSHING = 'type = "bushing", pins = ["a.P", "b.P"]'
TWIST = 'type = "torsion-spring", bodies = ["a", "b"]'
VALUE = (1.5, -0.7, 0.4)


def value_text(planar, count=None):
    return str(list(VALUE)[: count or (2 if planar else 3)])


# (force, space, key): the keys of the force, and what it exerts. None: the key belongs to the other space, as ITS_SPACE tests.
FORCES = {
    ("spring", "planar", "stiffness"): (f"{SPRING}, stiffness = 3.0", lambda b: along(b, lambda l, r: 3.0 * l)),
    ("spring", "planar", "length"): (f"{SPRING}, stiffness = 3.0, length = 0.4", lambda b: along(b, lambda l, r: 3.0 * (l - 0.4))),
    ("spring", "planar", "damping"): (f"{SPRING}, damping = 0.8", lambda b: along(b, lambda l, r: 0.8 * r)),
    ("spring", "planar", "pull"): (f'{SPRING}, pull = "2 + b.P.vx"', lambda b: along(b, lambda l, r: 2.0 + b.rate("b")[0])),
    ("torsion-spring", "planar", "bodies"): (f"{TWIST}, stiffness = 3.0", lambda b: pair((0.0, 0.0, 0.0), times(-3.0, (0.0, 0.0, TURN["b"][2] - TURN["a"][2])))),
    ("torsion-spring", "planar", "stiffness"): (f"{TWIST}, stiffness = 5.0", lambda b: pair((0.0, 0.0, 0.0), times(-5.0, (0.0, 0.0, TURN["b"][2] - TURN["a"][2])))),
    ("torsion-spring", "planar", "angle"): (f"{TWIST}, stiffness = 5.0, angle = 0.3", lambda b: pair((0.0, 0.0, 0.0), times(-5.0, (0.0, 0.0, TURN["b"][2] - TURN["a"][2] - 0.3)))),
    ("torsion-spring", "planar", "damping"): (f"{TWIST}, damping = 0.6", lambda b: pair((0.0, 0.0, 0.0), times(-0.6, last(relative_spin(b))))),
    ("bushing", "planar", "stiffness"): (f"{BUSHING}, stiffness = 7.0", lambda b: pair(times(-7.0, offset(b)))),
    ("bushing", "planar", "damping"): (f"{BUSHING}, damping = 0.9", lambda b: pair(times(-0.9, offset_rate(b)))),
    ("bushing", "planar", "torsion"): (f"{BUSHING}, torsion = 2.0", lambda b: pair((0.0, 0.0, 0.0), times(-2.0, (0.0, 0.0, TURN["b"][2] - TURN["a"][2])))),
    ("bushing", "planar", "torsion-damping"): (f"{BUSHING}, torsion-damping = 0.7", lambda b: pair((0.0, 0.0, 0.0), times(-0.7, last(relative_spin(b))))),
    ("bushing", "planar", "angle"): (f"{BUSHING}, torsion = 2.0, angle = -0.4", lambda b: pair((0.0, 0.0, 0.0), times(-2.0, (0.0, 0.0, TURN["b"][2] - TURN["a"][2] + 0.4)))),
    ("force", "planar", "axes"): (f'type = "force", at = "b.P", value = {value_text(True)}, axes = "body"', lambda b: ({"b": turned(b.turn("b"), b.flat(VALUE))}, {})),
    ("torque", "planar", "from"): ('type = "torque", on = "b", from = "a", value = 1.5', lambda b: pair((0.0, 0.0, 0.0), (0.0, 0.0, 1.5))),
    ("torque", "planar", "axes"): ('type = "torque", on = "b", value = 1.5, axes = "body"', lambda b: ({}, {"b": (0.0, 0.0, 1.5)})),
    ("bushing", "spatial", "torsion"): (f"{BUSHING}, torsion = 2.0", lambda b: pair((0.0, 0.0, 0.0), times(-2.0, relative_turn(b)))),
    ("bushing", "spatial", "torsion-damping"): (f"{BUSHING}, torsion-damping = 0.7", lambda b: pair((0.0, 0.0, 0.0), times(-0.7, relative_spin(b)))),
    ("force", "spatial", "axes"): (f'type = "force", at = "b.P", value = {value_text(False)}, axes = "body"', lambda b: ({"b": turned(b.turn("b"), VALUE)}, {})),
    ("torque", "spatial", "from"): (f'type = "torque", on = "b", from = "a", value = {value_text(False)}', lambda b: pair((0.0, 0.0, 0.0), VALUE)),
    ("torque", "spatial", "axes"): (f'type = "torque", on = "b", value = {value_text(False)}, axes = "body"', lambda b: ({}, {"b": turned(b.turn("b"), VALUE)})),
}
for _key in ("stiffness", "length", "damping", "pull"):  # the same law in three dimensions
    FORCES["spring", "spatial", _key] = FORCES["spring", "planar", _key]
for _key in ("stiffness", "damping"):
    FORCES["bushing", "spatial", _key] = FORCES["bushing", "planar", _key]
# In space a torsion spring twists about an axis that the two bodies share: it is tested on a hinge below.
ON_A_HINGE = {("torsion-spring", "spatial", key) for key in ("axes", "stiffness", "angle", "damping")}
# Keys of the other space are refused, or have to say what the others say.
OTHER_SPACE = {
    ("torsion-spring", "planar", "axes"): f'{TWIST}, axes = ["a.z", "b.z"], stiffness = 1.0',
    ("torsion-spring", "spatial", "bodies"): 'type = "torsion-spring", bodies = ["b", "a"], axes = ["a.z", "b.z"], stiffness = 1.0',
    ("bushing", "spatial", "angle"): f"{BUSHING}, torsion = 1.0, angle = 0.2",
}
JOINTS = {
    ("revolute", "planar", "axes"), ("revolute", "spatial", "axes"), ("fixed", "planar", "angle"), ("fixed", "spatial", "angle"),
    ("rolling", "planar", "offset"), ("rack", "planar", "offset"), ("gear", "planar", "phase"), ("gear", "planar", "carrier"), ("gear", "planar", "axes"),
    ("gear", "spatial", "phase"), ("gear", "spatial", "carrier"), ("gear", "spatial", "axes"),
}
DRIVERS = {"coordinate", "distance", "displacement"}


def optional_keys(elements):
    return {(element["name"], space, key["key"]) for element in elements for space in ("planar", "spatial") if element[space]
            for key in element["keys"] if key["optional"]}


class Keys(ProgramTest):
    def test_every_optional_key_of_the_catalogues_is_tested_here(self):
        self.assertEqual(optional_keys(self.json("list", "forces")), set(FORCES) | ON_A_HINGE | set(OTHER_SPACE))
        self.assertEqual(optional_keys(self.json("list", "joints")), JOINTS)
        path = self.scratch / "driver.toml"
        path.write_text(Bodies(True).text() + "[drivers]\nd = { wrong = 1 }\n")
        known = set(raak("assemble", str(path)).stderr.split("There are: ")[1].strip().split(", "))
        self.assertEqual(known - {"motion"}, DRIVERS)


class StartTest(ProgramTest):
    def start(self, text, code=0):
        path = self.scratch / "model.toml"
        path.write_text(text)
        document = self.json("assemble", str(path), code=code)
        return document["start"], dict(zip(document["names"], document["start"]["q"])), dict(zip(document["names_v"], document["start"]["v"])), document["outputs"]

    def wrong(self, text, *says, code=1):
        path = self.scratch / "model.toml"
        path.write_text(text)
        return self.refused("assemble", str(path), code=code, says=says)


class Forces(StartTest):
    def test_every_key_exerts_what_its_formula_says(self):
        for (name, space, key), (text, exerted) in FORCES.items():
            with self.subTest(name, space=space, key=key):
                bodies = Bodies(space == "planar")
                start, *_ = self.start(bodies.text() + f"[forces]\nf = {{ {text} }}\n")
                for found, expected in zip(start["a"], bodies.accelerations(*exerted(bodies)), strict=True):
                    self.assertAlmostEqual(found, expected, delta=1e-12)
                self.assertGreater(max(map(abs, start["a"])), 0.01)

    def test_the_power_of_every_key_is_that_of_its_forces(self):
        """What dissipates, stores or puts in is told apart by how the energies change at first."""
        h = 1e-4
        for (name, space, key), (text, exerted) in FORCES.items():
            with self.subTest(name, space=space, key=key):
                bodies = Bodies(space == "planar")
                path = self.scratch / "model.toml"
                path.write_text(bodies.text() + f"[forces]\nf = {{ {text} }}\n")
                accounts = json.loads(raak("run", str(path), "--until", str(h), "--rtol", "1e-12", "--json").stdout)["ledger"]["accounts"]
                forces, torques = exerted(bodies)
                power = sum(dot(force, bodies.rate(body)) for body, force in forces.items()) + sum(dot(torque, bodies.spin(body)) for body, torque in torques.items())
                dissipates = key.endswith("damping")
                stores = key in ("stiffness", "length", "torsion", "angle", "bodies")
                [account] = accounts
                self.assertEqual(account["kind"], "dissipation" if dissipates else "potential" if stores else "input")
                self.assertEqual(account["name"], "f")
                self.assertEqual(account["change"], account["end"] - account["start"])
                # What is stored or dissipated is lost to the motion.
                self.assertAlmostEqual(account["change"] / h, power if account["kind"] == "input" else -power, delta=1e-2 * (1.0 + abs(power)))

    def test_keys_of_the_other_space_are_refused(self):
        for (name, space, key), text in OTHER_SPACE.items():
            with self.subTest(name, space=space, key=key):
                self.wrong(Bodies(space == "planar").text() + f"[forces]\nf = {{ {text} }}\n", "model.toml:")

    HINGED = """format = "raak/1"
space = "spatial"
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.a]
mass = 2.0
inertia = [0.7, 0.7, 0.7]
points = { O = [0.0, 0.0, 0.0] }
axes = { n = [1.0, 2.0, 2.0] }
[bodies.b]
mass = 1.3
inertia = [0.4, 0.4, 0.4]
points = { O = [0.0, 0.0, 0.0] }
axes = { n = [1.0, 2.0, 2.0] }
[joints]
low = { type = "spherical", pins = ["ground.O", "a.O"] }
pin = { type = "revolute", pins = ["a.O", "b.O"], axes = ["a.n", "b.n"] }
[start.trust]
"a.rotation" = [0.0, 0.0, 0.0]
"a.omega" = [0.0, 0.0, 0.0]
"b.rotation" = [0.3, 0.6, 0.6]
"b.omega" = [0.5, 1.0, 1.0]
[forces]
"""

    def test_a_torsion_spring_twists_about_the_axis_of_its_hinge(self):
        turn, spin = 0.9, 1.5  # along (1, 2, 2) / 3
        for keys, torque in (("stiffness = 3.0", -3.0 * turn), ("stiffness = 5.0, angle = 0.3", -5.0 * (turn - 0.3)), ("damping = 0.6", -0.6 * spin),
                             ('stiffness = 3.0, bodies = ["a", "b"]', -3.0 * turn)):
            with self.subTest(keys):
                start, *_ = self.start(self.HINGED + f'f = {{ type = "torsion-spring", axes = ["a.n", "b.n"], {keys} }}\n')
                for body, sign in (("a", -1.0), ("b", 1.0)):
                    angular = start["a"][3:6] if body == "a" else start["a"][9:12]
                    for found, share in zip(angular, (1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0)):
                        self.assertAlmostEqual(found, sign * torque * share / INERTIA[body], delta=1e-12)

    def test_the_first_axis_of_a_torsion_spring_says_which_way_it_twists(self):
        start, *_ = self.start(self.HINGED + 'f = { type = "torsion-spring", axes = ["b.n", "a.n"], stiffness = 3.0, angle = 0.3 }\n')
        # The angle of a in b is -0.9, and at rest 0.3: the spring turns a by 3 (0.3 + 0.9).
        self.assertAlmostEqual(start["a"][5], 3.0 * 1.2 * 2.0 / 3.0 / INERTIA["a"], delta=1e-12)


PLANAR = """format = "raak/1"
gravity = [0.0, 0.0]
[ground.points]
O = [0.0, 0.0]
Q = [2.0, 0.5]
"""


def wheel(name, inertia, mass=1.0):
    return f"[bodies.{name}]\nmass = {mass}\ninertia = {inertia}\npoints = {{ C = [0.0, 0.0], P = [1.0, 0.0] }}\n"


class Joints(StartTest):
    def test_the_hinge_of_the_plane_needs_no_axes_and_that_of_space_does(self):
        self.start(PLANAR + wheel("w", 0.5) + '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\n')
        text = ('format = "raak/1"\nspace = "spatial"\n[ground.points]\nO = [0.0, 0.0, 0.0]\n[bodies.w]\nmass = 1.0\ninertia = [0.5, 0.5, 0.5]\n'
                'com = [0.0, 0.0, -1.0]\npoints = { C = [0.0, 0.0, 0.0] }\n[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\n')
        self.wrong(text, "model.toml:11:", "axes")

    def test_the_axes_of_a_hinge_in_space_are_those_it_turns_about(self):
        """A weight 1 m below a hinge along n = (2, 1, 0): the component of gravity's moment along n turns it, I + m l^2 about n."""
        n = (2.0 / math.sqrt(5.0), 1.0 / math.sqrt(5.0), 0.0)
        text = ('format = "raak/1"\nspace = "spatial"\ngravity = [3.0, 0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0, 0.0]\n[ground.axes]\nn = [2.0, 1.0, 0.0]\n'
                '[bodies.w]\nmass = 1.5\ninertia = [0.5, 0.5, 0.5]\ncom = [0.0, 0.0, -1.0]\npoints = { C = [0.0, 0.0, 0.0] }\naxes = { n = [2.0, 1.0, 0.0] }\n'
                '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"], axes = ["ground.n", "w.n"] }\n[start.trust]\n"w.rotation" = [0.0, 0.0, 0.0]\n')
        start, *_ = self.start(text)
        alpha = dot(n, cross((0.0, 0.0, -1.0), (1.5 * 3.0, 0.0, -1.5 * 9.81))) / (0.5 + 1.5)
        for found, expected in zip(start["a"][3:], times(alpha, n), strict=True):
            self.assertAlmostEqual(found, expected, delta=1e-12)

    def test_a_weld_holds_its_angle_in_the_plane(self):
        text = PLANAR + wheel("w", 0.5) + wheel("v", 0.2) + '[joints]\nweld = { type = "fixed", pins = ["w.P", "v.C"], angle = 0.4 }\n[start.trust]\n"w.angle" = 0.3\n"w.omega" = 2.0\n'
        _, q, v, _ = self.start(text)
        self.assertAlmostEqual(q["v.angle"], 0.7, delta=1e-13)
        self.assertAlmostEqual(q["v.x"] - q["w.x"], math.cos(0.3), delta=1e-13)
        self.assertAlmostEqual(v["v.angle"], 2.0, delta=1e-13)
        _, q, _, _ = self.start(text.replace(", angle = 0.4", ""))
        self.assertAlmostEqual(q["v.angle"], 0.3, delta=1e-13)

    def test_a_weld_in_space_keeps_frames_parallel(self):
        bodies = ('format = "raak/1"\nspace = "spatial"\n[bodies.w]\nmass = 1.0\ninertia = [0.5, 0.5, 0.5]\npoints = { C = [0.0, 0.0, 0.0], P = [1.0, 0.0, 0.0] }\n'
                  '[bodies.v]\nmass = 1.0\ninertia = [0.5, 0.5, 0.5]\npoints = { C = [0.0, 0.0, 0.0] }\n[start.trust]\n"w.rotation" = [0.3, -0.4, 0.5]\n"w.position" = [1.0, 2.0, 3.0]\n[joints]\n')
        _, q, _, _ = self.start(bodies + 'weld = { type = "fixed", pins = ["w.P", "v.C"] }\n')
        for part in "wxyz":
            self.assertAlmostEqual(abs(q[f"v.quaternion.{part}"]), abs(q[f"w.quaternion.{part}"]), delta=1e-12)
        for part, expected in zip("xyz", add((1.0, 2.0, 3.0), turned((0.3, -0.4, 0.5), (1.0, 0.0, 0.0)))):
            self.assertAlmostEqual(q[f"v.position.{part}"], expected, delta=1e-12)

    def test_the_offset_of_a_rolling_disc_says_where_it_has_angle_0(self):
        for offset in (0.0, 0.35, -1.2):
            text = PLANAR + wheel("w", 0.5) + f'[joints]\nroad = {{ type = "rolling", pins = ["ground.O", "w.C"], axes = ["ground.x"], radius = 0.25, offset = {offset} }}\n'
            _, q, v, _ = self.start(text + '[start.trust]\n"w.x" = 0.6\n"w.vx" = 1.5\n')
            self.assertAlmostEqual(0.6 + 0.25 * q["w.angle"], offset, delta=1e-12)
            self.assertAlmostEqual(q["w.y"], 0.25, delta=1e-12)
            self.assertAlmostEqual(1.5 + 0.25 * v["w.angle"], 0.0, delta=1e-12)

    def test_the_offset_of_a_rack_is_its_way_where_the_pinion_has_angle_0(self):
        for offset in (0.0, 0.4, -0.3):
            text = (PLANAR + wheel("w", 0.5) + wheel("bar", 0.3) + '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\n'
                    'rail = { type = "prismatic", pins = ["ground.O", "bar.C"], axes = ["ground.x", "bar.x"] }\n'
                    f'rack = {{ type = "rack", pins = ["w.C", "bar.C"], axes = ["bar.x"], radius = 0.2, offset = {offset} }}\n[start.trust]\n"w.angle" = 1.5\n"w.omega" = -3.0\n')
            _, q, v, _ = self.start(text)
            self.assertAlmostEqual(q["bar.x"], 0.2 * 1.5 + offset, delta=1e-12)
            self.assertAlmostEqual(v["bar.x"], -0.6, delta=1e-12)

    def test_the_phase_of_gears_is_the_angle_of_the_second_where_the_first_has_none(self):
        for phase in (0.0, 0.7, -2.0):
            text = (PLANAR + wheel("w", 0.5) + wheel("v", 0.2) + '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\nQ = { type = "revolute", pins = ["ground.Q", "v.C"] }\n'
                    f'mesh = {{ type = "gear", bodies = ["w", "v"], ratio = -1.5, phase = {phase} }}\n[start.trust]\n"w.angle" = 0.8\n"w.omega" = 2.0\n')
            _, q, v, _ = self.start(text)
            self.assertAlmostEqual(q["v.angle"], -1.5 * 0.8 + phase, delta=1e-12)
            self.assertAlmostEqual(v["v.angle"], -3.0, delta=1e-12)

    PLANETARY = PLANAR + wheel("sun", 0.1) + wheel("arm", 0.6, 2.0) + wheel("planet", 0.05, 0.5) + """[joints]
S = { type = "revolute", pins = ["ground.O", "sun.C"] }
A = { type = "revolute", pins = ["ground.O", "arm.C"] }
P = { type = "revolute", pins = ["arm.P", "planet.C"] }
inner = { type = "gear", bodies = ["sun", "planet"], ratio = -2.0, carrier = "arm", phase = 0.1 }
"""

    def test_gears_turn_as_their_carrier_sees_them(self):
        """Willis: angle_2 - angle_c = ratio (angle_1 - angle_c) + phase."""
        _, q, v, _ = self.start(self.PLANETARY + '[start.trust]\n"sun.angle" = 0.7\n"arm.angle" = 0.4\n"sun.omega" = 3.0\n"arm.omega" = 1.0\n')
        self.assertAlmostEqual(q["planet.angle"], 0.4 - 2.0 * (0.7 - 0.4) + 0.1, delta=1e-12)
        self.assertAlmostEqual(v["planet.angle"], 1.0 - 2.0 * (3.0 - 1.0), delta=1e-12)

    RING = """ring = { type = "gear", bodies = ["planet", "ring"], ratio = 0.5, carrier = "arm" }
R = { type = "revolute", pins = ["ground.O", "ring.C"] }
hold = { type = "fixed", pins = ["ground.O", "ring.C"] }
"""

    def test_a_planetary_gear_with_its_ring_held_turns_its_arm_half_as_fast_and_shares_inertia_so(self):
        """The ring at rest: -w_arm = 0.5 (w_planet - w_arm), w_planet = w_arm - 2 (w_sun - w_arm): w_arm = w_sun / 2, w_planet = -w_sun / 2."""
        text = self.PLANETARY.replace(', phase = 0.1', '').replace("[joints]", wheel("ring", 0.4) + "[joints]") + self.RING.replace("R = { type = \"revolute\", pins = [\"ground.O\", \"ring.C\"] }\n", "")
        text += '[forces]\nmotor = { type = "torque", on = "sun", value = 1.2 }\n[outputs]\ntooth = "inner.moment"\n'
        start, _, _, outputs = self.start(text)
        # Sun 1, arm 1/2 with the planet's mass at 1 m, planet -1/2.
        inertia = 0.1 + 0.25 * (0.6 + 0.5 * 1.0) + 0.25 * 0.05
        alpha = 1.2 / inertia
        for index, factor in ((2, 1.0), (5, 0.5), (8, -0.5), (11, 0.0)):
            self.assertAlmostEqual(start["a"][index], factor * alpha, delta=1e-10)
        # The sun gets -ratio times what the planet gets, so that the mesh does no work: what the motor does not use on it.
        self.assertAlmostEqual(2.0 * outputs["tooth"], 0.1 * alpha - 1.2, delta=1e-10)

    SPATIAL = """format = "raak/1"
space = "spatial"
[ground.points]
O = [0.0, 0.0, 0.0]
[ground.axes]
n = [0.0, 3.0, 4.0]
[bodies.sun]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
points = { C = [0.0, 0.0, 0.0] }
axes = { n = [0.0, 3.0, 4.0] }
[bodies.arm]
mass = 2.0
inertia = [0.6, 0.6, 0.6]
points = { C = [0.0, 0.0, 0.0], P = [1.0, 0.0, 0.0] }
axes = { n = [0.0, 3.0, 4.0] }
[bodies.planet]
mass = 0.5
inertia = [0.05, 0.05, 0.05]
points = { C = [0.0, 0.0, 0.0] }
axes = { n = [0.0, 3.0, 4.0] }
[joints]
S = { type = "revolute", pins = ["ground.O", "sun.C"], axes = ["ground.n", "sun.n"] }
A = { type = "revolute", pins = ["ground.O", "arm.C"], axes = ["ground.n", "arm.n"] }
P = { type = "revolute", pins = ["arm.P", "planet.C"], axes = ["arm.n", "planet.n"] }
inner = { type = "gear", bodies = ["sun", "planet"], ratio = RATIO, carrier = "arm", axes = ["sun.n", "planet.n"] }
[start.trust]
"sun.omega" = [0.0, 1.8, 2.4]
"arm.omega" = [0.0, 0.6, 0.8]
[outputs]
planet = "(planet.omega.y*3 + planet.omega.z*4)/5"
sun = "(sun.omega.y*3 + sun.omega.z*4)/5"
arm = "(arm.omega.y*3 + arm.omega.z*4)/5"
tooth = "inner.moment.z"
"""

    def test_planetary_gears_in_space_turn_as_their_carrier_sees_them(self):
        for text, ratio in (("-2.0", -2.0), ('"-sqrt(2)"', -math.sqrt(2.0)), ("0.75", 0.75)):
            with self.subTest(text):
                *_, outputs = self.start(self.SPATIAL.replace("RATIO", text))
                self.assertAlmostEqual(outputs["sun"], 3.0, delta=1e-12)
                self.assertAlmostEqual(outputs["arm"], 1.0, delta=1e-12)
                self.assertAlmostEqual(outputs["planet"], 1.0 + ratio * (3.0 - 1.0), delta=1e-12)

    def test_planetary_gears_in_space_share_inertia_for_many_turns(self):
        """Driven by a torque on the sun while nothing holds the arm: two freedoms, M (sun, arm) with w_planet = w_arm + r (w_sun - w_arm)."""
        for text, r in (("-2.0", -2.0), ('"-sqrt(2)"', -math.sqrt(2.0))):
            with self.subTest(text):
                path = self.scratch / "model.toml"
                path.write_text(self.SPATIAL.replace("RATIO", text) + '[forces]\nmotor = { type = "torque", on = "sun", value = [0.0, 0.3, 0.4] }\n')
                outputs = self.json("run", str(path), "--until", "6", "--rtol", "1e-10")["outputs"]
                a, b, c = 0.1 + r * r * 0.05, r * (1.0 - r) * 0.05, 0.6 + 0.5 + (1.0 - r) ** 2 * 0.05
                sun, arm = 0.5 * c / (a * c - b * b), -0.5 * b / (a * c - b * b)
                self.assertAlmostEqual(outputs["sun"], 3.0 + 6.0 * sun, delta=1e-6)
                self.assertAlmostEqual(outputs["arm"], 1.0 + 6.0 * arm, delta=1e-6)
                self.assertAlmostEqual(outputs["planet"], 1.0 + 6.0 * arm + r * (2.0 + 6.0 * (sun - arm)), delta=1e-6)
                self.assertAlmostEqual(outputs["tooth"], 0.8 * 0.05 * (arm + r * (sun - arm)), delta=1e-6)

    def test_the_axes_of_gears_in_space_say_which_way_they_turn(self):
        text = self.SPATIAL.replace('ratio = RATIO, carrier = "arm", axes = ["sun.n", "planet.n"]', 'ratio = -2.0, carrier = "arm", axes = ["sun.n", "planet.m"]')
        text = text.replace("axes = { n = [0.0, 3.0, 4.0] }\n[joints]", "axes = { n = [0.0, 3.0, 4.0], m = [0.0, -3.0, -4.0] }\n[joints]")
        *_, outputs = self.start(text)
        self.assertAlmostEqual(outputs["planet"], 1.0 + 2.0 * (3.0 - 1.0), delta=1e-12)

    def test_gears_have_the_keys_of_their_space(self):
        self.wrong(self.SPATIAL.replace("RATIO", "-2.0, phase = 0.3"), "has no phase")
        self.wrong(self.SPATIAL.replace("RATIO", "-2.0").replace(', axes = ["sun.n", "planet.n"] }\n[start', " }\n[start"), "model.toml:", "axes")
        self.wrong(self.PLANETARY.replace("-2.0", "0.0"), "the ratio of a gear pair is 0")
        self.wrong(self.SPATIAL.replace("RATIO", "0.0"), "the ratio of a gear pair is 0")


class Drivers(StartTest):
    ARM = PLANAR.replace("[0.0, 0.0]\n[ground", "[0.0, -10.0]\n[ground") + """[bodies.w]
mass = 2.0
inertia = 0.5
com = [0.5, 0.0]
points = { C = [0.0, 0.0], P = [1.0, 0.0] }
"""

    def test_a_coordinate_follows_its_motion_and_the_driver_gives_the_moment_for_it(self):
        text = self.ARM + '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\n[drivers]\nm = { coordinate = "w.angle", motion = "0.3 + 2*t - 1.5*t^2" }\n[outputs]\nM = "m.moment"\n'
        start, q, v, outputs = self.start(text)
        self.assertAlmostEqual(q["w.angle"], 0.3, delta=1e-13)
        self.assertAlmostEqual(v["w.angle"], 2.0, delta=1e-13)
        self.assertAlmostEqual(start["a"][2], -3.0, delta=1e-12)
        self.assertAlmostEqual(outputs["M"], (0.5 + 2.0 * 0.25) * -3.0 + 2.0 * 10.0 * 0.5 * math.cos(0.3), delta=1e-12)

    def test_a_distance_follows_its_motion_and_the_driver_pushes_it_apart(self):
        """A weight hung from a winch: the rope gets longer by 0.5 m/s and 0.4 m/s^2, and its force is m (a - g) along it."""
        text = PLANAR.replace("[0.0, 0.0]\n[ground", "[0.0, -10.0]\n[ground") + '[bodies.bob]\ntype = "point"\nmass = 3.0\n[joints]\nline = { type = "slot", pins = ["ground.O", "bob"], axes = ["ground.y"] }\n'
        text += '[drivers]\nw = { distance = ["ground.O", "bob"], motion = "2 + 0.5*t + 0.2*t^2" }\n[start.guess]\n"bob.y" = -1.9\n[outputs]\nF = "w.force"\n'
        start, q, v, outputs = self.start(text)
        self.assertAlmostEqual(q["bob.y"], -2.0, delta=1e-12)
        self.assertAlmostEqual(v["bob.y"], -0.5, delta=1e-12)
        self.assertAlmostEqual(start["a"][1], -0.4, delta=1e-12)
        self.assertAlmostEqual(outputs["F"], 3.0 * (0.4 - 10.0), delta=1e-11)

    def test_the_displacement_of_every_joint_that_has_one_is_driven(self):
        """Angles of a hinge are those of the second body in the first, ways those of the second pin along the axis of the first."""
        rail = 'rail = { type = "TYPE", pins = ["ground.Q", "w.C"], axes = ["ground.x"AXIS] }\n'
        for kind, joint, coordinate, expected in (("revolute", 'rail = { type = "revolute", pins = ["ground.Q", "w.C"] }\n', "w.angle", 0.7),
                                                  ("revolute", 'rail = { type = "revolute", pins = ["w.C", "ground.Q"] }\n', "w.angle", -0.7),
                                                  ("prismatic", rail.replace("AXIS", ', "w.x"').replace("TYPE", "prismatic"), "w.x", 2.7),
                                                  ("slot", rail.replace("AXIS", "").replace("TYPE", "slot"), "w.x", 2.7),
                                                  ("rolling", rail.replace("AXIS]", "], radius = 0.2").replace("TYPE", "rolling"), "w.x", 2.7)):
            with self.subTest(kind, joint=joint):
                _, q, v, _ = self.start(PLANAR + wheel("w", 0.5) + "[joints]\n" + joint + '[drivers]\nm = { displacement = "rail", motion = "0.7 + 3*t" }\n')
                self.assertAlmostEqual(q[coordinate], expected, delta=1e-12)
                self.assertAlmostEqual(v[coordinate], 3.0 if expected > 0 else -3.0, delta=1e-12)

    def test_a_driver_names_one_thing_to_drive(self):
        hinge = '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\nrod = { type = "distance", between = ["ground.Q", "w.P"], length = 3.0 }\n'
        for keys, says in (('coordinate = "w.angle", displacement = "O", motion = "t"', "d"), ('motion = "t"', "d"), ('displacement = "rod", motion = "t"', "has no displacement to drive"),
                           ('displacement = "nowhere", motion = "t"', "nowhere"), ('coordinate = "w.angle", motion = "w.x"', "expected a formula of t and parameters"),
                           ('coordinate = "w.omega", motion = "t"', "is a rate")):
            with self.subTest(keys):
                self.wrong(self.ARM + hinge + f"[drivers]\nd = {{ {keys} }}\n", "model.toml:", says)


if __name__ == "__main__":
    unittest.main()
