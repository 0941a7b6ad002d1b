"""What the tests of `raak explain` share."""

from program import ProgramTest, raak


class ExplainTest(ProgramTest):
    def explained(self, model, *options, cause, residual=True, has_rows=True):
        """The document, once it is found to have every fact and the text to say the same. In the coordinates of its
        joints a mechanism without loops has no rows."""
        if "\n" in model:
            model = self.written(model)
        found = self.json("explain", model, *options)
        self.assertEqual(found["cause"], cause, found["message"])
        self.assertTrue(found["message"])
        self.assertTrue(found["advice"])
        why = found["diagnosis"]
        self.assertEqual(why["cause"], cause)
        self.assertIsInstance(why["t"], (int, float))
        self.assertIsInstance(why["step"], (int, float))
        self.assertEqual(why["advice"], found["advice"])
        if residual:
            self.assertEqual(bool(why["residual"]["constraint"]), has_rows)
            self.assertIsInstance(why["residual"]["largest"], (int, float))
            self.assertEqual(bool(why["conditioning"]["constraints"]), has_rows)
            self.assertIsInstance(why["conditioning"]["ratio"], (int, float))
        text = raak("explain", model, *options).stdout
        for words in (f"finding      {cause}", "try  ", "where        t = ", "singular  "):
            self.assertIn(words, text)
        return found

    def written(self, text):
        path = self.scratch / "m.toml"
        path.write_text(text)
        return str(path)

    def sharing(self, found):
        return [row["constraint"] for row in found["diagnosis"]["conditioning"]["constraints"]]
