"""What the tests of rondo-scale have in common: its modules, made-up digests, and a made-up program."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TOOL = HERE.parent.parent / "tools" / "scale" / "rondo-scale"
PROGRAM = HERE / "made_up_program"
sys.path.insert(0, str(TOOL.parent))

from rondo_scale import outcome, study  # noqa: E402

GOOD = {"load_balance": 1.0, "communication": 1.0, "parallelism": 1.0, "scheduling": 1.0}
NEXT = {"name": "waiting for messages", "lost": 0.5, "why": "workers have waited.", "next": "more colors"}


def digest(ranks, seconds=1.0, working=None, verdict=None, **efficiencies):
    """As RONDO_OBSERVE=digest=FILE.json writes it, as far as it is read."""
    e = {**GOOD, **efficiencies}
    parallel = e["load_balance"] * e["communication"] * e["parallelism"] * e["scheduling"]
    each = (seconds * parallel * ranks if working is None else working) / ranks
    return {
        "format": "rondo digest 1",
        "seconds": seconds,
        "workers": ranks,
        "messages_sent": 7,
        "efficiency": {"parallel": parallel, **e},
        "ranks": [{"rank": r, "working": each} for r in range(ranks)],
        "verdicts": [verdict or NEXT],
        "names": [{"name": "step", "seconds": each * ranks}],
    }


def made_up_study(ranks=(1, 2, 4), repetitions=3, kind="weak", variants=None):
    return study.Study(
        program="/bin/true",
        arguments=[],
        variants=variants or {"heat": []},
        ranks=list(ranks),
        repetitions=repetitions,
        kind=kind,
        directory="/",
        machine={"cores": 1000, "processor": "P", "system": "S"},
        launcher={"kind": "mpirun", "path": "mpirun", "mpi": "Open MPI"},
        workers=1,
    )


def keep(plan, folder, run, digest_of_run=None, **kept):
    """What a run leaves behind."""
    with open(plan.path(folder, run, ".json"), "w", encoding="utf-8") as f:
        json.dump({"wall": 2.0, "others": 0.0, **kept}, f)
    if digest_of_run:
        with open(plan.path(folder, run, ".digest.json"), "w", encoding="utf-8") as f:
            json.dump(digest_of_run, f)


class InFolder(unittest.TestCase):
    """In a folder of its own."""

    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self._temporary.cleanup)
        self.folder = self._temporary.name

    def outcome_of(self, plan, digest_of):
        """digest_of(run): its digest."""
        plan.save(self.folder)
        for run in plan.runs():
            keep(plan, self.folder, run, digest_of(run))
        return outcome.read(plan, self.folder)

    def tool(self, *arguments, code=0, path=None, **environment):
        """What it prints."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("RONDO_")}
        env.update(environment)
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
        return done.stdout + done.stderr

    def read(self, *path):
        return pathlib.Path(self.folder, *path).read_text(encoding="utf-8")
