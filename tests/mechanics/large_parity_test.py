"""More bodies than are recorded as a whole are evaluated element by element: a crowd of mechanisms moves as each of them does alone."""

import json
import re
import unittest

from program import ProgramTest, raak

HEAD = 'format = "raak/1"\ngravity = [0.3, -9.81]\n'
GROUND = "[ground.points]\nO = [0.0, 0.0]\nW = [2.0, 1.0]\n"
# Bodies, joints, forces, drivers, trusted values and outputs of one mechanism; N is its number.
KINDS = {
    "arm": {
        "bodies": "[bodies.armN]\nmass = 2.0\ninertia = 0.4\ncom = [0.5, 0.1]\npoints = { O = [0.0, 0.0], E = [1.0, 0.0] }\n",
        "joints": 'hN = { type = "revolute", pins = ["ground.O", "armN.O"] }\n',
        "forces": 'tN = { type = "torsion-spring", bodies = ["ground", "armN"], stiffness = 3.0, angle = 0.2, damping = 0.1 }\nmN = { type = "torque", on = "armN", value = "sin(t) - 0.1*armN.omega" }\n',
        "trust": '"armN.angle" = VALUE\n"armN.omega" = 1.5\n',
        "outputs": 'xN = "armN.E.x"\nfN = "hN.force.y"\n',
    },
    "sleigh": {
        "bodies": "[bodies.slN]\nmass = 1.5\ninertia = 0.3\ncom = [0.4, 0.0]\npoints = { A = [0.0, 0.0] }\n",
        "joints": 'kN = { type = "knife-edge", pins = ["ground.O", "slN.A"], axes = ["slN.x"] }\n',
        "forces": 'pN = { type = "force", at = "slN.A", value = [0.5, 0.2], axes = "body" }\n',
        "trust": '"slN.x" = 0.1\n"slN.y" = 0.2\n"slN.angle" = VALUE\n"slN.omega" = 0.7\n',
        "outputs": 'xN = "slN.A.x"\nfN = "kN.force.x"\n',
    },
    "slider": {
        "bodies": "[bodies.bN]\nmass = 1.0\ninertia = 0.2\npoints = { C = [0.0, 0.0] }\n",
        "joints": 'rN = { type = "prismatic", pins = ["ground.W", "bN.C"], axes = ["ground.x", "bN.x"] }\n',
        "forces": 'sN = { type = "spring", between = ["ground.O", "bN.C"], stiffness = 12.0, length = 0.8, damping = 0.3 }\n',
        "trust": '"bN.x" = "2 + VALUE"\n"bN.vx" = -0.4\n',
        "outputs": 'xN = "bN.x"\nfN = "rN.force.y"\n',
    },
    "driven": {
        "bodies": "[bodies.wN]\nmass = 1.2\ninertia = 0.3\ncom = [0.2, 0.0]\npoints = { C = [0.0, 0.0] }\n",
        "joints": 'vN = { type = "revolute", pins = ["ground.W", "wN.C"] }\n',
        "forces": "",
        "drivers": 'dN = { coordinate = "wN.angle", motion = "VALUE + 2*t + 0.3*t^2" }\n',
        "trust": "",
        "outputs": 'xN = "dN.moment"\nfN = "vN.force.x"\n',
    },
}
# Two hinges in one place: how they share the load is not unique, what they bear together is.
TWICE = {
    "bodies": "[bodies.tN]\nmass = 2.0\ninertia = 0.4\ncom = [0.5, 0.1]\npoints = { O = [0.0, 0.0] }\n",
    "joints": 'iN = { type = "revolute", pins = ["ground.O", "tN.O"] }\njN = { type = "revolute", pins = ["ground.O", "tN.O"] }\n',
    "trust": '"tN.angle" = VALUE\n"tN.omega" = 1.5\n',
    "outputs": 'aN = "iN.force.y"\nbN = "jN.force.y"\nsN = "iN.force.y + jN.force.y"\n',
}
# With so many of these joints are no more than bodies, and a planar crowd is not recorded as a whole.
FREE = {"bodies": "[bodies.oN]\nmass = 1.0\ninertia = 0.1\n", "trust": '"oN.x" = VALUE\n'}


def model(members):
    """The mechanisms of the list, (kind, number, value) each, in one file."""
    text = HEAD + GROUND
    for section in ("bodies", "joints", "forces", "drivers", "trust", "outputs"):
        parts = "".join(re.sub(r"(?<=[a-z])N(?![a-zA-Z])", str(number), {**KINDS, "twice": TWICE, "free": FREE}[kind].get(section, "")).replace("VALUE", repr(value)) for kind, number, value in members)
        if parts:
            text += {"bodies": "", "trust": "[start.trust]\n"}.get(section, f"[{section}]\n") + parts
    return text


class Crowd(ProgramTest):
    def run_model(self, members, *arguments):
        path = self.scratch / "model.toml"
        path.write_text(model(members))
        document = json.loads(raak("run", str(path), "--until", "1.2", "--rtol", "1e-10", "--json", *arguments).stdout)
        self.assertEqual(document["status"], "ok", document["message"])
        return document

    def test_a_crowd_moves_as_each_does_alone(self):
        crowd = [(kind, i, round(0.1 + 0.13 * (i % 7), 3)) for i, kind in enumerate(list(KINDS) * 9)]
        together = self.run_model(crowd)
        q, v = dict(zip(together["names"], together["final"]["q"])), dict(zip(together["names_v"], together["final"]["v"]))
        a = dict(zip(together["names_v"], together["final"]["a"]))
        self.assertGreater(len(crowd), 30)
        kinetic = potential = 0.0
        for member in crowd[:28]:
            alone = self.run_model([member])
            for there, key, of in ((q, "q", "names"), (v, "v", "names_v"), (a, "a", "names_v")):
                for name, value in zip(alone[of], alone["final"][key]):
                    self.assertAlmostEqual(there[name], value, delta=1e-7 * max(1.0, abs(value)), msg=name)
            for name, value in alone["outputs"].items():
                if not name.startswith("energy."):
                    self.assertAlmostEqual(together["outputs"][name], value, delta=1e-7 * max(1.0, abs(value)), msg=name)
            kinetic += alone["outputs"]["energy.kinetic"]
            potential += alone["outputs"]["energy.potential"]
        for member in crowd[28:]:
            alone = self.run_model([member])
            kinetic += alone["outputs"]["energy.kinetic"]
            potential += alone["outputs"]["energy.potential"]
        self.assertAlmostEqual(together["outputs"]["energy.kinetic"], kinetic, delta=1e-6 * kinetic)
        self.assertAlmostEqual(together["outputs"]["energy.potential"], potential, delta=1e-6 * abs(potential))
        self.assertLess(together["quality"]["velocity_residual"], 1e-11)
        self.assertLess(together["quality"]["position_residual"], 1e-11)

    def test_what_is_trusted_holds_in_a_crowd_too(self):
        crowd = [(kind, i, round(0.1 + 0.13 * (i % 7), 3)) for i, kind in enumerate(list(KINDS) * 9)]
        path = self.scratch / "model.toml"
        path.write_text(model(crowd))
        document = self.json("assemble", str(path))
        q, v = dict(zip(document["names"], document["start"]["q"])), dict(zip(document["names_v"], document["start"]["v"]))
        for kind, i, value in crowd:
            if kind == "arm":
                self.assertAlmostEqual(q[f"arm{i}.angle"], value, delta=1e-12)
                self.assertAlmostEqual(v[f"arm{i}.angle"], 1.5, delta=1e-12)
            if kind == "sleigh":
                self.assertAlmostEqual(v[f"sl{i}.angle"], 0.7, delta=1e-12)
            if kind == "slider":
                self.assertAlmostEqual(q[f"b{i}.x"], 2.0 + value, delta=1e-12)
                self.assertAlmostEqual(v[f"b{i}.x"], -0.4, delta=1e-12)
            if kind == "driven":
                self.assertAlmostEqual(v[f"w{i}.angle"], 2.0, delta=1e-12)
        self.assertEqual(document["mechanism"]["mobility"], 9 * (1 + 2 + 1 + 0) + 0)

    def test_reactions_that_are_not_unique_are_withheld_in_a_crowd_too(self):
        alone = self.run_model([("twice", 0, 0.2)])
        self.assertEqual((alone["outputs"]["a0"], alone["outputs"]["b0"]), (None, None))
        # So few rows that they are chosen by singular values, and more.
        for twice, arms in ((1, 39), (20, 140)):
            crowd = [*(("twice", i, round(0.2 + 0.01 * i, 2)) for i in range(twice)), *(("arm", i, 0.1) for i in range(twice, arms)),
                     *(("free", i, 0.5 * i) for i in range(arms, arms + twice))]
            together = self.run_model(crowd)
            for name in ("a0", "b0"):
                self.assertIsNone(together["outputs"][name], f"{name} of {len(crowd)}")
            self.assertAlmostEqual(together["outputs"]["s0"], alone["outputs"]["s0"], delta=1e-7)
            self.assertEqual(together["reactions"]["indeterminate"][:1], ["i0"])
            self.assertIn("i0.force.y", together["reactions"]["indeterminate_components"])
            self.assertEqual(together["final"]["lambda"].count(None), 4 * sum(kind == "twice" for kind, _, _ in crowd))
            self.assertIsNotNone(together["outputs"]["f38"], "a hinge that shares nothing")

    def test_a_rate_that_cannot_be_is_refused_in_a_crowd_too(self):
        crowd = [("slider", i, 0.1) for i in range(36)]
        path = self.scratch / "model.toml"
        path.write_text(model(crowd).replace('"b7.vx" = -0.4', '"b7.vy" = -0.4'))
        self.refused("assemble", str(path), code=3, says=["b7"])


if __name__ == "__main__":
    unittest.main()
