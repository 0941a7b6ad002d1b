"""A model file with a changed parameter in a loop: how far the rocker of a four-bar linkage swings as its crank gets longer.

A value that makes the mechanism impossible is refused, and the old one stays. Usage: 03_changed_parameter.py [four-bar.toml].
Ends with 1 if a swing is not that of the cosine rule. The pair of 03_changed_parameter.cpp.
"""

import pathlib
import sys

import numpy as np
import raak

path = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("four-bar.toml")
model = raak.load(path)
b, c, d = (model.parameters[name] for name in "bcd")


def rocker(reach):
    """Where it turns back, crank and coupler in line: the cosine rule."""
    return np.arccos((c**2 + d**2 - reach**2) / (2 * c * d))


worst = 0.0
for a in np.arange(0.04, 0.17, 0.02):
    model.parameters["a"] = a
    r = model.run(until=0.63, rtol=1e-10, every=1e-4)
    swing = np.ptp(r["rocker.angle"])
    worst = max(worst, abs(swing - (rocker(b + a) - rocker(b - a))))
    print(f"a = {a:.2f} m   swing {swing:.6f} rad   motor at most {r['torque'].max():.3f} N m")
    del r  # a result keeps its model: nobody may change it, and the next value would build another one
try:
    model.parameters["a"] = 5.0
except raak.AssemblyError as error:
    print(f"a = 5 m: {error}")
print(f"a is {model.parameters['a']:.2f} m again; swings are off by at most {worst:.1e} rad")
sys.exit(0 if worst < 1e-5 and model.parameters["a"] < 0.17 else 1)
