"""Random bodies and where they are: what every part of a random mechanism chooses with."""

import math
import random

from vectors import about, minus, norm, plus, turn, turn_back, unit

Z = [0.0, 0.0, 1.0]
GROUND = {"name": "ground", "point": False, "position": [0.0, 0.0, 0.0], "quaternion": [1.0, 0.0, 0.0, 0.0], "angle": 0.0}


class Bodies:
    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.planar = r.random() < 0.5
        self.m = {"planar": self.planar, "gravity": [0.0, 0.0, 0.0], "bodies": [], "joints": [], "forces": [], "drivers": [], "seed": seed,
                  "kinds": ["planar" if self.planar else "spatial"]}

    # Small choices.
    def within(self, low, high):
        return self.random.uniform(low, high)

    def spread(self, low, high):
        """Evenly in the logarithm."""
        return math.exp(self.within(math.log(low), math.log(high)))

    def chance(self, p):
        return self.random.random() < p

    def vector(self, size):
        v = [self.within(-size, size) for _ in range(3)]
        if self.planar:
            v[2] = 0.0
        return v

    def direction(self):
        while True:
            v = self.vector(1.0)
            if 0.3 < norm(v) < 1.0:
                return unit(v)

    def rotation(self):
        if self.planar:
            return about(Z, self.within(-3.0, 3.0))
        return about(self.direction(), self.within(-3.0, 3.0))

    # Geometry.
    def local(self, body, at):
        return turn_back(body["quaternion"], minus(at, body["position"]))

    def pin(self, body, at):
        return [body["name"], [0.0, 0.0, 0.0] if body["point"] else self.local(body, at)]

    def axis(self, body, direction):
        a = turn_back(body["quaternion"], direction)
        if self.planar:
            a[2] = 0.0
        return [body["name"], unit(a)]

    def all_bodies(self):
        return [GROUND, *self.m["bodies"]]

    def rigid_bodies(self):
        return [b for b in self.all_bodies() if not b["point"]]

    def point_near(self, body):
        return list(body["position"]) if body["point"] else plus(body["position"], self.vector(0.8))

    # Bodies.
    def body(self, position, quaternion, angle=0.0, point=False):
        mass = self.spread(0.2, 5.0)
        a, b, c = (self.within(0.1, 0.6) ** 2 for _ in range(3))
        inertia = [mass * (b + c) / 3, mass * (a + c) / 3, mass * (a + b) / 3, 0.0, 0.0, 0.0]
        if not self.planar and self.chance(0.4):
            inertia = self.turned_inertia(inertia[:3])
        com = self.vector(0.4) if self.chance(0.8) else [0.0, 0.0, 0.0]
        if point:
            inertia, com, quaternion, angle = [0.0] * 6, [0.0] * 3, [1.0, 0.0, 0.0, 0.0], 0.0
        body = {"name": f'b{len(self.m["bodies"]) + 1}', "point": point, "mass": mass, "inertia": inertia, "com": com, "position": position,
                "quaternion": quaternion, "angle": angle, "velocity": self.vector(1.5), "omega": self.vector(2.0)}
        if self.planar:
            body["omega"] = [0.0, 0.0, self.within(-3.0, 3.0)]
        if point:
            body["omega"] = [0.0, 0.0, 0.0]
        self.m["bodies"].append(body)
        return body

    def turned_inertia(self, diagonal):
        q = self.rotation()
        columns = [turn(q, [float(i == k) for i in range(3)]) for k in range(3)]
        entry = lambda i, j: sum(diagonal[k] * columns[k][i] * columns[k][j] for k in range(3))
        return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]

    def free_body(self, near, point=False):
        angle = self.within(-3.0, 3.0)
        quaternion = about(Z, angle) if self.planar else self.rotation()
        return self.body(plus(near, self.vector(0.7)), quaternion, angle if self.planar else 0.0, point)
