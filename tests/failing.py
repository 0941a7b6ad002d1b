"""Runs that fail and say why: what their tests share."""

from program import ProgramTest, raak

FOUR_BAR = """format = "raak/1"
gravity = [0, -9.81]
[ground.points]
O2 = [0, 0]
O4 = [LD, 0]
[bodies.crank]
mass = MASS
inertia = INERTIA
points = { O2 = [0, 0], A = [LA, 0] }
[bodies.coupler]
mass = MASS
inertia = INERTIA
points = { A = [0, 0], B = [LB, 0] }
[bodies.rocker]
mass = MASS
inertia = INERTIA
points = { O4 = [0, 0], B = [LC, 0] }
[joints]
O2 = { type = "revolute", pins = ["ground.O2", "crank.O2"] }
A = { type = "revolute", pins = ["crank.A", "coupler.A"] }
B = { type = "revolute", pins = ["coupler.B", "rocker.B"] }
O4 = { type = "revolute", pins = ["ground.O4", "rocker.O4"] }
[drivers]
motor = { coordinate = "crank.angle", motion = "SPEED*t" }
"""


class FailingTest(ProgramTest):
    def model(self, text, **values):
        for name, value in values.items():
            text = text.replace(name, str(value))
        path = self.scratch / "model.toml"
        path.write_text(text)
        return str(path)

    def failed(self, path, *arguments):
        """The run fails; it, its JSON and `explain` say the same."""
        done = raak("run", path, *arguments)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        document = self.json("run", path, *arguments, code=3)
        self.assertIn(document["message"], done.stderr)
        return document
