"""The linear motion of the bicycle against the eigenvalues of the benchmark of Meijaard, Papadopoulos, Ruina and Schwab,
Proc. R. Soc. A 463 (2007), table 2."""

import cmath
import unittest

from program import ROOT, ProgramTest, raak, rows_of

EIGENVALUES = {  # m/s: 1/s
    2: [-8.6738798483174, -3.0715864564151, 2.6823451751275 - 1.6806629659068j, 2.6823451751275 + 1.6806629659068j],
    4: [-12.158614265764, -1.4294442736133, 0.41325331521124 - 3.0791081860321j, 0.41325331521124 + 3.0791081860321j],
    5: [-14.078389692798, -0.32286642900409, -0.77534188219584 - 4.4648677137882j, -0.77534188219584 + 4.4648677137882j],
    7: [-18.157884661252, 0.10268170574766, -2.1387564425836 - 7.195259133298j, -2.1387564425836 + 7.195259133298j],
}
NAMES = ("roll", "steer", "roll_rate", "steer_rate")


def solved(matrix, right):
    """Rows of matrix^-1 right, by Gauss with pivots; and the determinant."""
    rows = [list(a) + list(b) for a, b in zip(matrix, right)]
    n, determinant = len(rows), 1.0
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if pivot != k:
            rows[k], rows[pivot], determinant = rows[pivot], rows[k], -determinant
        determinant *= rows[k][k]
        for i in range(n):
            if i != k and rows[k][k] != 0.0:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [[value / row[i] for value in row[n:]] for i, row in enumerate(rows)] if determinant else None, determinant


class Bicycle(ProgramTest):
    def test_small_motions_have_the_eigenvalues_of_the_benchmark(self):
        dt = 0.05
        for speed, eigenvalues in EIGENVALUES.items():
            with self.subTest(speed=speed):
                out = self.scratch / f"v{speed}"
                done = raak("run", str(ROOT / "examples/bicycle.toml"), "--run", "M1", "--set", f"v0={speed}", "--set", "w0=1e-4", "--until", str(4 * dt), "--every", str(dt), "--rtol", "1e-13", "--atol", "1e-16", "--out", str(out))
                self.assertEqual(done.returncode, 0, done.stderr)
                states = [[float(row[name]) for name in NAMES] for row in rows_of(out / "result.csv")]
                self.assertEqual(len(states), 5)
                # x(t + dt) = F x(t), so that F' solves [x0 .. x3]' F' = [x1 .. x4]'; its eigenvalues are exp(lambda dt).
                transposed, _ = solved(states[:4], states[1:])
                roots = [cmath.exp(value * dt) for value in eigenvalues]
                for value, root in zip(eigenvalues, roots):
                    shifted = [[entry - (root if i == j else 0.0) for j, entry in enumerate(row)] for i, row in enumerate(transposed)]
                    _, off = solved(shifted, [[0.0]] * 4)
                    for other in roots:
                        if other != root:
                            off /= other - root
                    self.assertLess(abs(off / root / dt), 1e-5 * max(1.0, abs(value)), value)


if __name__ == "__main__":
    unittest.main()
