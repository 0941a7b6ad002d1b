"""The motor forces of `raak new stewart` by other means. Heave and yaw are the two coordinates of a motion in which the three
pairs of legs move alike; Lagrange's equations for them, with derivatives by differences, give the forces of a leg a and a
leg b. With mpmath the differences have 60 digits, as for the values in the template; with floats about 7."""

try:
    import mpmath
    from mpmath import cos, sin, sqrt
    mpmath.mp.dps = 60
    PI, NUMBER, STEP = mpmath.pi, mpmath.mpf, mpmath.mpf(10) ** -20
except ImportError:
    from math import cos, sin, sqrt, pi as PI
    NUMBER, STEP = float, 1e-5

BASE, PLATE, HALF_BASE, HALF_PLATE = NUMBER("0.6"), NUMBER("0.4"), 50 * PI / 180, 10 * PI / 180
LOW, HEAVE, YAW, OMEGA, GRAVITY = NUMBER("0.9"), NUMBER("0.15"), NUMBER("0.4"), NUMBER("2.5"), NUMBER("9.81")
PLATFORM = NUMBER(20), NUMBER("1.6")  # kg, kg m^2 about the vertical
# kg, m from the outer end, kg m^2 along the leg and across
LOWER = NUMBER(2), NUMBER("0.3"), NUMBER("0.002"), NUMBER("0.06")
UPPER = NUMBER("1.5"), NUMBER("0.25"), NUMBER("0.001"), NUMBER("0.04")
SIDES = -1, 1  # of the legs a and b of the first pair


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def leg(side, q):
    """Length and axes of a leg: along it, across it and the axis of the cross in the ground, and the third."""
    base, plate = side * HALF_BASE, side * HALF_PLATE + q[1]
    way = [PLATE * cos(plate) - BASE * cos(base), PLATE * sin(plate) - BASE * sin(base), q[0]]
    length = sqrt(dot(way, way))
    x = [e / length for e in way]
    y = cross(x, [-sin(base), cos(base), 0])
    y = [e / sqrt(dot(y, y)) for e in y]
    return length, x, y, cross(x, y)


def slope(f, q, way):
    """Of a number or a list of numbers, along a way in q."""
    ahead, behind = f([a + STEP * b for a, b in zip(q, way)]), f([a - STEP * b for a, b in zip(q, way)])
    if isinstance(ahead, list):
        return [(a - b) / (2 * STEP) for a, b in zip(ahead, behind)]
    return (ahead - behind) / (2 * STEP)


def kinetic(q, v):
    total = (PLATFORM[0] * v[0] ** 2 + PLATFORM[1] * v[1] ** 2) / 2
    for side in SIDES:
        length, _, _, z = leg(side, q)
        rate = slope(lambda at: leg(side, at)[0], q, v)
        turning = slope(lambda at: leg(side, at)[1], q, v)
        across, spin = dot(turning, turning), dot(slope(lambda at: leg(side, at)[2], q, v), z)
        for (m, c, along, other), speed2 in ((LOWER, LOWER[1] ** 2 * across), (UPPER, rate ** 2 + (length - UPPER[1]) ** 2 * across)):
            total += 3 * (m * speed2 + along * spin ** 2 + other * across) / 2
    return total


def potential(q):
    total = PLATFORM[0] * GRAVITY * q[0]
    for side in SIDES:
        length, x, _, _ = leg(side, q)
        total += 3 * GRAVITY * x[2] * (LOWER[0] * LOWER[1] + UPPER[0] * (length - UPPER[1]))
    return total


def mass(q):
    """Entries 00, 11 and 01."""
    a, b = kinetic(q, [1, 0]), kinetic(q, [0, 1])
    return [2 * a, 2 * b, kinetic(q, [1, 1]) - a - b]


def times(m, v):
    return [m[0] * v[0] + m[2] * v[1], m[2] * v[0] + m[1] * v[1]]


def coordinates(t):
    s = (1 - cos(OMEGA * t)) / 2
    return [LOW + HEAVE * s, YAW * s]


def motor_forces(t):
    q = coordinates(t)
    v = [e * OMEGA * sin(OMEGA * t) / 2 for e in (HEAVE, YAW)]
    a = [e * OMEGA ** 2 * cos(OMEGA * t) / 2 for e in (HEAVE, YAW)]
    along = times(slope(mass, q, v), v)
    load = [x + y for x, y in zip(times(mass(q), a), along)]
    J = []  # of the lengths, by coordinates
    for k, way in enumerate(([1, 0], [0, 1])):
        load[k] += slope(potential, q, way) - dot(times(slope(mass, q, way), v), v) / 2
        J.append([3 * slope(lambda at: leg(side, at)[0], q, way) for side in SIDES])
    D = J[0][0] * J[1][1] - J[0][1] * J[1][0]
    return [(load[0] * J[1][1] - J[0][1] * load[1]) / D, (J[0][0] * load[1] - load[0] * J[1][0]) / D]


if __name__ == "__main__":
    end = coordinates(NUMBER(2))
    corner = HALF_PLATE + end[1]
    for value in (end[0], PLATE * cos(corner), PLATE * sin(corner), *motor_forces(NUMBER(2))):
        print(f"{float(value):.15g}")
