"""No direction is special: spatial models turned as a whole, or carried round, move as they do where they stand."""

import json
import math
import unittest

import turned
from program import ROOT, ProgramTest, raak, rows_of

FULL_TURN = 2.0 * math.pi
CLOSE = 1e-6  # of the size of each vector, at rtol 1e-10


def wheels(joints, heading=0.0):
    """A robot on two wheels on its way round, which starts at a heading."""
    c, s = math.cos(heading / 2), math.sin(heading / 2)
    x, y = 0.25 * math.sin(heading), 0.25 * math.cos(heading)
    return f"""format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[ground.points]
O = [0.0, 0.0, 0.0]
U = [0.0, 0.0, 0.1]
[bodies.axle]
mass = 1.0
inertia = [0.1, 0.01, 0.1]
points = {{ M = [0.0, 0.0, 0.0], L = [0.0, 0.25, 0.0], R = [0.0, -0.25, 0.0] }}
[bodies.left]
mass = 0.5
inertia = [0.001, 0.002, 0.001]
points = {{ C = [0.0, 0.0, 0.0] }}
[bodies.right]
mass = 0.5
inertia = [0.001, 0.002, 0.001]
points = {{ C = [0.0, 0.0, 0.0] }}
[joints]
{joints}
wl = {{ type = "rolling-disc", pins = ["ground.O", "left.C"], axes = ["ground.z", "left.y"], radius = 0.1 }}
wr = {{ type = "rolling-disc", pins = ["ground.O", "right.C"], axes = ["ground.z", "right.y"], radius = 0.1 }}
[start.trust]
"axle.position" = [0.0, 0.0, 0.1]
"axle.quaternion" = [{c}, 0.0, 0.0, {s}]
"axle.omega" = [0.0, 0.0, 1.0]
"axle.velocity" = [0.0, 0.0, 0.0]
[start.guess]
"left.position" = [{-x}, {y}, 0.1]
"left.quaternion" = [{c}, 0.0, 0.0, {s}]
"right.position" = [{x}, {-y}, 0.1]
"right.quaternion" = [{c}, 0.0, 0.0, {s}]
[outputs]
cosine = "axle.x.x"
sine = "axle.x.y"
weight = "wl.force.z + wr.force.z + flat.axle.force.z"
[runs.default]
until = 7.0
"""


def hinge(name, one, other):
    bodies = [pin.split(".")[0] for pin in (one, other)]
    return f'{name} = {{ type = "revolute", pins = ["{one}", "{other}"], axes = ["{bodies[0]}.y", "{bodies[1]}.y"] }}\n'


PLANE = 'flat = { type = "planar", pins = ["ground.U", "axle.M"], axes = ["ground.z", "axle.z"] }'
PLANE_TURNED_ROUND = 'flat = { type = "planar", pins = ["axle.M", "ground.U"], axes = ["axle.z", "ground.z"] }'


def satellite(linkages):
    """A body that tumbles freely, with four-bar linkages of ordinary hinges round it: each has three rows too many."""
    pins, axes, bodies, joints, guess = [], [], "", "", ""
    for k in range(linkages):
        phi = FULL_TURN * k / linkages
        c, s = math.cos(phi), math.sin(phi)
        pins += [f"O{k} = [{c}, {s}, 0.0]", f"E{k} = [{c}, {s}, 0.5]"]
        axes.append(f"t{k} = [{-s}, {c}, 0.0]")
        links = {"c": (0.1, 1.0, ("O", "A")), "k": (0.3, 1.5, ("A", "B")), "r": (0.2, 1.2, ("E", "B"))}
        for name, (half, mass, (start, end)) in links.items():
            inertia = mass * half * half / 3.0
            bodies += f"[bodies.{name}{k}]\nmass = {mass}\ninertia = [0.001, {inertia}, {inertia}]\n"
            bodies += f"points = {{ {start} = [{-half}, 0.0, 0.0], {end} = [{half}, 0.0, 0.0] }}\n"
        for name, one, other in (("O", "hub.O", "c"), ("A", "c", "k"), ("B", "k", "r"), ("E", "hub.E", "r")):
            first = f"{one}{k}" if "." in one else f"{one}{k}.{name}"
            axis = f"hub.t{k}" if "." in one else f"{one}{k}.y"
            joints += f'{name}{k} = {{ type = "revolute", pins = ["{first}", "{other}{k}.{name}"], axes = ["{axis}", "{other}{k}.y"] }}\n'
        # In the plane of the linkage: O = (1, 0), E = (1, 0.5), the crank points outwards.
        crank, ground = (1.2, 0.0), (1.0, 0.5)
        span = math.dist(crank, ground)
        along = (0.6**2 - 0.4**2 + span**2) / (2.0 * span)
        height = math.sqrt(0.6**2 - along**2)
        e = ((ground[0] - crank[0]) / span, (ground[1] - crank[1]) / span)
        tip = (crank[0] + along * e[0] + height * e[1], crank[1] + along * e[1] - height * e[0])
        for name, one, other in (("c", (1.0, 0.0), crank), ("k", crank, tip), ("r", ground, tip)):
            middle, rise = (one[0] + other[0]) / 2, -math.atan2(other[1] - one[1], other[0] - one[0])
            p = turned.product(turned.quaternion((0.0, 0.0, 1.0), phi), turned.quaternion((0.0, 1.0, 0.0), rise))
            guess += f'"{name}{k}.position" = [{middle * c}, {middle * s}, {(one[1] + other[1]) / 2}]\n"{name}{k}.quaternion" = {p}\n'
        spin = 2.0 + 0.1 * k
        guess += f'"c{k}.omega" = [{0.5 - s * spin}, {0.2 + c * spin}, 0.3]\n'
    hub = f"[bodies.hub]\nmass = 100.0\ninertia = [30.0, 40.0, 50.0]\npoints = {{ {', '.join(pins)} }}\naxes = {{ {', '.join(axes)} }}\n"
    trust = '"hub.position" = [0.0, 0.0, 0.0]\n"hub.quaternion" = [1.0, 0.0, 0.0, 0.0]\n"hub.omega" = [0.5, 0.2, 0.3]\n"hub.velocity" = [0.0, 0.0, 0.0]\n'
    return f'format = "raak/1"\nspace = "spatial"\n{hub}{bodies}[joints]\n{joints}[start.trust]\n{trust}[start.guess]\n{guess}[runs.default]\nuntil = 20.0\n'


class Directions(ProgramTest):
    def written(self, text):
        path = self.scratch / "model.toml"
        path.write_text(text)
        return str(path)

    def turning_models(self):
        """Spatial examples whose formulas do not speak of directions: name, model, start and end time."""
        for path in sorted((ROOT / "examples").rglob("*.toml")):
            if "parts" in path.parts or 'space = "spatial"' not in path.read_text().replace('space="', 'space = "'):
                continue
            done = raak("convert", str(path), "--out", "-")
            self.assertEqual(done.returncode, 0, done.stderr)
            model = json.loads(done.stdout)
            if turned.has_directions_of_its_own(model) or "include" in model:
                continue
            assembled = self.json("assemble", str(path))
            ends = [run["until"] for run in model.get("runs", {}).values()]
            yield path.stem, model, turned.start_of(assembled), min([1.0, *ends])

    def run_of(self, model, until):
        done = raak("run", self.written(turned.text_of(model)), "--until", repr(until), "--rtol", "1e-10", "--json")
        document = json.loads(done.stdout)
        self.assertEqual(document["status"], "ok", document["message"])
        return document

    def assert_turned(self, one, other, axis, angle):
        name, difference = max(turned.differences(one, other, axis, angle), key=lambda pair: pair[1])
        self.assertLess(difference, CLOSE, name)

    def test_a_model_turned_as_a_whole_moves_as_before(self):
        for seed, (name, model, start, until) in enumerate(self.turning_models()):
            with self.subTest(model=name):
                axis, angle = turned.random_turn(seed)
                plain = self.run_of(turned.bare(model, start), until)
                self.assert_turned(plain, self.run_of(turned.carried(model, start, axis, 0.0, angle), until), axis, angle)
                if not turned.measures_angles(model):
                    self.assert_turned(plain, self.run_of(turned.turned(model, start, axis, angle), until), axis, angle)

    def test_a_model_carried_through_a_full_turn_moves_alike_whatever_it_starts_from(self):
        for seed, (name, model, start, until) in enumerate(self.turning_models()):
            for axis in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]):
                with self.subTest(model=name, axis=axis):
                    angle = turned.random_turn(seed)[1]
                    runs = [self.run_of(turned.carried(model, start, axis, FULL_TURN / until, a), until) for a in (0.0, angle)]
                    self.assert_turned(*runs, axis, angle)

    def test_two_wheels_turn_on_the_spot_through_all_headings_in_whatever_order_the_joints_name_the_bodies(self):
        for one, other in ((0, 0), (0, 1), (1, 1)):
            for plane in (PLANE, PLANE_TURNED_ROUND):
                for heading in (0.0, 1.0, math.pi / 2):
                    with self.subTest(one=one, other=other, plane=plane, heading=heading):
                        pins = [["axle.L", "left.C"], ["axle.R", "right.C"]]
                        joints = hinge("hl", *pins[0][:: -1 if one else 1]) + hinge("hr", *pins[1][:: -1 if other else 1]) + plane
                        done = self.json("run", self.written(wheels(joints, heading)), "--rtol", "1e-10")
                        self.assertEqual(done["singular_poses"], [])
                        self.assertAlmostEqual(done["outputs"]["cosine"], math.cos(7.0 + heading), delta=1e-8)
                        self.assertAlmostEqual(done["outputs"]["sine"], math.sin(7.0 + heading), delta=1e-8)
                        # How wheels and plane share the weight is not determined; what they carry together is.
                        self.assertAlmostEqual(done["outputs"]["weight"], 2.0 * 9.81, delta=1e-6)

    def test_multipliers_are_those_of_ground_axes_where_rows_move_with_the_bodies(self):
        text = (ROOT / "examples/two-wheels.toml").read_text()
        path = self.written(text.replace("[outputs]\n", '[outputs]\n"hub.z" = "hub_left.force.z"\n'))
        done = self.json("run", path, "--until", "1.234")
        x, y, z = done["final"]["lambda"][:3]  # the rows of the first joint are the first
        self.assertIsNone(x, "not unique")
        self.assertIsNone(y, "not unique")
        self.assertAlmostEqual(z, -done["outputs"]["hub.z"], delta=1e-9)

    def test_reactions_that_are_not_unique_at_some_headings_are_reported_where_they_are(self):
        text = (ROOT / "examples/two-wheels.toml").read_text()
        path = self.written(text.replace("[outputs]\n", '[outputs]\nalong = "hub_left.force.x"\nacross = "hub_left.force.y"\n'))
        straight = self.json("run", path, "--set", "w=0")["outputs"]
        self.assertAlmostEqual(straight["along"], 0.0, delta=1e-9)  # nothing drives the wheel
        self.assertIsNone(straight["across"])
        self.assertIsNone(self.json("run", path, "--until", "0.5")["outputs"]["along"], "a part of what the wheels share")

    def test_a_configuration_that_is_special_to_the_coordinates_only_is_not_singular_and_leaves_no_gap(self):
        path = ROOT / "examples/bricard.toml"
        model = json.loads(raak("convert", str(path), "--out", "-").stdout)
        start = turned.start_of(self.json("assemble", str(path)))
        carried = turned.carried(model, start, turned.random_turn(1)[0], 1.0)
        carried["outputs"] = {"x": "rod3.position.x"}
        known = []
        for method in ("tangent", "gauss"):
            out = self.scratch / method
            document = self.json("run", self.written(turned.text_of(carried)), "--until", "0.2", "--every", "0.05", "--rtol", "1e-9", "--method", method, "--out", str(out))
            self.assertEqual(document["singular_poses"], [])
            known.append([(float(row["x"]), float(row["energy.balance"])) for row in rows_of(out / "result.csv")])
        for (x, balance), (expected, _) in zip(*known):
            self.assertAlmostEqual(x, expected, delta=1e-8)
            self.assertAlmostEqual(balance, 0.0, delta=1e-8)

    def test_planar_bodies_pinned_twice_turn_through_all_headings_by_every_way_to_integrate(self):
        # One body in effect, hinged at O: it keeps turning at 1 rad/s.
        for order in (("one.P", "other.P", "one.Q", "other.Q"), ("other.Q", "one.Q", "other.P", "one.P")):
            text = f"""format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.one]
mass = 2.0
inertia = 0.5
com = [0.5, 0.0]
points = {{ O = [0.0, 0.0], P = [0.6, 0.1], Q = [0.9, -0.3] }}
[bodies.other]
mass = 1.0
inertia = 0.1
com = [1.0, 0.0]
points = {{ P = [0.6, 0.1], Q = [0.9, -0.3] }}
[joints]
O = {{ type = "revolute", pins = ["ground.O", "one.O"] }}
first = {{ type = "revolute", pins = ["{order[0]}", "{order[1]}"] }}
second = {{ type = "revolute", pins = ["{order[2]}", "{order[3]}"] }}
[start.trust]
"one.angle" = 0.1
"one.omega" = 1.0
[outputs]
pull = "O.force.x*cos(one.angle) + O.force.y*sin(one.angle)"
[runs.default]
until = 7.0
rtol = 1e-9
"""
            path = self.written(text)
            for method in ("auto", "tangent", "dop853", "dopri5", "svd", "radau5", "bdf"):
                with self.subTest(order=order[0], method=method):
                    run = self.json("run", path, "--method", method)
                    self.assertEqual(run["status"], "ok", run["message"])
                    self.assertEqual(run["singular_poses"], [])
                    angle = run["final"]["q"][run["names"].index("one.angle")]
                    self.assertAlmostEqual(angle, 7.1, delta=2e-6)
                    # Towards the axis: m r omega^2 of both, 2*0.5 + 1*1.
                    self.assertAlmostEqual(run["outputs"]["pull"], -2.0, delta=2e-5)

    def test_a_bennett_linkage_has_no_singular_configuration_though_its_redundancy_moves_from_row_to_row(self):
        for method in ("auto", "dop853"):
            with self.subTest(method=method):
                out = raak("run", ROOT / "examples/validation/bennett-by-formula.toml", "--until", "2", "--method", method)
                self.assertEqual(out.returncode, 0, out.stderr)
                self.assertNotIn("singular", out.stdout + out.stderr)

    def test_a_satellite_tumbles_with_its_linkages_without_singular_poses(self):
        done = self.json("run", self.written(satellite(2)), "--rtol", "1e-9")
        self.assertEqual(done["status"], "ok", done["message"])
        self.assertEqual(done["singular_poses"], [])
        self.assertLess(done["quality"]["energy_drift"], 1e-7)
        # Nothing acts from outside: the momentum is what it was.
        masses = {"hub": 100.0, "c": 1.0, "k": 1.5, "r": 1.2}
        velocities = {k: v for k, v in turned.vectors_of(done["names_v"], done["final"]["v"]).items() if k.endswith("velocity")}
        start = turned.start_of(self.json("assemble", self.written(satellite(2))))
        for i in range(3):
            before = sum(masses.get(b, masses.get(b[0])) * parts["velocity"][i] for b, parts in start.items())
            after = sum(masses.get(k.split(".")[0], masses.get(k[0])) * v[i] for k, v in velocities.items())
            self.assertAlmostEqual(before, after, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
