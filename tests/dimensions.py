"""Which dimensions the numbers of a model have: exponents of length, mass and time."""

NUMBER, LENGTH, MASS, TIME = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
RATE, VELOCITY, ACCELERATION = (0, 0, -1), (1, 0, -1), (1, 0, -2)
INERTIA, FORCE, MOMENT, POWER = (2, 1, 0), (1, 1, -2), (2, 1, -2), (2, 1, -3)

# What the numbers of an element are, by its type and key.
ELEMENTS = {
    ("fixed", "angle"): NUMBER,
    ("distance", "length"): LENGTH,
    ("rolling", "radius"): LENGTH,
    ("rolling", "offset"): LENGTH,
    ("gear", "ratio"): NUMBER,
    ("gear", "phase"): NUMBER,
    ("rack", "radius"): LENGTH,
    ("rack", "offset"): LENGTH,
    ("screw", "pitch"): LENGTH,
    ("rolling-disc", "radius"): LENGTH,
    ("spring", "stiffness"): (0, 1, -2),
    ("spring", "length"): LENGTH,
    ("spring", "damping"): (0, 1, -1),
    ("spring", "pull"): FORCE,
    ("torsion-spring", "stiffness"): MOMENT,
    ("torsion-spring", "angle"): NUMBER,
    ("torsion-spring", "damping"): (2, 1, -1),
    ("bushing", "stiffness"): (0, 1, -2),
    ("bushing", "damping"): (0, 1, -1),
    ("bushing", "torsion"): MOMENT,
    ("bushing", "torsion-damping"): (2, 1, -1),
    ("bushing", "angle"): NUMBER,
    ("force", "value"): FORCE,
    ("torque", "value"): MOMENT,
}
