"""The examples in Python: each one of C++ has its pair, and each ends with 0."""

import glob
import os
import subprocess
import sys
import tempfile
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

    def test_a_sweep_is_shared_out_by_dask_and_without_it(self):
        """With Dask where it is installed, and with a package in its place that cannot be imported."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "dask.py"), "w", encoding="utf-8") as file:
                file.write("raise ImportError('hidden by a test')\n")
            hidden = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
            for path in [os.environ.get("PYTHONPATH", ""), hidden]:
                with self.subTest(path):
                    done = subprocess.run([sys.executable, "examples/sweeps/dask_sweep.py"], capture_output=True, text=True, timeout=600,
                                          env={**os.environ, "PYTHONPATH": path})
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertIn("to the bit: True", done.stdout)


if __name__ == "__main__":
    unittest.main()
