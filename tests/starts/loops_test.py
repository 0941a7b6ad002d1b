"""Closed chains that a file gives no start for: they are bent until they close, or the message says what does not."""

import json
import math
import unittest

from program import ProgramTest, raak


def chain(lengths, span, trust=""):
    text = f'format = "raak/1"\ngravity = [0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0]\nE = [{span}, 0.0]\n'
    joints = ""
    last = "ground.O"
    for i, length in enumerate(lengths):
        text += f"[bodies.rod{i}]\nmass = 1.0\ninertia = {length**2 / 12}\ncom = [{length / 2}, 0.0]\n"
        text += f"points = {{ A = [0.0, 0.0], B = [{length}, 0.0] }}\n"
        joints += f'hinge{i} = {{ type = "revolute", pins = ["{last}", "rod{i}.A"] }}\n'
        last = f"rod{i}.B"
    return text + f'[joints]\n{joints}end = {{ type = "revolute", pins = ["ground.E", "{last}"] }}\n' + trust


def spatial_chain(kind, n, span):
    text = f'format = "raak/1"\nspace = "spatial"\n[ground.points]\nO = [0.0, 0.0, 0.0]\nE = [{span}, 0.0, 0.0]\n'
    joints, last, body = "", "ground.O", "ground"
    for i in range(n + 1):
        here = f"r{i}.A" if i < n else "ground.E"
        axes = f', axes = ["{body}.y", "{here.split(".")[0]}.y"]' if kind == "revolute" else ""
        joints += f'h{i} = {{ type = "{kind}", pins = ["{last}", "{here}"]{axes} }}\n'
        if i == n:
            break
        text += f"[bodies.r{i}]\nmass = 1.0\ninertia = [0.001, 0.08, 0.08]\ncom = [0.5, 0.0, 0.0]\npoints = {{ A = [0.0, 0.0, 0.0], B = [1.0, 0.0, 0.0] }}\n"
        last, body = f"r{i}.B", f"r{i}"
    return text + "[joints]\n" + joints


class Loops(ProgramTest):
    def assembled(self, text):
        path = self.scratch / "chain.toml"
        path.write_text(text)
        done = raak("assemble", str(path), "--json")
        return done, json.loads(done.stdout)

    def test_chains_without_a_start_close(self):
        for lengths, share in [([1.0] * 4, 0.5), ([1.0] * 5, 0.6), ([1.0] * 3, 1.0 / 3.0), ([1.0] * 50, 0.95), ([0.5, 1.5, 0.7, 2.0, 0.3], 0.1), ([1.0] * 100, 0.95), ([1.0] * 100, 0.02)]:
            with self.subTest(n=len(lengths), share=share):
                span = share * sum(lengths)
                done, document = self.assembled(chain(lengths, span))
                self.assertEqual(done.returncode, 0, done.stderr)
                q = dict(zip(document["names"], document["start"]["q"]))
                x = sum(length * math.cos(q[f"rod{i}.angle"]) for i, length in enumerate(lengths))
                y = sum(length * math.sin(q[f"rod{i}.angle"]) for i, length in enumerate(lengths))
                self.assertLess(math.hypot(x - span, y), 1e-9 * len(lengths))

    def test_chains_in_space_close_too(self):
        for kind, n, share in (("revolute", 4, 0.5), ("revolute", 20, 0.7), ("spherical", 10, 0.9)):
            with self.subTest(kind=kind, n=n):
                done, document = self.assembled(spatial_chain(kind, n, share * n))
                self.assertEqual(done.returncode, 0, done.stderr)
                freedoms = n - 2 if kind == "revolute" else 3 * n - 3
                self.assertEqual(document["mechanism"]["mobility"], freedoms)

    def test_of_a_long_chain_that_is_too_short_one_joint_stays_open(self):
        for n in (10, 100):
            with self.subTest(n=n):
                done, document = self.assembled(chain([1.0] * n, 1.03 * n))
                self.assertEqual(done.returncode, 3)
                self.assertEqual(len(document["open"]), 1, document["open"])
                self.assertAlmostEqual(document["open"][0]["gap"], 0.03 * n, delta=1e-3 * n)

    def test_angles_that_are_trusted_give_way_before_joints_do(self):
        angles = "".join(f'"rod{i}.angle" = 0.0\n' for i in range(3))
        done, document = self.assembled(chain([1.0] * 3, 2.85, "[start.trust]\n" + angles))
        self.assertEqual(done.returncode, 3)
        self.assertIn("the values given cannot be reached", done.stdout)
        self.assertTrue(all(".angle" in given["name"] for given in document["open"]), document["open"])


if __name__ == "__main__":
    unittest.main()
