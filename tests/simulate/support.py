"""What the tests of rondo-simulate have in common: its modules, a made-up program and a made-up engine."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
TOOL = TREE / "tools" / "simulate" / "rondo-simulate"
PROGRAM, ENGINE = HERE / "made_up_program", HERE / "made_up_engine"
LAUNCHER = "env RANKS={ranks}"
sys.path[:0] = [str(TOOL.parent), str(TREE / "tools" / "scale")]


class InFolder(unittest.TestCase):
    """In a folder of its own."""

    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self._temporary.cleanup)
        self.folder = os.path.realpath(self._temporary.name)

    def tool(self, *arguments, code=0, path=None, **environment):
        """What it prints."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("RONDO_")}
        env.update(environment, ENGINE_SAYS=self.folder + "/engine")
        if path:
            env["PATH"] = f"{path}:{env['PATH']}"
        done = subprocess.run(
            [sys.executable, str(TOOL), *map(str, arguments)],
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout + done.stderr

    def predict(self, *arguments, code=0, measure="1,2,4", predict="16,512", pictures=False, how=(), **environment):
        """Of the made-up program."""
        return self.tool(
            *([] if pictures else ["--no-pictures"]),
            *("--output", "out", "--launcher", LAUNCHER, "--engine", ENGINE),
            *("--measure", measure, "--predict", predict, "--repetitions", "1"),
            *arguments,
            *(PROGRAM, "{ranks}", "{passes}", *how),
            code=code,
            **environment,
        )

    def read(self, *path):
        return pathlib.Path(self.folder, *path).read_text(encoding="utf-8")

    def result(self):
        return json.loads(self.read("out", "prediction.json"))

    def asked(self, command):
        """The command lines of the engine."""
        lines = [json.loads(line) for line in self.read("engine").splitlines()]
        return [words[1:] for words in lines if words[0] == command]


def one_line(text):
    return " ".join(text.split())
