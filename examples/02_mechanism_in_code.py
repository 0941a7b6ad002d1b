"""A mechanism built in code: a four-bar linkage whose crank is driven, in the words of a model file.

Shows its start, how it can move, and the torque of the motor. Ends with 1 if that is wrong. The pair of
02_mechanism_in_code.cpp.
"""

import sys

import raak

linkage = raak.Mechanism(space="planar", gravity=(0, -9.81), title="Four-bar linkage", parameters={"a": 0.12, "Omega": 10})
linkage.ground(points={"A": (0, 0), "D": (0.40, 0)})
linkage.body("crank", mass=0.3, inertia=4.0e-4, com=("a/2", 0), points={"A": (0, 0), "B": ("a", 0)})
linkage.body("coupler", mass=0.8, inertia=8.0e-3, com=(0.17, 0), points={"B": (0, 0), "C": (0.34, 0)})
linkage.body("rocker", mass=0.6, inertia=3.4e-3, com=(0.13, 0), points={"D": (0, 0), "C": (0.26, 0)})
linkage.joint("A", "revolute", pins=["ground.A", "crank.A"])
linkage.joint("B", "revolute", pins=["crank.B", "coupler.B"])
linkage.joint("C", "revolute", pins=["coupler.C", "rocker.C"])
linkage.joint("D", "revolute", pins=["ground.D", "rocker.D"])
linkage.driver("motor", coordinate="crank.angle", motion="0.5 + Omega*t")
linkage.start(guess={"coupler.angle": 0.6, "rocker.angle": 1.6})  # the open branch: C above the frame
linkage.output("torque", "crank.B.x*B.force.y - crank.B.y*B.force.x + 0.3*9.81*a/2*cos(crank.angle)")  # N m

model = linkage.build()
start = model.assemble()
print(f"coupler at {start['coupler.angle']:.12f} rad, rocker at {start['rocker.angle']:.12f} rad; "
      f"{start.dof} degrees of freedom beside the driver")

r = model.run(until=1, rtol=1e-8)
print(r.brief, end="")
sys.exit(0 if abs(r.end["torque"] - 0.06528747697561605) < 1e-7 else 1)  # closed form
