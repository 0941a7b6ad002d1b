"""What slides far along moves as what slides near by: no joint in space loses digits with the way it has gone."""

import unittest

from program import ProgramTest

CART = """format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[parameters]
D = 0.0
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.cart]
mass = 3.0
inertia = [0.5, 0.6, 0.7]
com = [0.1, 0.0, 0.2]
points = { O = [0.0, 0.0, 0.0], H = [0.0, 0.3, 0.0] }
[bodies.p]
mass = 1.0
inertia = [0.1, 0.1, 0.02]
points = { T = [0.0, 0.0, 0.5], B = [0.0, 0.0, -0.5] }
[bodies.r]
mass = 1.0
inertia = [0.1, 0.1, 0.02]
points = { T = [0.0, 0.0, 0.5], B = [0.0, 0.0, -0.5] }
MORE_BODIES
[joints]
c = JOINT
h = { type = "revolute", pins = ["cart.H", "p.T"], axes = ["cart.y", "p.y"] }
u = { type = "universal", pins = ["p.B", "r.T"], axes = ["p.x", "r.y"] }
MORE_JOINTS
[start.guess]
"cart.position" = ["D", 0.0, 0.0]
"cart.velocity" = [1.0, 0.0, 0.0]
"p.position" = ["D", 0.3, -0.5]
"p.omega" = [0.0, 1.0, 0.0]
"r.position" = ["D", 0.3, -1.5]
"r.omega" = [0.0, 2.0, 0.0]
[outputs]
x = "cart.position.x - D"
rx = "r.position.x - cart.position.x"
rz = "r.position.z"
w = "r.omega.y"
f = "u.force.x"
"""
SLIDES = {
    "prismatic": '{ type = "prismatic", pins = ["ground.O", "cart.O"], axes = ["ground.x", "cart.x"] }',
    "cylindrical": '{ type = "cylindrical", pins = ["ground.O", "cart.O"], axes = ["ground.x", "cart.x"] }',
    "planar": '{ type = "planar", pins = ["ground.O", "cart.O"], axes = ["ground.z", "cart.z"] }',
    "free": None,
}
TAIL = 40  # bodies more than are recorded as a whole


def cart(slide, tail=0):
    bodies = "".join(f"[bodies.b{i}]\nmass = 0.1\ninertia = [0.01, 0.01, 0.01]\npoints = {{ T = [0.0, 0.0, 0.5], B = [0.0, 0.0, -0.5] }}\n" for i in range(tail))
    joints = "".join(f'j{i} = {{ type = "revolute", pins = ["{f"b{i - 1}" if i else "r"}.B", "b{i}.T"], axes = ["{f"b{i - 1}" if i else "r"}.y", "b{i}.y"] }}\n'
                     for i in range(tail))
    text = CART.replace("MORE_BODIES\n", bodies).replace("MORE_JOINTS\n", joints)
    return text.replace("c = JOINT\n", "") if slide is None else text.replace("JOINT", slide)


class FarAway(ProgramTest):
    def test_a_cart_moves_at_a_hundred_kilometres_as_at_home(self):
        for name, slide in SLIDES.items():
            for tail in (0, TAIL):
                with self.subTest(name, tail=tail):
                    path = self.scratch / "cart.toml"
                    path.write_text(cart(slide, tail))
                    at = [self.json("run", str(path), "--set", f"D={d}", "--until", "1" if tail == 0 else "0.3", "--rtol", "1e-8") for d in ("0", "1e5")]
                    near, far = (run["outputs"] for run in at)
                    for output in ("x", "rx", "rz", "w", "f"):
                        # 1e5 m have 1.5e-11 m of rounding, on which forces of a long tail depend more.
                        self.assertAlmostEqual(near[output], far[output], delta=1e-8 if tail == 0 else 1e-6, msg=output)
                    self.assertLessEqual(at[1]["statistics"]["steps"], at[0]["statistics"]["steps"] + 2)


if __name__ == "__main__":
    unittest.main()
