"""The models whose results other programs and closed forms gave, and the page that shows them."""

import re
import unittest

from program import ROOT, ProgramTest, raak
from validation_page import MODELS, PAGE, checked, page

LINE = re.compile(r"^\| \[([\w-]+)\]\(\S+\) \| (\S+) \| `([^`]+)`[^|]*\| (\S+) \| (\S+) \| [^|]+ \| (\S+) \|$", re.M)


class Validation(ProgramTest):
    def test_every_model_agrees_with_what_others_found(self):
        rows = checked()
        self.assertGreaterEqual(len(rows), 44)
        self.assertEqual(len({row["model"] for row in rows}), len(list(MODELS.glob("*.toml"))))
        for row in rows:
            with self.subTest(row["model"], run=row["run"]):
                self.assertTrue(row["pass"], row["message"])
                self.assertTrue(row["source"])
                self.assertEqual(row["deviation"], max(one["difference"] for one in row["compared"]))
                self.assertLessEqual(row["deviation"], row["tolerance"])
                for one in row["compared"]:
                    off = abs(one["value"] - one["reference"]) / max(1.0, abs(one["reference"]))
                    self.assertAlmostEqual(one["difference"], off, delta=1e-15)

    def test_non_holonomic_models_agree_at_a_loose_tolerance_too(self):
        for name in ("tractor-trailers", "two-blades"):
            [row] = self.json("check", str(MODELS / f"{name}.toml"), "--rtol", "1e-6")
            self.assertTrue(row["pass"], row["message"])

    def test_a_value_that_is_off_fails_and_says_which_and_by_how_much(self):
        text = (MODELS / "oldham.toml").read_text()
        wrong = self.scratch / "wrong.toml"
        wrong.write_text(text.replace("w2 = 5.0,", "w2 = 5.001,"))
        self.assertNotEqual(wrong.read_text(), text)
        [row] = self.json("check", str(wrong), code=4)
        self.assertFalse(row["pass"])
        self.assertEqual(row["message"], "w2 is 5, 2.0e-04 off 5.001: more than 1e-08")
        wrong.write_text(wrong.read_text().replace("tolerance = 1e-8", "tolerance = 2.1e-4"))
        self.assertTrue(self.json("check", str(wrong))[0]["pass"])
        done = raak("check", str(wrong))
        self.assertIn("<= 2e-04  pass", done.stdout)

    def test_a_tolerance_is_a_positive_number(self):
        text = (MODELS / "oldham.toml").read_text()
        path = self.scratch / "m.toml"
        for value in ("0.0", "-1e-3", "inf", "nan"):
            path.write_text(text.replace("tolerance = 1e-8", f"tolerance = {value}"))
            self.refused("check", str(path), code=1, says=["m.toml:", "tolerance"])

    def test_the_page_is_up_to_date(self):
        """Run python3 tests/validation_page.py where it is not."""
        rows = checked()
        expected = [(match.group(1), match.group(2), match.group(3), match.group(4)) for match in LINE.finditer(page(rows))]
        found = list(LINE.finditer(PAGE.read_text()))
        self.assertEqual([match.groups()[:4] for match in found], expected)
        self.assertEqual(len(found), sum(len(row["compared"]) for row in rows))
        now = {(row["model"].rsplit("/", 1)[1][:-5], row["run"], one["name"]): one["value"] for row in rows for one in row["compared"]}
        for match in found:
            value = now[match.group(1), match.group(2), match.group(3)]
            self.assertLess(abs(float(match.group(5)) - value), min(float(match.group(6)), 1e-6) * max(1.0, abs(value)), match.group(0))

    def test_the_page_and_the_readme_lead_to_the_models(self):
        self.assertIn("docs/validation.md", (ROOT / "README.md").read_text())
        self.assertIn("off by 2e-3", PAGE.read_text())


if __name__ == "__main__":
    unittest.main()
