"""Every force against a closed form of the motion that it causes."""

import json
import math
import unittest

from program import ProgramTest, raak

TOP = """format = "raak/1"
space = "spatial"
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.wheel]
mass = 2.0
inertia = [0.3, 0.3, 0.5]
points = { O = [0.0, 0.0, 0.0] }
axes = { n = [1.0, 2.0, 2.0] }
JOINTS
[forces]
FORCE
[start]
trust = { START }
[outputs]
height = "wheel.position.z"
"""

K, D, J = 0.8, 0.2, 0.5


def swing(angle, t, damping=0.0):
    """Of J x'' + d x' + k x = 0, released at rest."""
    s = damping / (2.0 * J)
    w = math.sqrt(K / J - s * s)
    return angle * math.exp(-s * t) * (math.cos(w * t) + s / w * math.sin(w * t))


class SpatialForces(ProgramTest):
    def final(self, joints, force, start, until=2.0, outputs=""):
        path = self.scratch / "top.toml"
        path.write_text(TOP.replace("JOINTS", joints).replace("FORCE", force).replace("START", start) + outputs)
        done = raak("run", str(path), "--until", str(until), "--rtol", "1e-10", "--json")
        document = json.loads(done.stdout)
        self.assertEqual(document["status"], "ok", done.stderr)
        self.assertLess(document["quality"]["energy_drift"], 1e-8)
        return document, dict(zip(document["names"], document["final"]["q"]))

    HINGE = '[joints]\nhinge = { type = "revolute", pins = ["ground.O", "wheel.O"], axes = ["ground.z", "wheel.z"] }'

    def test_a_wheel_swings_on_a_torsion_spring(self):
        for damping in (0.0, D):
            force = f't = {{ type = "torsion-spring", axes = ["ground.z", "wheel.z"], stiffness = {K}, damping = {damping} }}'
            _, q = self.final(self.HINGE, force, '"wheel.rotation" = [0.0, 0.0, 2.0]')
            angle = 2.0 * math.atan2(q["wheel.quaternion.z"], q["wheel.quaternion.w"])
            self.assertAlmostEqual(angle, swing(2.0, 2.0, damping), delta=1e-8)

    def test_its_angle_at_rest_is_that_of_the_second_body(self):
        force = f't = {{ type = "torsion-spring", axes = ["ground.z", "wheel.z"], stiffness = {K}, angle = 3.0 }}'
        _, q = self.final(self.HINGE, force, '"wheel.rotation" = [0.0, 0.0, 2.5]')
        angle = 2.0 * math.atan2(q["wheel.quaternion.z"], q["wheel.quaternion.w"])
        self.assertAlmostEqual(math.remainder(angle - 3.0 - swing(-0.5, 2.0), 2.0 * math.pi), 0.0, delta=1e-8)

    def test_a_wheel_that_a_spring_holds_loads_its_motor(self):
        force = f't = {{ type = "torsion-spring", axes = ["ground.z", "wheel.z"], stiffness = {K}, damping = {D} }}'
        document, _ = self.final(self.HINGE, force, "", 1.0, 'm = "motor.moment"\n[drivers]\nmotor = { displacement = "hinge", motion = "0.5*t" }\n')
        self.assertAlmostEqual(document["outputs"]["m"], K * 0.5 + D * 0.5, delta=1e-8)

    def test_a_bushing_turns_a_body_back_about_any_axis(self):
        for axis, inertia in (([0.0, 0.0, 1.0], "0.3, 0.3, 0.5"), ([1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], "0.5, 0.5, 0.5")):
            for damping in (0.0, D):
                with self.subTest(axis=axis, damping=damping):
                    force = f'b = {{ type = "bushing", pins = ["ground.O", "wheel.O"], stiffness = 9.0, torsion = {K}, torsion-damping = {damping} }}'
                    rotation = ", ".join(str(2.0 * a) for a in axis)
                    text = TOP.replace("0.3, 0.3, 0.5", inertia)
                    path = self.scratch / "bushing.toml"
                    path.write_text(text.replace("JOINTS", "").replace("FORCE", force).replace("START", f'"wheel.rotation" = [{rotation}]'))
                    document = json.loads(raak("run", str(path), "--until", "2", "--rtol", "1e-10", "--json").stdout)
                    q = dict(zip(document["names"], document["final"]["q"]))
                    self.assertLess(document["quality"]["energy_drift"], 1e-8)
                    for component, share in zip("xyz", axis):
                        self.assertAlmostEqual(q[f"wheel.quaternion.{component}"], share * math.sin(0.5 * swing(2.0, 2.0, damping)), delta=1e-8)

    def test_a_bushing_may_start_with_parallel_frames(self):
        force = f'b = {{ type = "bushing", pins = ["ground.O", "wheel.O"], torsion = {K} }}'
        w = math.sqrt(K / J)
        _, q = self.final("", force, '"wheel.omega" = [0.0, 0.0, 1.0]')
        self.assertAlmostEqual(q["wheel.quaternion.z"], math.sin(0.5 * math.sin(2.0 * w) / w), delta=1e-8)

    def test_keys_of_the_plane_and_of_space_are_distinguished(self):
        path = self.scratch / "top.toml"
        for force, says in (
            ('{ type = "torsion-spring", bodies = ["ground", "wheel"], stiffness = 1.0 }', 'has no "axes"'),
            ('{ type = "bushing", pins = ["ground.O", "wheel.O"], torsion = 1.0, angle = 0.1 }', 'has no "angle"'),
        ):
            path.write_text(TOP.replace("JOINTS", "").replace("FORCE", "f = " + force).replace("START", ""))
            self.refused("assemble", str(path), code=1, says=[says, "top.toml:"])


PLATE = """format = "raak/1"
gravity = [0.0, GRAVITY]
[ground.points]
O = [0.0, 0.0]
[bodies.plate]
mass = 2.0
inertia = 0.5
points = { O = [0.0, 0.0] }
"""


class PlanarForces(ProgramTest):
    def final(self, text, gravity=0.0, until=2.0):
        path = self.scratch / "plate.toml"
        path.write_text(PLATE.replace("GRAVITY", str(gravity)) + text)
        document = json.loads(raak("run", str(path), "--until", str(until), "--rtol", "1e-10", "--json").stdout)
        self.assertEqual(document["status"], "ok", document["message"])
        self.assertLess(document["quality"]["energy_drift"], 1e-8)
        return document, dict(zip(document["names"], document["final"]["q"]))

    def test_a_spring_without_length_leads_round_an_ellipse(self):
        _, q = self.final('[forces]\ns = { type = "spring", between = ["ground.O", "plate.O"], stiffness = 8.0 }\n[start]\ntrust = { "plate.x" = 1.0, "plate.vy" = 3.0 }\n')
        self.assertAlmostEqual(q["plate.x"], math.cos(4.0), delta=1e-8)
        self.assertAlmostEqual(q["plate.y"], 1.5 * math.sin(4.0), delta=1e-8)

    def test_the_pull_of_a_spring_by_a_law_of_its_own(self):
        _, q = self.final('[forces]\ns = { type = "spring", between = ["ground.O", "plate.O"], pull = "6*t" }\n[start]\ntrust = { "plate.x" = 9.0 }\n')
        self.assertAlmostEqual(q["plate.x"], 9.0 - 2.0**3 / 2.0, delta=1e-8)

    def test_a_bushing_holds_a_plate_along_and_about(self):
        force = f'[forces]\nb = {{ type = "bushing", pins = ["ground.O", "plate.O"], stiffness = {4.0 * K}, damping = {4.0 * D}, torsion = {K}, torsion-damping = {D}, angle = 0.3 }}\n'
        _, q = self.final(force + '[start]\ntrust = { "plate.x" = 0.2, "plate.y" = -0.1, "plate.angle" = 5.3 }\n')
        self.assertAlmostEqual(q["plate.x"], swing(0.2, 2.0, D), delta=1e-8)
        self.assertAlmostEqual(q["plate.y"], swing(-0.1, 2.0, D), delta=1e-8)
        self.assertAlmostEqual(q["plate.angle"], 0.3 + swing(5.0, 2.0, D), delta=1e-8)

    def test_a_force_in_body_axes_turns_with_the_body(self):
        _, q = self.final('[forces]\nf = { type = "force", at = "plate.O", value = [6.0, 0.0], axes = "body" }\n[start]\ntrust = { "plate.omega" = 3.0 }\n')
        self.assertAlmostEqual(q["plate.x"], 3.0 / 9.0 * (1.0 - math.cos(6.0)), delta=1e-8)
        self.assertAlmostEqual(q["plate.y"], 3.0 / 9.0 * (6.0 - math.sin(6.0)), delta=1e-8)

    def test_a_torque_and_gravity(self):
        _, q = self.final('[forces]\nm = { type = "torque", on = "plate", value = "3*t" }\n', gravity=-9.81)
        self.assertAlmostEqual(q["plate.angle"], 2.0**3, delta=1e-8)
        self.assertAlmostEqual(q["plate.y"], -0.5 * 9.81 * 4.0, delta=1e-8)

    def test_an_actuator_pushes_along_its_rail_and_the_rail_carries_the_weight(self):
        rail = '[joints]\nrail = { type = "prismatic", pins = ["ground.O", "plate.O"], axes = ["ground.x", "plate.x"] }\n'
        document, q = self.final(rail + '[forces]\na = { type = "actuator", joint = "rail", value = 5.0 }\n[outputs]\nFx = "rail.force.x"\nFy = "rail.force.y"\n', gravity=-9.81)
        self.assertAlmostEqual(q["plate.x"], 0.5 * 2.5 * 4.0, delta=1e-8)
        self.assertAlmostEqual(document["outputs"]["Fx"], 0.0, delta=1e-8)
        self.assertAlmostEqual(document["outputs"]["Fy"], 2.0 * 9.81, delta=1e-8)


CART = """format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.cart]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0] }
[joints]
rail = { type = "prismatic", pins = ["ground.O", "cart.A"], axes = ["ground.x", "cart.x"] }
[forces]
s = { type = "spring", between = ["ground.O", "cart.A"], stiffness = 100.0, length = LENGTH }
[start]
trust = { "cart.x" = 1.0, "cart.vx" = -8.0 }
"""


class EndsThatMeet(ProgramTest):
    def warnings(self, length, *arguments):
        path = self.scratch / "cart.toml"
        path.write_text(CART.replace("LENGTH", length))
        return self.json("run", str(path), *arguments)["warnings"]

    def test_a_kink_in_the_length_of_a_spring_is_reported(self):
        for method in ("auto", "gauss", "radau"):
            for rtol in ("1e-6", "1e-10"):
                said = self.warnings("0.5", "--method", method, "--rtol", rtol)
                self.assertTrue(any("the energy balance is off by" in text for text in said), (method, rtol, said))
        self.assertEqual(self.warnings("0.0"), [])


if __name__ == "__main__":
    unittest.main()
