"""Functions of Python that use the model that they belong to: refused in words where it is being made, and never a wait for itself."""

import subprocess
import sys
import unittest

# Run as programs of their own, which are ended where they wait for themselves.
PROBLEM = """
import raak
def force(t, q, v):
    {use}
    return [-q[0]]
m = raak.Problem(coordinates=1, mass=[[1.0]], force=force, start={{"q1": 1.0}}, check=False)
"""
MECHANISM = """
import raak
begun = False
def force(t, x):
    if begun:
        {use}
    return 0.0, 0.0
m = raak.Mechanism(parameters={{"k": 1.0}}).body("ball", type="point", mass="k")
m.force("drag", "force", at="ball", value=force, of=["ball.vx"])
"""
REFUSED = """
try:
    {call}
except raak.RequestError as error:
    assert "functions" in str(error) and "cannot use" in str(error), error
else:
    raise SystemExit("it was not refused")
"""


class OwnFunctions(unittest.TestCase):
    def run_program(self, code):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, code + done.stdout + done.stderr)

    def test_equations_cannot_use_their_model_while_it_is_prepared(self):
        for use in ["m.columns", "m.copy()", "m.assemble()", "m.run()", "m.stepper()"]:
            with self.subTest(use):
                program = PROBLEM.format(use=use) + REFUSED.format(call="m.run(until=1)")
                self.run_program(program + REFUSED.format(call="m.assemble()"))  # and the model is as before

    def test_studies_within_studies_end(self):
        for use in ["m.explain()", "m.check()", "m.bench('dop853', 1e-4)"]:
            with self.subTest(use):
                self.run_program(PROBLEM.format(use=use) + REFUSED.format(call="m.run(until=1)"))

    def test_what_needs_no_preparation_may_be_asked(self):
        self.run_program(PROBLEM.format(use="m.name; dict(m.parameters)") + "assert m.run(until=1).status == 'ok'")

    def test_forces_cannot_use_their_model_while_it_is_prepared(self):
        for use in ["m.run()", "m.model.columns"]:
            with self.subTest(use):
                self.run_program(MECHANISM.format(use=use) + "begun = True" + REFUSED.format(call="m.run(until=1)"))

    def test_forces_cannot_use_their_model_while_a_parameter_is_set(self):
        program = MECHANISM.format(use="m.model.parameters['k']") + "m.run(until=1); begun = True"
        program += REFUSED.format(call="m.model.parameters['k'] = 2.0")
        self.run_program(program + "begun = False; assert m.model.parameters['k'] == 1.0; m.model.parameters['k'] = 2.0")

    def test_a_stepper_is_not_moved_by_the_functions_of_its_model(self):
        for use in ["s and s.step()", "s and s.at(s.t)"]:
            program = PROBLEM.format(use=use).replace("import raak", "import raak; s = None") + "s = m.stepper(until=1)"
            self.run_program(program + REFUSED.format(call="s.step()"))

    def test_a_result_is_not_looked_into_by_the_functions_of_its_model(self):
        program = PROBLEM.format(use="r and r.at(0.5)").replace("import raak", "import raak; r = None")
        program += "r = m.run(until=1)" + REFUSED.format(call="r.at(0.25)")
        self.run_program(program + "kept, r = r, None; assert abs(kept.at(0.25)['q1'] - 0.96891) < 1e-4")


if __name__ == "__main__":
    unittest.main()
