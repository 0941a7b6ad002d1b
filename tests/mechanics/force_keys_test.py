"""Every optional key of every force does what it says, by formulas that are written down here.

What a force exerts on two bodies in general position and motion is compared with their accelerations at the start. A key that the
catalogue has and this file lacks is a failure: add its case to FORCES.
"""

import json
import math
import unittest

from program import raak
from two_bodies import INERTIA, TURN, Bodies, StartTest, add, cross, dot, norm, optional_keys, rotation_between, times, turned


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


def zero_direction(axis):
    """The direction across an axis, in its body, that angles about it are counted from (docs/model-file.md)."""
    d = cross((1.0, 0.0, 0.0) if abs(axis[2]) > 0.9 else (0.0, 0.0, 1.0), axis)
    return times(1.0 / norm(d), d)


def tilted(bodies, axis_a, axis_b):
    """Of axes that no joint keeps parallel: the angle that is left after the shortest turn from the second to the first, and its
    slope, the angle by which it grows where b turns about each direction."""
    (one, from_one), (other, from_other) = ((turned(bodies.turn(body), axis), turned(bodies.turn(body), zero_direction(axis))) for body, axis in (("a", axis_a), ("b", axis_b)))
    swing = cross(other, one)
    brought = turned(times(math.atan2(norm(swing), dot(other, one)) / norm(swing), swing), from_other)
    angle = math.atan2(dot(cross(from_one, brought), one), dot(from_one, brought))
    return angle, times(1.0 / (1.0 + dot(one, other)), add(one, other))


def twisted(stiffness=0.0, rest=0.0, damping=0.0, axes=((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))):
    def exerted(bodies):
        angle, slope = tilted(bodies, *axes)
        return pair((0.0, 0.0, 0.0), times(-stiffness * (angle - rest) - damping * dot(slope, relative_spin(bodies)), slope))

    return exerted


SPRING = 'type = "spring", between = ["a.P", "b.P"]'
BUSHING = 'type = "bushing", pins = ["a.P", "b.P"]'
TWIST = 'type = "torsion-spring", bodies = ["a", "b"]'
TILTED = 'type = "torsion-spring", axes = ["a.z", "b.z"]'
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
# No joint keeps the axes of a torsion spring parallel here; what it does on a hinge is tested below.
FORCES["torsion-spring", "spatial", "stiffness"] = (f"{TILTED}, stiffness = 3.0", twisted(3.0))
FORCES["torsion-spring", "spatial", "angle"] = (f"{TILTED}, stiffness = 3.0, angle = 0.3", twisted(3.0, rest=0.3))
FORCES["torsion-spring", "spatial", "damping"] = (f"{TILTED}, damping = 0.6", twisted(damping=0.6))
FORCES["torsion-spring", "spatial", "axes"] = ('type = "torsion-spring", axes = ["a.y", "b.x"], stiffness = 3.0', twisted(3.0, axes=((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))))
# Keys of the other space are refused, or have to say what the others say.
OTHER_SPACE = {
    ("torsion-spring", "planar", "axes"): f'{TWIST}, axes = ["a.z", "b.z"], stiffness = 1.0',
    ("torsion-spring", "spatial", "bodies"): 'type = "torsion-spring", bodies = ["b", "a"], axes = ["a.z", "b.z"], stiffness = 1.0',
    ("bushing", "spatial", "angle"): f"{BUSHING}, torsion = 1.0, angle = 0.2",
}


class Forces(StartTest):
    def test_every_optional_key_of_the_catalogue_is_tested_here(self):
        self.assertEqual(optional_keys(self.json("list", "forces")), set(FORCES) | set(OTHER_SPACE))

    def test_every_key_exerts_what_its_formula_says(self):
        for (name, space, key), (text, exerted) in FORCES.items():
            with self.subTest(name, space=space, key=key):
                bodies = Bodies(space == "planar")
                start, *_ = self.start(bodies.text() + f"[forces]\nf = {{ {text} }}\n")
                for found, expected in zip(start["a"], bodies.accelerations(*exerted(bodies)), strict=True):
                    self.assertAlmostEqual(found, expected, delta=1e-12)
                self.assertGreater(max(map(abs, start["a"])), 0.01)

    def test_the_power_of_every_key_is_that_of_its_forces(self):
        """What dissipates, stores or puts in is distinguished by how the energies change at first."""
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
                stores = key in ("stiffness", "length", "torsion", "angle", "bodies") or "stiffness" in text
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


if __name__ == "__main__":
    unittest.main()
