"""Where nothing but the choice of the program decides how a mechanism is assembled, the choice turns with its bodies."""

import math
import unittest

import turned
from program import ProgramTest

LINK = "[bodies.{name}]\nmass = {mass}\ninertia = [0.001, {inertia}, {inertia}]\ncom = [{half}, 0.0, 0.0]\npoints = {{ P = [0.0, 0.0, 0.0], Q = [{length}, 0.0, 0.0] }}\naxes = {{ n = {axis} }}\n"


def link(name, length, axis=(0.0, 0.0, 1.0), mass=1.0):
    return LINK.format(name=name, mass=mass, inertia=mass * length**2 / 12.0, half=length / 2, length=length, axis=list(axis))


def hinge(name, one, other):
    first, second = (pin.split(".")[0] for pin in (one, other))
    axes = [f"{body}.n" if body != "hub" else f"hub.n{name[-1]}" for body in (first, second)]
    return f'{name} = {{ type = "revolute", pins = ["{one}", "{other}"], axes = ["{axes[0]}", "{axes[1]}"] }}\n'


def ball(name, one, other):
    return f'{name} = {{ type = "spherical", pins = ["{one}", "{other}"] }}\n'


def hub(points, axes=()):
    """A body that is trusted to be where the test turns it."""
    return ("[bodies.hub]\nmass = 50.0\ninertia = [20.0, 30.0, 40.0]\npoints = { " + ", ".join(f"{n} = {list(p)}" for n, p in points) + " }\n"
            + "axes = { " + ", ".join(f"{n} = {list(a)}" for n, a in axes) + " }\n")


def four_bars(directions, driven, axis=(0.0, 0.0, 1.0)):
    """Linkages whose links are placed in one line, on axes of the hub: open or crossed, to either side."""
    bodies, joints, drivers, points, axes = "", "", "", [], []
    for k, n in enumerate(directions):
        points += [(f"A{k}", (0.0, 0.0, float(k))), (f"D{k}", (0.4, 0.0, float(k)))]
        axes.append((f"n{k}", n))
        bodies += link(f"c{k}", 0.1, axis) + link(f"r{k}", 0.4, axis) + link(f"k{k}", 0.3, axis)
        joints += hinge(f"a{k}", f"hub.A{k}", f"c{k}.P") + hinge(f"b{k}", f"c{k}.Q", f"r{k}.P") + hinge(f"e{k}", f"r{k}.Q", f"k{k}.Q") + hinge(f"d{k}", f"hub.D{k}", f"k{k}.P")
        drivers += f'm{k} = {{ displacement = "a{k}", motion = "t" }}\n'
    return hub(points, axes) + bodies + "[joints]\n" + joints + ("[drivers]\n" + drivers if driven else "")


Z = (0.0, 0.0, 1.0)
MODELS = {
    "driven four-bar": four_bars([Z], True),
    "four-bar": four_bars([Z], False),
    "four-bar about -z": four_bars([(0.0, 0.0, -1.0)], False),
    "four-bar whose links know the axis the other way round": four_bars([Z], False, (0.0, 0.0, -1.0)),
    "two four-bars": four_bars([Z, (0.0, 0.6, -0.8)], True),
    "triangle of balls": hub([("A", (0.0, 0.0, 0.0)), ("D", (0.5, 0.0, 0.0))]) + link("r", 0.4) + link("s", 0.4)
    + "[joints]\n" + ball("a", "hub.A", "r.P") + ball("b", "r.Q", "s.P") + ball("c", "s.Q", "hub.D"),
    "chain of balls": hub([("A", (0.0, 0.0, 0.0)), ("D", (0.1, 0.2, 0.0))]) + link("r", 0.4) + link("s", 0.5) + link("u", 0.3)
    + "[joints]\n" + ball("a", "hub.A", "r.P") + ball("b", "r.Q", "s.P") + ball("c", "s.Q", "u.P") + ball("d", "u.Q", "hub.D"),
    "cross of a universal joint": hub([("A", (0.0, 0.0, 0.0)), ("D", (0.4, 0.0, 0.0))], [("n0", Z)]) + link("r", 0.5) + link("s", 0.3, (1.0, 0.0, 0.0))
    + "[joints]\n" + hinge("a0", "hub.A", "r.P") + 'u = { type = "universal", pins = ["r.Q", "s.P"], axes = ["r.n", "s.n"] }\n' + ball("c", "s.Q", "hub.D"),
}


class TurnedStarts(ProgramTest):
    def start(self, model, quaternion, position):
        text = f'format = "raak/1"\nspace = "spatial"\n{model}[start.trust]\n"hub.quaternion" = {quaternion}\n"hub.position" = {position}\n'
        path = self.scratch / "model.toml"
        path.write_text(text)
        document = self.json("assemble", str(path))
        bodies = {}
        for name, value in zip(document["names"], document["start"]["q"]):
            bodies.setdefault(name.rsplit(".", 1)[0], []).append(value)
        return bodies

    def test_the_configuration_of_what_is_placed_turns_with_the_body_that_is_trusted(self):
        for name, model in MODELS.items():
            plain = self.start(model, [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0])
            turns = [turned.random_turn(seed) for seed in range(6)]
            turns += [([1.0, 0.0, 0.0], math.pi), ([0.0, 1.0, 0.0], math.pi), (Z, math.pi), (Z, math.pi / 2), ([1.0, 0.0, 0.0], -math.pi / 2)]
            for axis, angle in turns:
                with self.subTest(name, axis=axis, angle=angle):
                    q, R, at = turned.quaternion(axis, angle), turned.rotation(axis, angle), [0.3, -0.2, 0.1]
                    whole = self.start(model, q, at)
                    for body, values in plain.items():
                        if body.endswith("quaternion"):
                            expected = turned.product(q, values)
                            sign = math.copysign(1.0, sum(a * b for a, b in zip(expected, whole[body])))
                            expected = [sign * e for e in expected]
                        else:
                            expected = [a + b for a, b in zip(at, turned.apply(R, values))]
                        self.assertLess(math.dist(expected, whole[body]), 1e-6, body)


    def test_rates_of_many_bodies_are_found_whichever_way_the_whole_is_turned(self):
        """Rows of redundant hinges are nearly dependent in some directions, which costs the rates digits but not the start."""
        model = four_bars([Z] * 11, False) + "".join(f"[bodies.idle{i}]\ntype = \"point\"\nmass = 1.0\n" for i in range(2))

        def hub_rates(axis, angle):
            R = turned.rotation(axis, angle)
            omega, velocity = turned.apply(R, [0.3, -0.4, 0.7]), turned.apply(R, [1.0, 2.0, -0.5])
            text = (f'format = "raak/1"\nspace = "spatial"\n{model}[start.trust]\n"hub.quaternion" = {turned.quaternion(axis, angle)}\n"hub.position" = [0.0, 0.0, 0.0]\n'
                    f'"hub.omega" = {omega}\n"hub.velocity" = {velocity}\n')
            path = self.scratch / "model.toml"
            path.write_text(text)
            document = self.json("assemble", str(path))
            rates = dict(zip(document["names_v"], document["start"]["v"]))
            return [rates[f"hub.omega.{c}"] for c in "xyz"] + [rates[f"hub.velocity.{c}"] for c in "xyz"], omega + velocity

        for seed in range(12):
            with self.subTest(seed=seed):
                found, given = hub_rates(*turned.random_turn(100 + seed))
                self.assertLess(math.dist(found, given), 1e-9)


if __name__ == "__main__":
    unittest.main()
