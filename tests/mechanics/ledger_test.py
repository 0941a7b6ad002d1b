"""The energy that is printed, force by force, against closed forms: every sign and every sum."""

import json
import math
import re
import unittest

from program import ProgramTest, raak, rows_of

# A block of 2 kg pulled along a rail of slope 0.3 rad against gravity, a spring, a damper and a driver-free motor.
BLOCK = """format = "raak/1"
gravity = [0.0, -10.0]
[ground.points]
O = [0.0, 0.0]
W = [-1.0, 0.0]
[bodies.block]
type = "point"
mass = 2.0
[joints]
rail = { type = "slot", pins = ["ground.O", "block"], axes = ["ground.x"] }
[forces]
FORCES
[start.trust]
"block.x" = 0.5
"block.vx" = SPEED
"""


def account_lines(text):
    """The lines of the summary about energy by their label, each a dictionary of the numbers in J by what they belong to."""
    found, label = {}, None
    for line in text.splitlines():
        match = re.match(r"^(?:  (energy)|    (stored|work input|dissipated|balance|errors)) +(.*)$", line)
        if match:
            label = match.group(1) or match.group(2)
            found[label] = match.group(3)
    return found


def numbers(text):
    """NAME VALUE J, and the change in brackets where there is one."""
    return {name.strip(", "): (float(value), float(change) if change else None)
            for name, value, change in re.findall(r"([A-Za-z ,-]+?) (-?[\d.e+-]+) J(?: \(([+-][\d.e+-]+)\))?", text)}


class Printed(ProgramTest):
    def run_block(self, forces, speed, until):
        path = self.scratch / "block.toml"
        path.write_text(BLOCK.replace("FORCES", forces).replace("SPEED", str(speed)))
        arguments = ("run", str(path), "--until", str(until), "--rtol", "1e-11")
        return account_lines(raak(*arguments).stdout), json.loads(raak(*arguments, "--json").stdout)

    def test_a_push_along_puts_in_and_one_against_takes_out(self):
        """x'' = F/m: from 2 m/s over 1 s the work is F (2 + F/4)."""
        for force in (6.0, -3.0):
            text, document = self.run_block(f'push = {{ type = "force", at = "block", value = [{force}, 0.0] }}', 2.0, 1.0)
            work, kinetic = force * (2.0 + force / 4.0), (2.0 + force / 2.0) ** 2
            self.assertAlmostEqual(numbers(text["work input"])["push"][0], work, delta=1e-4 * abs(work))
            totals = numbers(text["energy"])
            self.assertAlmostEqual(totals["kinetic"][0], kinetic, delta=1e-4 * kinetic)
            self.assertEqual(totals["potential"][0], 0.0)
            self.assertAlmostEqual(totals["work input"][0], work, delta=1e-4 * abs(work))
            self.assertNotIn("dissipated", text)
            self.assertNotIn("stored", text)
            self.assertAlmostEqual(document["outputs"]["energy.input"], work, delta=1e-9)
            self.assertAlmostEqual(document["ledger"]["input"], work, delta=1e-9)

    def test_what_a_damper_takes_is_positive(self):
        """m v' = -d v: it takes m v0^2/2 (1 - exp(-2 d t/m))."""
        text, document = self.run_block('brake = { type = "spring", between = ["ground.W", "block"], damping = 0.8 }', 3.0, 1.5)
        taken = 9.0 * (1.0 - math.exp(-2.0 * 0.8 * 1.5 / 2.0))
        self.assertAlmostEqual(numbers(text["dissipated"])["brake"][0], taken, delta=1e-4 * taken)
        self.assertAlmostEqual(numbers(text["energy"])["dissipated"][0], taken, delta=1e-4 * taken)
        self.assertEqual(numbers(text["energy"])["work input"][0], 0.0)
        self.assertNotIn("work input", text)
        self.assertAlmostEqual(document["outputs"]["energy.dissipation"], taken, delta=1e-9)
        [account] = [a for a in document["ledger"]["accounts"] if a["kind"] == "dissipation"]
        self.assertAlmostEqual(account["change"], taken, delta=1e-9)

    def test_what_is_stored_is_reported_with_its_change(self):
        """A spring of 8 N/m from x = 0.5, 1.5 m long, at rest at 1 m: x + 0 swings about 0 with w = 2."""
        text, document = self.run_block('s = { type = "spring", between = ["ground.W", "block"], stiffness = 8.0, length = 1.0 }', 0.0, 0.6)
        x = 0.5 * math.cos(2.0 * 0.6)
        value, change = numbers(text["stored"])["s"]
        self.assertAlmostEqual(value, 4.0 * x * x, delta=1e-4)
        self.assertAlmostEqual(change, 4.0 * x * x - 1.0, delta=1e-4)
        self.assertAlmostEqual(numbers(text["energy"])["potential"][0], 4.0 * x * x, delta=1e-4)
        self.assertAlmostEqual(document["outputs"]["energy.potential"], 4.0 * x * x, delta=1e-9)
        [account] = [a for a in document["ledger"]["accounts"] if a["name"] == "s"]
        self.assertAlmostEqual(account["start"], 1.0, delta=1e-12)
        self.assertAlmostEqual(account["end"], 4.0 * x * x, delta=1e-9)

    def test_all_of_it_together_adds_up(self):
        """Not by the sums that the program forms: kinetic + stored + dissipated - work input is what it was."""
        forces = ('s = { type = "spring", between = ["ground.W", "block"], stiffness = 8.0, length = 1.0, damping = 0.5 }\n'
                  'push = { type = "force", at = "block", value = ["3*cos(t)", 1.0] }')
        text, document = self.run_block(forces, 1.0, 2.0)
        stored, taken, put = numbers(text["stored"])["s"][0], numbers(text["dissipated"])["s"][0], numbers(text["work input"])["push"][0]
        kinetic = document["final"]["v"][0] ** 2  # of 2 kg
        self.assertAlmostEqual(kinetic + stored + taken - put, 1.0 + 1.0, delta=2e-4)
        x = document["final"]["q"][0]
        self.assertAlmostEqual(stored, 4.0 * x * x, delta=2e-4)
        self.assertAlmostEqual(document["ledger"]["kinetic"]["start"], 1.0, delta=1e-12)
        self.assertAlmostEqual(document["ledger"]["kinetic"]["end"], kinetic, delta=1e-12)
        for name in ("kinetic", "potential", "input", "dissipation"):
            self.assertIn(f"energy.{name}", document["outputs"])
        self.assertAlmostEqual(document["outputs"]["energy.balance"], 0.0, delta=1e-8)

    def test_gravity_and_drivers_have_accounts(self):
        """A lift of 3 kg goes up 2 m with 1 m/s^2: gravity stores m g h, the driver gives that and m v^2/2."""
        path = self.scratch / "lift.toml"
        path.write_text(BLOCK.replace("mass = 2.0", "mass = 3.0").replace('axes = ["ground.x"]', 'axes = ["ground.y"]').split("[forces]")[0]
                        + '[drivers]\nwinch = { coordinate = "block.y", motion = "0.5*t^2" }\n')
        arguments = ("run", str(path), "--until", "2", "--rtol", "1e-10")
        text = account_lines(raak(*arguments).stdout)
        self.assertAlmostEqual(numbers(text["stored"])["gravity"][0], 60.0, delta=1e-3)
        self.assertAlmostEqual(numbers(text["stored"])["gravity"][1], 60.0, delta=1e-3)
        self.assertAlmostEqual(numbers(text["work input"])["winch"][0], 60.0 + 6.0, delta=1e-3)
        accounts = {a["name"]: a for a in json.loads(raak(*arguments, "--json").stdout)["ledger"]["accounts"]}
        self.assertEqual((accounts["gravity"]["kind"], accounts["winch"]["kind"]), ("potential", "driver"))

    def test_the_work_of_a_driver_is_right_however_far_it_turns_in_a_step(self):
        """Nothing limits the steps of what is driven by W t + 0.1 t^2; gravity takes and gives many times in each."""
        path, out = self.scratch / "wheel.toml", self.scratch / "out"
        for speed in (3.0, 30.0, 300.0):
            path.write_text('format = "raak/1"\ngravity = [0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0]\n[bodies.wheel]\nmass = 1.0\ninertia = 0.1\ncom = [0.3, 0.0]\n'
                            'points = { O = [0.0, 0.0] }\n[joints]\nO = { type = "revolute", pins = ["ground.O", "wheel.O"] }\n'
                            f'[drivers]\nm = {{ coordinate = "wheel.angle", motion = "{speed}*t + 0.1*t^2" }}\n')
            for method in ("auto", "dop853"):
                with self.subTest(speed=speed, method=method):
                    done = raak("run", str(path), "--until", "10", "--rtol", "1e-8", "--method", method, "--every", "0.13", "--out", str(out), "--json")
                    document = json.loads(done.stdout)
                    self.assertEqual(document["warnings"], [])
                    kinetic = 0.5 * (0.1 + 0.3**2) * (speed + 2.0) ** 2
                    for row in rows_of(out / "result.csv"):
                        t = float(row["t"])
                        work = 0.5 * (0.1 + 0.3**2) * ((speed + 0.2 * t) ** 2 - speed**2) + 9.81 * 0.3 * math.sin(speed * t + 0.1 * t * t)
                        self.assertAlmostEqual(float(row["energy.input"]), work, delta=1e-8 * kinetic)
                    self.assertLess(document["statistics"]["accepted"], 60)

    def test_the_balance_is_what_the_integrator_and_the_projection_added(self):
        """At a loose tolerance they have digits: the energy at the end minus that at the start."""
        for method in ("dop853", "gauss", "adams"):
            document = json.loads(raak("run", "pendulum", "--until", "20", "--rtol", "1e-3", "--method", method, "--json").stdout)
            accounts = {a["name"]: a for a in document["ledger"]["accounts"]}
            ledger = document["ledger"]
            total = ledger["kinetic"]["end"] - ledger["kinetic"]["start"] + sum(a["change"] for a in accounts.values())
            self.assertNotEqual(total, 0.0)
            self.assertAlmostEqual(ledger["balance"], total, delta=1e-12 * max(1.0, abs(total)) + 1e-13)
            self.assertAlmostEqual(ledger["integrator"] + ledger["projection"], total, delta=1e-11)
            self.assertAlmostEqual(document["outputs"]["energy.balance"], total, delta=1e-11)
            self.assertGreaterEqual(document["quality"]["energy_drift"], abs(total) - 1e-12)

    def test_every_row_of_the_table_balances(self):
        out = self.scratch / "out"
        path = self.scratch / "block.toml"
        path.write_text(BLOCK.replace("FORCES", 's = { type = "spring", between = ["ground.W", "block"], stiffness = 8.0, length = 1.0, damping = 0.5 }\n'
                                      'push = { type = "force", at = "block", value = ["3*cos(t)", 1.0] }').replace("SPEED", "1.0"))
        raak("run", str(path), "--until", "2", "--every", "0.1", "--rtol", "1e-9", "--out", str(out), "--quiet")
        rows = [{name: float(value) for name, value in row.items()} for row in rows_of(out / "result.csv")]
        self.assertEqual(len(rows), 21)
        for row in rows:
            total = row["energy.kinetic"] + row["energy.potential"] - row["energy.input"] + row["energy.dissipation"]
            self.assertAlmostEqual(total, 2.0, delta=1e-6)
            self.assertAlmostEqual(row["energy.kinetic"], row["v.block.x"] ** 2, delta=1e-9)
            self.assertAlmostEqual(row["energy.potential"], 4.0 * row["q.block.x"] ** 2, delta=1e-9)
        self.assertEqual([row["energy.dissipation"] for row in rows], sorted(row["energy.dissipation"] for row in rows))


if __name__ == "__main__":
    unittest.main()
