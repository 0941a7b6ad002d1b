"""The examples in Python: each one of C++ has its pair, and each ends with 0."""

import glob
import os
import subprocess
import sys
import unittest


class Examples(unittest.TestCase):
    def test_each_runs_and_has_its_pair(self):
        of_python = {os.path.splitext(path)[0] for path in glob.glob("examples/0*.py")}
        of_cpp = {os.path.splitext(path)[0] for path in glob.glob("examples/0*.cpp")}
        self.assertEqual(of_python, of_cpp)
        for path in sorted(of_python):
            with self.subTest(path):
                done = subprocess.run([sys.executable, path + ".py"], capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertTrue(done.stdout)
                self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
