"""Andrews' squeezing mechanism (Mazzia and Magherini, Test Set for IVP Solvers, II.7) in plain Python: functions that write
into `out`, so that numba compiles them as they are. Used by problem_test.py."""

from math import cos, sin, sqrt

M1, M2, M3, M4, M5, M6, M7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
I1, I2, I3, I4, I5, I6, I7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
XA, YA, XB, YB, XC, YC = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
C0, L0, MOM = 4530.0, 0.07785, 0.033
D, DA, E, EA, RR, RA = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
SS, SA, SB, SC, SD, TA, TB = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
U, UA, UB, ZF, ZT, FA = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
GE, HE = E - EA, ZF - FA
NAMES = ["beta", "theta", "gamma", "phi", "delta", "omega", "eps"]
GUESS = [-0.06171389, 0.0, 0.45527982, 0.22266839, 0.48736498, -0.22266839, 1.23054745]
M22 = M3 * (SA * SA + SB * SB) + I3
M33 = M4 * GE * GE + I4
M44 = M4 * (ZT * ZT + GE * GE) + M5 * (TA * TA + TB * TB) + I4 + I5
M55 = M6 * HE * HE + I6
M66 = M6 * (HE * HE + U * U) + M7 * (UA * UA + UB * UB) + I6 + I7
M00 = M1 * RA * RA + M2 * (RR * RR + DA * DA) + I1 + I2
M11 = M2 * DA * DA + I2


def mass(t, q, out):
    arm = M2 * DA * RR * cos(q[1])
    bend_g, bend_h = M4 * ZT * GE * sin(q[3]), M6 * U * HE * sin(q[5])
    for i in range(49):
        out[i] = 0.0
    out[0] = M00 - 2.0 * arm
    out[1] = out[7] = M11 - arm
    out[8], out[16], out[24] = M11, M22, M33
    out[25] = out[31] = M33 + bend_g
    out[32] = M44 + 2.0 * bend_g
    out[40] = M55
    out[41] = out[47] = M55 - bend_h
    out[48] = M66 - 2.0 * bend_h


def force(t, q, v, out):
    s, c = sin(q[2]), cos(q[2])
    x, y = SD * c + SC * s + (XB - XC), SD * s - SC * c + (YB - YC)
    pull = C0 * (L0 / sqrt(x * x + y * y) - 1.0)
    arm = M2 * DA * RR * sin(q[1])
    bend_g, bend_h = M4 * ZT * GE * cos(q[3]), M6 * U * HE * cos(q[5])
    out[0] = MOM - arm * v[1] * (v[1] + 2.0 * v[0])
    out[1] = arm * v[0] * v[0]
    out[2] = pull * (x * (SC * c - SD * s) + y * (SD * c + SC * s))
    out[3] = bend_g * v[4] * v[4]
    out[4] = -bend_g * v[3] * (v[3] + 2.0 * v[4])
    out[5] = -bend_h * v[6] * v[6]
    out[6] = bend_h * v[5] * (v[5] + 2.0 * v[6])


def constraint(t, q, out):
    x = RR * cos(q[0]) - D * cos(q[0] + q[1])
    y = RR * sin(q[0]) - D * sin(q[0] + q[1])
    out[0] = x - SS * sin(q[2]) - XB
    out[1] = y + SS * cos(q[2]) - YB
    out[2] = x - E * sin(q[3] + q[4]) - ZT * cos(q[4]) - XA
    out[3] = y + E * cos(q[3] + q[4]) - ZT * sin(q[4]) - YA
    out[4] = x - ZF * cos(q[5] + q[6]) - U * sin(q[6]) - XA
    out[5] = y - ZF * sin(q[5] + q[6]) + U * cos(q[6]) - YA


def jacobian(t, q, out):
    dx, dy = D * sin(q[0] + q[1]), -D * cos(q[0] + q[1])
    rx, ry = dx - RR * sin(q[0]), dy + RR * cos(q[0])
    ex, ey = -E * cos(q[3] + q[4]), -E * sin(q[3] + q[4])
    zx, zy = ZF * sin(q[5] + q[6]), -ZF * cos(q[5] + q[6])
    for i in range(42):
        out[i] = 0.0
    out[0] = out[14] = out[28] = rx
    out[1] = out[15] = out[29] = dx
    out[7] = out[21] = out[35] = ry
    out[8] = out[22] = out[36] = dy
    out[2], out[9] = -SS * cos(q[2]), -SS * sin(q[2])
    out[17], out[24] = ex, ey
    out[18], out[25] = ex + ZT * sin(q[4]), ey - ZT * cos(q[4])
    out[33], out[40] = zx, zy
    out[34], out[41] = zx - U * cos(q[6]), zy - U * sin(q[6])


def bias(t, q, v, out):
    bt, pd, oe = v[0] + v[1], v[3] + v[4], v[5] + v[6]
    x = RR * v[0] * v[0] * cos(q[0]) - D * bt * bt * cos(q[0] + q[1])
    y = RR * v[0] * v[0] * sin(q[0]) - D * bt * bt * sin(q[0] + q[1])
    out[0] = x - SS * v[2] * v[2] * sin(q[2])
    out[1] = y + SS * v[2] * v[2] * cos(q[2])
    out[2] = x - E * pd * pd * sin(q[3] + q[4]) - ZT * v[4] * v[4] * cos(q[4])
    out[3] = y + E * pd * pd * cos(q[3] + q[4]) - ZT * v[4] * v[4] * sin(q[4])
    out[4] = x - ZF * oe * oe * cos(q[5] + q[6]) - U * v[6] * v[6] * sin(q[6])
    out[5] = y - ZF * oe * oe * sin(q[5] + q[6]) + U * v[6] * v[6] * cos(q[6])


FUNCTIONS = {"mass": (mass, (7, 7)), "force": (force, (7,)), "constraint": (constraint, (6,)), "jacobian": (jacobian, (6, 7)),
             "bias": (bias, (6,))}


def in_python():
    """As functions that return lists."""

    def returning(function, shape):
        columns = shape[-1]
        size = shape[0] * (columns if len(shape) == 2 else 1)

        def vector(t, *state):
            out = [0.0] * size
            function(t, *[each.tolist() for each in state], out)
            return out

        def matrix(t, q):
            out = [0.0] * size
            function(t, q.tolist(), out)
            return [out[i:i + columns] for i in range(0, size, columns)]

        return matrix if len(shape) == 2 else vector

    return {name: returning(*each) for name, each in FUNCTIONS.items()}


def in_numba():
    """As compiled functions."""
    from numba import cfunc, njit, types

    numbers = types.CPointer(types.double)
    made = {}
    for name, (function, _) in FUNCTIONS.items():
        inner = njit(function)
        if name in ("force", "bias"):
            made[name] = cfunc(types.void(types.double, numbers, numbers, numbers))(_with_velocities(inner))
        else:
            made[name] = cfunc(types.void(types.double, numbers, numbers))(_of_positions(inner))
    return made


def _with_velocities(inner):
    return lambda t, q, v, out: inner(t, q, v, out)


def _of_positions(inner):
    return lambda t, q, out: inner(t, q, out)


def problem(functions, **more):
    import raak

    return raak.Problem(**functions, coordinates=NAMES, constraints=6, start={"beta": -0.0617138900142764496, "v.beta": 0.0},
                        guess=dict(zip(NAMES[1:], GUESS[1:])), **more)
