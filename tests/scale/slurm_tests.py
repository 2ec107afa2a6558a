"""Studies by Slurm, with an sbatch that runs the job at once, or refuses it."""

import os
import pathlib
import shutil
import sys
import unittest

from support import PROGRAM, InFolder

# A job of two nodes waits for ever; that of four is refused; the others run at once.
SBATCH = """#!/bin/sh
case $1 in
*/2.sbatch) ;;
*/4.sbatch) echo 'sbatch: error: no such account' >&2; exit 1 ;;
*) log=$(sed -n 's/^#SBATCH --output=//p' "$1"); sh "$1" > "$log" 2>&1 ;;
esac
echo 'Submitted batch job 17'
"""


class Slurm(InFolder):
    def setUp(self):
        super().setUp()
        self.tools = pathlib.Path(self.folder, "tools")
        self.tools.mkdir()
        (self.tools / "sbatch").write_text(SBATCH)
        (self.tools / "sbatch").chmod(0o755)

    def submit(self, *more, code=0, **environment):
        return self.tool(
            "--slurm",
            "--launcher",
            f"env N={{nodes}} RANKS={{ranks}} {sys.executable}",
            "--ranks-per-node",
            "2",
            "--output",
            "out",
            "--repetitions",
            "2",
            *more,
            PROGRAM,
            "{ranks}",
            code=code,
            **(environment or {"PATH": f"{self.tools}:{os.environ['PATH']}"}),
        )

    def test_a_job_for_each_number_of_nodes_and_what_is_missing(self):
        said = self.submit("--nodes", "1,2,4", "--sbatch-option", "time=00:10:00", "--sbatch-option=-A me", code=1)
        self.assertIn("1 node: job 17", said)
        self.assertIn("no such account", said)
        self.assertIn("--sbatch-option time=00:30:00", said)
        script = self.read("out", "jobs", "2.sbatch")
        self.assertTrue(script.endswith("out --nodes 2\n"), script)
        for line in (
            "#SBATCH --nodes=2",
            "#SBATCH --ntasks-per-node=2",
            "#SBATCH --time=00:10:00",
            "#SBATCH -A me",
        ):
            self.assertIn(line + "\n", script)
        self.assertIn("2 runs to do", self.read("out", "jobs", "1.log"))
        said = self.tool("collect", "--no-pictures", "out")
        self.assertIn("2 runs on 2 nodes missing: its job has not begun", said)
        self.assertIn("2 ranks  2.00", said)
        self.assertIn("4 runs did not take place (yet)", said)
        self.assertIn("N=1 RANKS=2", self.read("out", "report.md"))

    def test_a_dry_run_submits_nothing(self):
        said = self.submit("--nodes", "1,4", "--dry-run")
        self.assertIn("would submit", said)
        self.assertTrue(pathlib.Path(self.folder, "out", "jobs", "4.sbatch").exists())
        self.assertFalse(pathlib.Path(self.folder, "out", "jobs", "1.log").exists())
        self.assertIn("no run of", self.tool("collect", "--no-pictures", "out", code=2))

    def test_numbers_of_ranks_on_the_same_nodes_share_a_job(self):
        self.submit("--ranks", "1,2", "--dry-run")
        self.assertEqual([p.name for p in pathlib.Path(self.folder, "out", "jobs").iterdir()], ["1.sbatch"])

    def test_without_slurm_it_is_said(self):
        (self.tools / "sbatch").unlink()
        (self.tools / "env").symlink_to(shutil.which("env"))
        said = self.submit("--nodes", "1", code=2, PATH=str(self.tools))
        self.assertIn("there is no sbatch on the PATH", said)


unittest.main()
