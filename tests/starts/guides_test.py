"""Guides side by side: they meet at infinity, where Newton's method looks for them."""

import unittest

from program import ProgramTest, raak

GUIDES = """format = "raak/1"
[ground.points]
O = [{q}, 0.0]
Q = [{q}, {high}]
[bodies.b]
mass = {mass}
inertia = {inertia}
points = {{ C = [0.0, 0.0], B = [{length}, 0.0] }}
[bodies.c]
mass = {mass}
inertia = {inertia}
points = {{ E = [0.0, 0.0] }}
[joints]
p = {{ type = "prismatic", pins = ["ground.O", "b.C"], axes = ["ground.x", "b.x"] }}
k = {{ type = "slot", pins = ["b.B", "ground.Q"], axes = ["b.x"] }}
h = {{ type = "revolute", pins = ["ground.O", "c.E"] }}
"""

PLANES = """format = "raak/1"
space = "spatial"
[ground.points]
A = [0.0, 0.0, 0.0]
Q = [0.0, 0.1, 0.0]
[bodies.a]
mass = 1.0
inertia = [0.01, 0.1, 0.1]
points = { O = [0.0, 0.0, 0.0], P = [0.5, 0.0, 0.0] }
[joints]
p = { type = "planar", pins = ["ground.A", "a.O"], axes = ["ground.y", "a.y"] }
k = { type = "point-on-plane", pins = ["a.P", "ground.Q"], axes = ["a.y"] }
"""


def guides(high, length=0.5, q=0.0, mass=1.0, more=""):
    return GUIDES.format(high=high, length=length, q=q, mass=mass, inertia=0.1 * mass * length**2) + more


class GuidesSideBySide(ProgramTest):
    def file(self, text):
        path = self.scratch / "m.toml"
        path.write_text(text)
        return str(path)

    def stays_open(self, text, gap):
        path = self.file(text)
        for command in ("assemble", "run"):
            document = self.json(command, path, code=3)
            self.assertIn("cannot be assembled", document["message"])
        self.refused("check", path, code=3, says=["cannot be assembled"])
        found = self.json("assemble", path, code=3)["open"]
        self.assertEqual([joint["unit"] for joint in found], ["m"], found)
        self.assertIn(found[0]["name"], ("p", "k"))
        self.assertAlmostEqual(found[0]["gap"] / gap, 1.0, delta=1e-3)
        self.assertIn("impossible assembly", raak("explain", path).stdout)

    def test_their_distance_is_what_stays_open(self):
        self.stays_open(guides(0.1), 0.1)
        self.stays_open(guides(0.1, more='[start.guess]\n"b.angle" = -0.85\n'), 0.1)
        self.stays_open(guides(0.1).replace("ground.O\", \"c.E", "b.B\", \"c.E"), 0.1)
        alone = guides(0.1)
        alone = alone[: alone.index("[bodies.c]")] + alone[alone.index("[joints]") : alone.index("h = ")]
        self.stays_open(alone, 0.1)

    def test_in_large_and_small_machines_and_far_away(self):
        self.stays_open(guides(1e-4, length=1e-3, mass=1e-3), 1e-4)
        self.refused("run", self.file(guides(100.0, length=1000.0, mass=1e5)), code=3, says=["cannot be assembled"])
        self.stays_open(guides(0.1, q=1e6), 0.1)
        self.stays_open(guides(1e-5), 1e-5)

    def test_in_space(self):
        self.stays_open(PLANES, 0.1)

    def test_what_closes_far_away_closes(self):
        self.json("assemble", self.file(guides(0.0)))
        self.json("assemble", self.file(guides(0.0, q=1e6)))
        drivers = '[drivers]\nd = { coordinate = "b.x", motion = "3e4" }\n'
        document = self.json("assemble", self.file(guides(0.0, more=drivers)))
        self.assertEqual(dict(zip(document["names"], document["start"]["q"]))["b.x"], 3e4)


if __name__ == "__main__":
    unittest.main()
