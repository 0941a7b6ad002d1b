"""Model files that provoke one kind of trouble each. Words in capitals are for the test to replace."""

LOOSE_ARM = """format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 2.0
inertia = 0.4
com = [0.5, 0.0]
points = { O = [0.0, 0.0], P = [1.0, 0.0] }
"""
HINGE = '[joints]\nhinge = { type = "revolute", pins = ["ground.O", "arm.O"] }\n'

LINKS = """
format = "raak/1"
[ground.points]
O = [0.0, 0.0]
W = [3.0, 0.0]
[bodies.crank]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0], A = [1.0, 0.0] }
[bodies.rocker]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { W = [0.0, 0.0], B = [1.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "crank.O"] }
W = { type = "revolute", pins = ["ground.W", "rocker.W"] }
rod = { type = "distance", between = ["crank.A", "rocker.B"], length = LENGTH }
[drivers]
motor = { coordinate = "crank.angle", motion = "0.3 + t" }
[start]
guess = { "rocker.angle" = 2.5 }
[runs.default]
until = 3.0
"""

TWO_RODS = """
format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.bob]
type = "point"
mass = 1.0
[joints]
one = { type = "distance", between = ["ground.O", "bob"], length = 1.0 }
two = { type = "distance", between = ["ground.O", "bob"], length = LENGTH }
[start]
guess = { "bob.x" = 0.9, "bob.y" = 0.4 }
[runs.default]
until = 1.0
"""

RUBBER = """
format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.hub]
type = "point"
mass = 0.05
[bodies.arm]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { P = [0.0, 0.0] }
[joints]
pin = { type = "revolute", pins = ["hub.hub", "arm.P"] }
[forces]
rubber = { type = "bushing", pins = ["ground.O", "hub.hub"], stiffness = 1e6, damping = DAMPING }
[start]
trust = { "arm.angle" = 0.5, "arm.omega" = 0.0 }
[runs.default]
until = 2.0
"""

THROWN = """
format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.bead]
mass = 1.0
inertia = 1.0
points = { P = [0.0, 0.0] }
[joints]
wire = { type = "prismatic", pins = ["ground.O", "bead.P"], axes = ["ground.x", "bead.x"] }
[forces]
push = { type = "force", at = "bead.P", value = ["bead.x^3", 0.0], axes = "ground" }
[start]
trust = { "bead.x" = 1.0, "bead.vx" = 1.0 }
[runs.default]
until = 10.0
"""

# One arm on a hinge; PARTS is for more joints, drivers and forces.
ARM = """
format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
P = [0.1, 0.0]
[bodies.arm]
mass = 2.0
inertia = 0.4
com = [0.5, 0.0]
points = { O = [0.0, 0.0], T = [1.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
PARTS
[start]
START
[runs.default]
until = 1.0
"""
SWINGS = 'trust = { "arm.angle" = 0.5, "arm.omega" = 0.0 }'


def arm(parts, start=SWINGS):
    return ARM.replace("PARTS", parts).replace("START", start)


DOOR = """
format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[ground]
points = { P = [0.0, 0.0, 0.0], Q = [0.0, 1.0, 0.0] }
axes = { y = [0.0, 1.0, 0.0] }
[bodies.door]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
com = [0.5, 0.5, 0.0]
points = { P = [0.0, 0.0, 0.0], Q = [0.0, 1.1, 0.0] }
axes = { y = [0.0, 1.0, 0.0] }
[joints]
h1 = { type = "revolute", pins = ["ground.P", "door.P"], axes = ["ground.y", "door.y"] }
h2 = { type = "revolute", pins = ["ground.Q", "door.Q"], axes = ["ground.y", "door.y"] }
[runs.default]
until = 1.0
"""

# Rods that begin in the line of the arm, where turning it changes no length.
ARM_IN_LINE = """
format = "raak/1"
[ground.points]
O = [0.0, 0.0]
P = [3.0, 0.0]
[bodies.arm]
mass = 2.0
inertia = 0.4
points = { O = [0.0, 0.0], A = [1.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
rod = { type = "distance", between = ["ground.P", "arm.A"], length = 2.5 }
rod2 = { type = "distance", between = ["ground.P", "arm.A"], length = 2.6 }
[runs.default]
until = 1.0
"""

THREE_LINKS = """
format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
A = [0.0, 0.0]
B = [1.0, 0.0]
C = [2.0, 0.0]
[bodies.top]
mass = 1.0
inertia = 0.1
com = [1.0, 0.0]
points = { A = [0.0, 0.0], B = [1.0, 0.0], C = [2.0, 0.0] }
[joints]
l1 = { type = "distance", between = ["ground.A", "top.A"], length = 1.0 }
l2 = { type = "distance", between = ["ground.B", "top.B"], length = 1.0 }
l3 = { type = "distance", between = ["ground.C", "top.C"], length = 1.0 }
[start]
guess = { "top.x" = 0.5, "top.y" = 0.8, "top.angle" = 0.0 }
[runs.default]
until = 1.0
"""

PUSHED = """
format = "raak/1"
gravity = [0.0, GRAVITY]
[bodies.m]
type = "point"
mass = 1.0
[forces]
push = { type = "force", at = "m", value = ["FORCE", 0] }
[start]
trust = { "m.x" = 1.0, "m.y" = 1.0, "m.vx" = 1.0, "m.vy" = 0.0 }
[runs.default]
until = 50.0
"""

STRETCHED = """
format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.a]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [1.0, 0.0] }
[bodies.b]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [1.2, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "a.A"] }
B = { type = "revolute", pins = ["a.B", "b.A"] }
[drivers]
reach = { distance = ["ground.O", "b.B"], motion = "1.5 + t" }
[runs.default]
until = 1.0
"""
