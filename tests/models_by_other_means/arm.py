"""The motion of `raak new arm` by other means: joint angles, Kane's equations with the partial velocities of every rod
summed one by one, a dense solution, and extrapolated midpoint steps (Gragg, Bulirsch, Stoer)."""
import sys
from math import cos, sin

GRAVITY = (0.0, -9.81, -3.0)
MASS, AXIAL, ACROSS = 1.0, 0.001, 1.0 / 12.0


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def plus(a, b, factor=1.0):
    return (a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2])


def turned(axes, about_y, angle):
    """The axes of a rod in the ground after a turn about its own y or z."""
    x, y, z = axes
    c, s = cos(angle), sin(angle)
    if about_y:
        return (plus(tuple(c * e for e in x), z, -s), y, plus(tuple(c * e for e in z), x, s))
    return (plus(tuple(c * e for e in x), y, s), plus(tuple(c * e for e in y), x, -s), z)


def inertia_times(axes, w):
    x, y, z = axes
    along = (AXIAL * dot(x, w), ACROSS * dot(y, w), ACROSS * dot(z, w))
    return plus(plus(tuple(along[0] * e for e in x), y, along[1]), z, along[2])


def accelerations(angles, rates):
    n = len(angles)
    axes, pin = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0)
    w = dw = a = (0.0, 0.0, 0.0)   # dw and a: without the second derivatives of the angles
    hinges, pins = [], []
    M, f = [[0.0] * n for _ in range(n)], [0.0] * n
    for i in range(n):
        axes = turned(axes, i % 2 == 1, angles[i])
        hinge = axes[1] if i % 2 else axes[2]
        dw = plus(dw, cross(w, hinge), rates[i])
        w = plus(w, hinge, rates[i])
        hinges.append(hinge)
        pins.append(pin)
        centre = plus(pin, axes[0], 0.5)
        arm = plus(centre, pin, -1.0)
        a_centre = plus(plus(a, cross(dw, arm)), cross(w, cross(w, arm)))
        force = tuple(MASS * (g - e) for g, e in zip(GRAVITY, a_centre))
        moment = plus(tuple(-e for e in inertia_times(axes, dw)), cross(w, inertia_times(axes, w)), -1.0)
        of_centre = [cross(h, plus(centre, p, -1.0)) for h, p in zip(hinges, pins)]
        spun = [inertia_times(axes, h) for h in hinges]
        for r in range(i + 1):
            f[r] += dot(of_centre[r], force) + dot(hinges[r], moment)
            for s in range(i + 1):
                M[r][s] += MASS * dot(of_centre[r], of_centre[s]) + dot(hinges[r], spun[s])
        reach = axes[0]
        a = plus(plus(a, cross(dw, reach)), cross(w, cross(w, reach)))
        pin = plus(pin, reach)
    return solved(M, f), pin


def solved(M, f):
    n = len(f)
    for k in range(n):
        for i in range(k + 1, n):
            factor = M[i][k] / M[k][k]
            for j in range(k, n):
                M[i][j] -= factor * M[k][j]
            f[i] -= factor * f[k]
    for k in reversed(range(n)):
        f[k] = (f[k] - sum(M[k][j] * f[j] for j in range(k + 1, n))) / M[k][k]
    return f


def slope(state):
    n = len(state) // 2
    return state[n:] + accelerations(state[:n], state[n:])[0]


def step(state, h, order=8):
    """One extrapolated step of the midpoint rule with 2, 4, 6, ... substeps."""
    table, first = [], slope(state)
    for k in range(order):
        m = 2 * (k + 1)
        d = h / m
        before, now = state, [y + d * s for y, s in zip(state, first)]
        for _ in range(m - 1):
            before, now = now, [y + 2.0 * d * s for y, s in zip(before, slope(now))]
        end = [0.5 * (y + z + d * s) for y, z, s in zip(now, before, slope(now))]
        row = [end]
        for j in range(1, k + 1):
            ratio = ((k + 1.0) / (k + 1.0 - j)) ** 2 - 1.0
            row.append([y + (y - z) / ratio for y, z in zip(row[-1], table[-1][j - 1])])
        table.append(row)
    return table[-1][-1]


def tip_after(rods, time, steps):
    state = [0.0] * (2 * rods)
    for _ in range(steps):
        state = step(state, time / steps)
    return accelerations(state[:rods], state[rods:])[1], state


if __name__ == "__main__":
    rods = int(sys.argv[1])
    for steps in map(int, sys.argv[2:] or ["40", "60"]):
        tip, state = tip_after(rods, 1.0, steps)
        print(steps, " ".join(f"{x:.15f}" for x in tip))
