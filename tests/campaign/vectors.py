"""Vectors and rotations of three dimensions as plain lists: the campaign needs no package for the few it has."""

import math


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def times(s, a):
    return [s * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return times(1 / norm(a), a)


def across(a):
    """Some direction perpendicular to another."""
    least = min(range(3), key=lambda i: abs(a[i]))
    return unit(cross(a, [float(i == least) for i in range(3)]))


def product(p, q):
    """Of quaternions (w, x, y, z)."""
    e = plus(plus(times(p[0], q[1:]), times(q[0], p[1:])), cross(p[1:], q[1:]))
    return [p[0] * q[0] - dot(p[1:], q[1:]), *e]


def conjugate(q):
    return [q[0], *times(-1, q[1:])]


def about(axis, angle):
    """The quaternion of a rotation about an axis."""
    return [math.cos(angle / 2), *times(math.sin(angle / 2) / norm(axis), axis)]


def turn(q, a):
    """A vector turned by a quaternion of unit length."""
    return product(product(q, [0, *a]), conjugate(q))[1:]


def turn_back(q, a):
    return turn(conjugate(q), a)
