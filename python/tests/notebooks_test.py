"""The notebooks of examples/notebooks run from their first cell to the last; their pictures go to ARTEFACTS, to be looked at."""

import base64
import glob
import importlib.util
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

MISSING = [name for name in ["nbclient", "ipykernel", "matplotlib", "pandas"] if importlib.util.find_spec(name) is None]


@unittest.skipIf(MISSING, f"without {', '.join(MISSING)}")
class Notebooks(unittest.TestCase):
    def setUp(self):
        """The kernel python3 is this Python, and not that of the system."""
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        kernel = os.path.join(holder.name, "kernels", "python3")
        os.makedirs(kernel)
        with open(os.path.join(kernel, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump({"argv": [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Raak",
                       "language": "python"}, file)
        ours = mock.patch.dict(os.environ, JUPYTER_PATH=holder.name)
        ours.start()
        self.addCleanup(ours.stop)

    def run_notebook(self, path):
        import nbformat
        from nbclient import NotebookClient

        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        for cell in notebook.cells:
            self.assertFalse(cell.get("outputs"), f"{path} is kept without outputs: clear them")
        NotebookClient(notebook, timeout=1800, kernel_name="python3", resources={"metadata": {"path": "examples/notebooks"}}).execute()
        pictures = pages = 0
        folder = os.environ.get("ARTEFACTS")
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                self.assertNotEqual(output.output_type, "error")
                self.assertNotEqual(output.get("name"), "stderr", output.get("text"))
                data = output.get("data", {})
                pages += "<iframe" in data.get("text/html", "")
                if "image/png" in data:
                    pictures += 1
                    if folder:
                        os.makedirs(folder, exist_ok=True)
                        name = f"{os.path.splitext(os.path.basename(path))[0]}-{pictures}.png"
                        with open(os.path.join(folder, name), "wb") as file:
                            file.write(base64.b64decode(data["image/png"]))
        return pictures, pages

    def test_they_run(self):
        paths = sorted(glob.glob("examples/notebooks/*.ipynb"))
        self.assertEqual(len(paths), 4)
        for path in paths:
            with self.subTest(path):
                pictures, pages = self.run_notebook(path)
                self.assertGreaterEqual(pictures, 2)
                self.assertEqual(pages, 1 if "squeezer" in path else 0)


if __name__ == "__main__":
    unittest.main()
