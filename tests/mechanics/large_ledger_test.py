"""The ledger of one mechanism on both sides of the size from which bodies are evaluated element by element.

Every key of every force of the catalogue acts between two bodies with gravity; beside them enough bodies that cannot move bring the
mechanism over that size. What each force stores, puts in and takes must be booked alike, account by account.
"""

import json
import unittest

from force_keys_test import FORCES
from program import ProgramTest, raak
from two_bodies import Bodies

IDLE = 31  # one more than are recorded as a whole
CLOSE = 1e-8
HINGE = 'h = { type = "revolute", pins = ["ground.G", "b.C"], axes = ["ground.z", "b.z"] }\n'
TURNING = '"b.position" = [0.0, 0.0, 0.0]\n"b.rotation" = [0.0, 0.0, 0.4]\n"b.omega" = [0.0, 0.0, 9.0]\n'
SLIDING = '"b.position" = [0.0, 0.0, 0.3]\n"b.rotation" = [0.0, 0.0, 0.4]\n"b.omega" = [0.0, 0.0, 3.0]\n"b.velocity" = [0.0, 0.0, 0.5]\n'
THREAD = '"b.position" = [0.0, 0.0, 0.3]\n"b.rotation" = [0.0, 0.0, 0.4]\n"b.omega" = [0.0, 0.0, 3.0]\n'
SHIFTED = '"b.position" = [0.0, 0.0, 0.3]\n"b.velocity" = [0.0, 0.0, 0.5]\n'
ALL_OF_BUSHING = "stiffness = 5.0, damping = 0.3, torsion = 0.7, torsion-damping = 0.2"
TWIST = "stiffness = 0.7, damping = 0.2, angle = 0.3"


def joint(kind, more=""):
    return f'h = {{ type = "{kind}", pins = ["ground.G", "b.C"], axes = ["ground.z", "b.z"]{more} }}\n'


# Spatial body b on a joint to the ground: joint, start, force. The angle of a hinge counts turns, that of a ball joint too.
JOINTED = {
    "torsion spring on a hinge": (HINGE, TURNING, f'type = "torsion-spring", axes = ["ground.z", "b.z"], {TWIST}'),
    "torsion spring on a ball": ('h = { type = "spherical", pins = ["ground.G", "b.C"] }\n', TURNING.replace("[0.0, 0.0, 9.0]", "[0.3, 0.1, 2.0]"),
                                 f'type = "torsion-spring", axes = ["ground.z", "b.z"], {TWIST}'),
    "bushing on a hinge": (HINGE, TURNING, f'type = "bushing", pins = ["ground.G", "b.P"], {ALL_OF_BUSHING}'),
    "bushing on a ball": ('h = { type = "spherical", pins = ["ground.G", "b.C"] }\n', TURNING.replace("[0.0, 0.0, 9.0]", "[0.3, 0.1, 2.0]"),
                          f'type = "bushing", pins = ["ground.G", "b.P"], {ALL_OF_BUSHING}'),
    "actuator of a hinge": (HINGE, TURNING, 'type = "actuator", joint = "h", value = "sin(3*t) - 0.1*b.omega.z"'),
    "actuator of a slide": (joint("prismatic"), SHIFTED, 'type = "actuator", joint = "h", value = "sin(3*t)"'),
    "actuator of a sleeve": (joint("cylindrical"), SLIDING, 'type = "actuator", joint = "h", value = "sin(3*t)"'),
    "actuator of a screw": (joint("screw", ", pitch = 0.1"), THREAD, 'type = "actuator", joint = "h", value = "sin(3*t)"'),
}
PLANAR_JOINTED = {
    "actuator of a hinge": ('h = { type = "revolute", pins = ["ground.G", "b.C"] }\n', '"b.angle" = 0.4\n"b.omega" = 3.0\n', 'type = "actuator", joint = "h", value = "sin(3*t)"'),
    "actuator of a slide": ('h = { type = "prismatic", pins = ["ground.G", "b.C"], axes = ["ground.x", "b.x"] }\n', '"b.x" = 0.4\n"b.vx" = 0.5\n',
                            'type = "actuator", joint = "h", value = "sin(3*t)"'),
}


def cases():
    """(name, planar, bodies and start, joints, force)."""
    for (name, space, key), (force, _) in FORCES.items():
        planar = space == "planar"
        yield f"{name}, {key}", planar, Bodies(planar).text(), "", force
    for name, (joints, start, force) in JOINTED.items():
        body = "[bodies.b]\nmass = 1.3\ninertia = [0.4, 0.5, 0.6]\ncom = [0.1, -0.05, 0.02]\npoints = { C = [0.0, 0.0, 0.0], P = [0.2, 0.1, 0.0] }\n"
        yield name, False, f'format = "raak/1"\nspace = "spatial"\n{body}[start.trust]\n{start}', joints, force
    for name, (joints, start, force) in PLANAR_JOINTED.items():
        body = "[bodies.b]\nmass = 1.3\ninertia = 0.4\ncom = [0.1, -0.05]\npoints = { C = [0.0, 0.0], P = [0.2, 0.1] }\n"
        yield name, True, f'format = "raak/1"\n{body}[start.trust]\n{start}', joints, force


def model(planar, bodies, joints, force, idle):
    """Idle points stay at the origin, where they have no potential energy."""
    zeros, pin = ("[0.0, 0.0]", "revolute") if planar else ("[0.0, 0.0, 0.0]", "spherical")
    gravity = "[0.4, -9.8]" if planar else "[0.4, -9.8, 0.7]"
    head, rest = bodies.split("[bodies", 1)
    text = f"{head}gravity = {gravity}\n[ground.points]\nG = {zeros}\n[bodies{rest}"
    for i in range(idle):
        text += f'[bodies.idle{i}]\ntype = "point"\nmass = {1.0 + i}\n'
        joints += f'held{i} = {{ type = "{pin}", pins = ["ground.G", "idle{i}.idle{i}"] }}\n'
    return f"{text}[joints]\n{joints}[forces]\nf = {{ {force} }}\n" if joints else f"{text}[forces]\nf = {{ {force} }}\n"


class BothSides(ProgramTest):
    def ledger(self, planar, bodies, joints, force, idle):
        path = self.scratch / "model.toml"
        path.write_text(model(planar, bodies, joints, force, idle))
        # Far less than half a turn of a bushing between free bodies, more than a turn on a hinge.
        done = raak("run", str(path), "--until", "0.7", "--rtol", "1e-10", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertLess(abs(document["quality"]["energy_drift"]), 1e-6)
        return document["ledger"], document["outputs"]

    def test_every_force_is_booked_alike_on_both_sides(self):
        for name, planar, bodies, joints, force in cases():
            with self.subTest(name, planar=planar):
                (whole, columns), (parts, same_columns) = (self.ledger(planar, bodies, joints, force, idle) for idle in (0, IDLE))
                self.assertEqual([(a["kind"], a["name"]) for a in whole["accounts"]], [(a["kind"], a["name"]) for a in parts["accounts"]])
                self.assertIn("f", [a["name"] for a in whole["accounts"]])
                for one, other in zip(whole["accounts"], parts["accounts"]):
                    for key in ("start", "end", "change"):
                        self.assertAlmostEqual(one[key], other[key], delta=CLOSE * (1.0 + abs(one[key])), msg=f'{one["name"]} {key}')
                for column in columns:
                    if column.startswith("energy."):
                        self.assertAlmostEqual(columns[column], same_columns[column], delta=CLOSE * (1.0 + abs(columns[column])), msg=column)
                for key in ("input", "dissipation"):
                    self.assertAlmostEqual(whole[key], parts[key], delta=CLOSE * (1.0 + abs(whole[key])), msg=key)

    def test_every_force_of_the_catalogue_is_here(self):
        seen = {("planar" if planar else "spatial", force.split('"')[1]) for _, planar, _, _, force in cases()}
        known = {(space, force["name"]) for force in self.json("list", "forces") for space in ("planar", "spatial") if force[space]}
        self.assertEqual(seen, known)

    def test_what_a_damper_takes_is_never_put_in(self):
        for name, planar, bodies, joints, force in cases():
            if "damping" not in force:
                continue
            with self.subTest(name, planar=planar):
                for idle in (0, IDLE):
                    ledger, _ = self.ledger(planar, bodies, joints, force, idle)
                    kinds = {a["kind"]: a["change"] for a in ledger["accounts"] if a["name"] == "f"}
                    self.assertNotIn("input", kinds)
                    self.assertGreater(kinds["dissipation"], 0.0)


if __name__ == "__main__":
    unittest.main()
