"""Equations of your own as functions of numpy: two point masses on two rods (the double pendulum), y upwards.

Write M, f and g; Raak finds the derivatives by differences, or checks those that are given, as the Jacobian here.
Ends with 1 if energy is lost. The pair of 01_own_equations.cpp, whose formulas are recorded: a hundred times as fast.
"""

import sys

import numpy as np
import raak

m1, m2, l1, l2, g = 1.0, 0.5, 1.0, 0.7, 9.81  # kg, m, m/s^2


def constraint(t, q):
    x1, y1, x2, y2 = q
    return [x1**2 + y1**2 - l1**2, (x2 - x1) ** 2 + (y2 - y1) ** 2 - l2**2]


def jacobian(t, q):
    x1, y1, x2, y2 = q
    return [[2 * x1, 2 * y1, 0, 0], [2 * (x1 - x2), 2 * (y1 - y2), 2 * (x2 - x1), 2 * (y2 - y1)]]


# Trust the x of both masses, at rest; the y are guesses and choose the branch.
model = raak.Problem(
    coordinates=["x1", "y1", "x2", "y2"], constraints=["upper rod", "lower rod"], units=["m"] * 4,
    mass=np.diag([m1, m1, m2, m2]), force=np.array([0, -m1 * g, 0, -m2 * g]), constraint=constraint, jacobian=jacobian,
    potential=lambda t, q: m1 * g * q[1] + m2 * g * q[3],
    start={"x1": 0.8, "x2": 1.2, "v.x1": 0, "v.x2": 0}, guess={"y1": -0.5, "y2": -1.0})
r = model.run(until=10, rtol=1e-9, every=1)
for t, x, y, pull in zip(r.t, r["x2"], r["y2"], 2 * l1 * r.lam[1]):
    print(f"t = {t:4.1f} s   lower mass at ({x:8.5f}, {y:8.5f}) m   pull in the upper rod {pull:8.3f} N")
print(f"{r.statistics.steps} steps, energy drift {r.quality.energy_drift:.1e} J, "
      f"constraint residual {r.quality.position_residual:.1e} m")
sys.exit(0 if r.quality.energy_drift < 1e-5 else 1)
