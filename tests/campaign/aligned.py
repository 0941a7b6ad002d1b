"""Random mechanisms as people draw them: axes along those of frames or against them, right angles, points on a grid. There most numbers
are 0 and 1, which programs leave out of their formulas, joints repeat each other, and axes of a joint may stand opposite ways."""

import math

from generator import Generator
from random_bodies import Z
from vectors import about, product, times

GRID = 4.0  # places in a unit of length
QUARTER = math.pi / 2.0


class Aligned(Generator):
    def __init__(self, seed):
        super().__init__(seed)
        self.share = self.random.choice([1.0, 1.0, 0.8])

    def snaps(self):
        return self.chance(self.share)

    def direction(self):
        if not self.snaps():
            return super().direction()
        along = self.random.randrange(2 if self.planar else 3)
        return [self.random.choice((-1.0, 1.0)) if i == along else 0.0 for i in range(3)]

    def vector(self, size):
        v = super().vector(size)
        return [round(GRID * x) / GRID for x in v] if size <= 1.2 else v  # rates stay as they are

    def rotation(self):
        if not self.snaps():
            return super().rotation()
        if self.planar:
            return about(Z, QUARTER * self.random.randrange(4))
        first, second = (about(self.direction(), QUARTER * self.random.randrange(4)) for _ in range(2))
        return product(first, second)

    def within(self, low, high):
        x = super().within(low, high)
        if (low, high) in ((-2.5, 2.5), (-3.0, 3.0)) and self.snaps():  # angles
            return self.random.choice([0.0, 0.0, QUARTER, -QUARTER])
        if (low, high) in ((-0.8, 0.8), (-0.6, 0.6)) and self.snaps():  # ways along joints
            return round(GRID * x) / GRID
        return x

    def turn_axes_round(self):
        """Of joints that keep axes in one line without counting angles about them."""
        measures = any(f["type"] in ("actuator", "torsion-spring") for f in self.m["forces"]) or self.m["drivers"]
        if self.planar or measures or any(j["type"] in ("gear", "screw") for j in self.m["joints"]):
            return
        for j in self.m["joints"]:
            if j["type"] in ("revolute", "prismatic", "cylindrical", "planar") and len(j["axes"]) == 2 and self.chance(0.3):
                j["axes"][1][1] = times(-1.0, j["axes"][1][1])

    def make(self):
        m = super().make()
        m["kinds"].append("aligned")
        self.turn_axes_round()
        return m


FIRST_OF_CAMPAIGNS = 10**6  # below it are the seeds of ci


def generate(seed):
    """A third of what campaigns without end try is aligned."""
    return (Aligned if seed >= FIRST_OF_CAMPAIGNS and seed % 3 == 0 else Generator)(seed).make()
