"""A pendulum that is swept, for the tests of `raak sweep`."""

import pathlib

from program import ProgramTest, raak

PENDULUM = """format = "raak/1"
space = "planar"
gravity = [0.0, -9.81]
[parameters]
m = 1.0
l = 0.5
c = 0.1
[ground.points]
O = [0.0, 0.0]
[bodies.rod]
mass = "m"
inertia = 0.01
com = [0.25, 0.0]
points = { O = [0.0, 0.0], P = ["l", 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "rod.O"] }
[forces]
drag = { type = "torque", on = "rod", value = "-c*rod.omega" }
[start]
trust = { "rod.angle" = -0.5, "rod.omega" = 0.0 }
[outputs]
x = "rod.P.x"
[events]
bottom = { when = "rod.angle + pi/2" }
[runs.default]
until = 1.0
"""
PLAN = """format = "raak-sweep/1"
model = "pendulum.toml"
design = "latin-hypercube"
samples = 300
block = 16
[vary]
m = { normal = [1.0, 0.1] }
l = { from = 0.4, to = 0.6 }
"rod.angle" = { uniform = [-0.6, -0.4] }
rtol = [1e-6, 1e-7]
[keep]
x = ["end", "min", "max", "mean", "rms", "at:0.3"]
"rod.omega" = "max"
t = ["event:bottom", "count:bottom"]
"""


class SweepTest(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.scratch / "pendulum.toml").write_text(PENDULUM)

    def plan(self, text=PLAN, name="plan.toml"):
        path = self.scratch / name
        path.write_text(text)
        return str(path)

    def folder(self, name):
        return str(self.scratch / name)

    def done(self, *arguments, code=0):
        done = raak("sweep", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def results(self, folder):
        """The merged table and the summary, byte for byte."""
        table = self.scratch / "merged.csv"
        self.done("--merge", folder, "--out", str(table))
        return table.read_bytes(), pathlib.Path(folder, "summary.json").read_bytes()
