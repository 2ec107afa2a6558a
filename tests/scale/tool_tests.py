"""The tool as users start it, with a made-up program that takes no time."""

import csv
import io
import json
import os
import pathlib
import sys
import unittest

from support import PROGRAM, InFolder
from rondo_scale import running

LAUNCHER = f"env RANKS={{ranks}} {sys.executable}"


class Tool(InFolder):
    def study(self, *arguments, code=0, ranks="1,2,4", pictures=False, **environment):
        return self.tool(
            *([] if pictures else ["--no-pictures"]),
            "--output",
            "out",
            "--launcher",
            LAUNCHER,
            "--ranks",
            ranks,
            "--repetitions",
            "2",
            *arguments,
            code=code,
            **environment,
        )

    def test_a_study_leaves_its_results(self):
        said = self.study(PROGRAM, "{ranks}", ranks="1,2,4,8,16")
        self.assertIn("weak scaling of made_up_program: 2 runs on 1, 2, 4, 8, 16 ranks", said)
        self.assertIn("16 ranks  9.00", said)
        self.assertIn("Communication falls most, from 1.00 to 0.17", " ".join(said.split()))
        self.assertIn("seconds = 1 + 0.5 * p", said)
        self.assertIn("# How made_up_program scales", self.read("out", "report.md"))
        rows = list(csv.DictReader(io.StringIO(self.read("out", "runs.csv"))))
        self.assertEqual(len(rows), 10)
        self.assertEqual({r["seconds"] for r in rows if r["ranks"] == "4"}, {"3.0"})
        self.assertEqual(rows[0]["verdict"], "waiting for messages")
        lines = [json.loads(line) for line in self.read("out", "runs.jsonl").splitlines()]
        self.assertEqual([str(r["ranks"]) for r in lines], [r["ranks"] for r in rows])

    def test_extra_p_gets_each_run_with_its_ranks(self):
        self.study(PROGRAM, "{ranks}")
        lines = [json.loads(line) for line in self.read("out", "extrap.jsonl").splitlines()]
        time = [x for x in lines if x["callpath"] == "made_up_program"]
        self.assertEqual(len(time), 6)
        self.assertIn({"params": {"p": 4}, "callpath": "made_up_program", "metric": "time", "value": 3.0}, time)
        task = [x for x in lines if x["callpath"] == "made_up_program->step"]
        self.assertEqual({x["params"]["p"]: x["value"] for x in task}, {1: 1.5, 2: 1.5, 4: 1.5})

    def test_the_picture_has_the_names_of_the_variants(self):
        said = self.study(
            "--variant", "one & all=no-digest", "--variant", "two=no-digest", PROGRAM, "{ranks}", pictures=True
        )
        if "no pictures" in said:
            self.assertIn("python3-matplotlib", said)
            self.skipTest("no matplotlib")
        svg = self.read("out", "scaling.svg")
        for words in ("one &amp; all", "two", "efficiency", "ranks", "Weak scaling of made_up_program"):
            self.assertIn(words, svg)
        self.assertEqual(pathlib.Path(self.folder, "out", "scaling.png").read_bytes()[:4], b"\x89PNG")
        self.assertIn("(scaling.svg)", self.read("out", "report.md"))

    def test_without_placeholders_it_is_strong_scaling(self):
        self.assertIn("strong scaling", self.study("--dry-run", PROGRAM, "1"))
        self.assertIn("weak scaling", self.study("--dry-run", "--weak", PROGRAM, "1"))
        self.assertIn("strong scaling", self.study("--dry-run", "--strong", PROGRAM, "{ranks}"))

    def test_a_dry_run_says_what_would_run(self):
        said = self.study("--dry-run", PROGRAM, "{ranks}", "{256*ranks}")
        self.assertIn(f"RANKS=4 {sys.executable} {PROGRAM} 4 1024", said)
        self.assertFalse(os.path.exists(self.folder + "/out"))

    def test_workers_and_delay_reach_the_program(self):
        self.study("--workers", "3", "--delay", "latency=9us", PROGRAM, "{ranks}", ranks="1")
        self.assertIn(
            "RONDO_WORKERS=3 and RONDO_DELAY=latency=9us", self.read("out", "runs", "made_up_program-on-1-0.log")
        )
        self.assertIn("RONDO_DELAY=latency=9us", self.read("out", "report.md"))

    def test_the_programs_own_time_is_taken(self):
        said = self.study("--time", "time: ([0-9.]+) s", PROGRAM, "{ranks}")
        self.assertIn("1 rank   15.0", said)
        self.assertIn(
            "printed no time", self.study("--output", "b", "--time", "tide: ([0-9.]+)", PROGRAM, "{ranks}", code=1)
        )

    def test_a_program_without_digest_is_measured_from_outside(self):
        said = " ".join(self.study(PROGRAM, "{ranks}", "no-digest").split())
        self.assertIn("6 runs left no digest: the program does not begin with rondo::run", said)
        self.assertIn("of the whole command", self.read("out", "report.md"))

    def test_runs_that_fail_keep_none_of_the_others(self):
        said = self.study("--variant", "good=", "--variant", "bad=fails", PROGRAM, "{ranks}", code=1)
        self.assertIn("bad on 2 ranks: exit code 3; the others go on", said)
        self.assertIn("cannot allocate 7 apples", said)
        page = self.read("out", "report.md")
        self.assertIn("bad on 4 ranks, 2 runs: exit code 3", page)
        self.assertIn("cannot allocate 7 apples", page)
        self.assertIn("**good**: 1.50 s on 1 rank, 3.00 s on 4: efficiency 0.50.", page)

    def test_what_has_failed_twice_is_not_tried_again(self):
        self.study("--repetitions", "4", PROGRAM, "{ranks}", "fails", ranks="1,2", code=1)
        page = self.read("out", "report.md")
        self.assertIn("made_up_program on 2 ranks, 2 runs: exit code 3", page)
        self.assertIn("2 runs of 8 did not take place (yet)", page)

    def test_a_run_without_an_end_is_ended(self):
        said = self.tool(
            "--no-pictures",
            "--output",
            "out",
            "--launcher",
            "env RANKS={ranks}",
            "--ranks",
            "1",
            "--repetitions",
            "1",
            "--limit",
            "0.3",
            "sleep",
            "60",
            code=1,
        )
        self.assertIn("sleep on 1 rank: no end after 0.3 s (--limit)", said)
        self.assertIn("# No run has succeeded", self.read("out", "report.md"))

    def test_what_has_failed_is_done_again(self):
        self.study(PROGRAM, "{ranks}", "fails-once", self.folder + "/flag", code=1)
        said = self.tool("continue", "--no-pictures", "out")
        self.assertIn("1 run to do", said)
        self.assertIn("nothing is missing", self.tool("continue", "--no-pictures", "out"))

    def test_mistakes_are_told_with_what_to_do(self):
        pathlib.Path(self.folder, "text").touch()
        for arguments, words in {
            ("nothing-of-this-name",): "there is no program nothing-of-this-name",
            ("./text",): "chmod +x ./text",
            (".",): "is a folder",
            (PROGRAM, "{rank}"): "Did you mean ranks?",
            ("--ranks", "one", PROGRAM): "expected numbers such as 1,2,4,8",
            ("--weak", "--strong", PROGRAM): "--weak or of --strong",
            ("--mpirun", "no-mpirun", PROGRAM): "there is no no-mpirun: install an MPI",
            ("--launcher", "env", PROGRAM): "write {ranks}",
            ("--launcher", "no-launcher {ranks}", PROGRAM): "there is no program no-launcher",
            ("--hostfile", "hosts", "--nodes", "1", PROGRAM): "there is no hostfile hosts",
            ("--slurm", PROGRAM): "--nodes 1,2,4,8",
            ("--variant", "x", PROGRAM): "NAME=ARGUMENTS",
            ("--variant", "x=", "--variant", "x=1", PROGRAM): 'two variants "x"',
            ("--time", "seconds", PROGRAM): "needs one group",
            ("--nodes", "2", "--ranks", "2", PROGRAM): "in two ways",
            ("--ranks", "3", "--ranks-per-node", "2", PROGRAM): "don't fill nodes of 2",
            ("--ranked", PROGRAM): None,
            ("collect", "nowhere"): "no folder of a study",
        }.items():
            with self.subTest(arguments):
                said = self.tool(*arguments, code=2)
                self.assertIn(words or "rondo-scale", said)
                self.assertNotIn("Traceback", said)

    def test_a_second_study_takes_another_folder(self):
        self.study(PROGRAM, "{ranks}", ranks="1")
        self.assertIn("has a study already", self.study(PROGRAM, "{ranks}", ranks="1", code=2))
        for folder in ("scaling", "scaling-2"):
            self.tool("--no-pictures", "--launcher", LAUNCHER, "--ranks", "1", "--repetitions", "1", PROGRAM, "1")
            self.assertTrue(os.path.exists(f"{self.folder}/{folder}/report.md"))

    def test_help_explains_itself(self):
        said = self.tool("--help")
        for words in ("{1024*ranks}", "--slurm", "collect FOLDER", "report.md"):
            self.assertIn(words, said)


class Endings(unittest.TestCase):
    def test_what_the_program_said_last_is_shown_and_not_what_mpirun_says_of_it(self):
        said = """solver: --nx: should be 3 at least
solver: --nx: should be 3 at least
--------------------------------------------------------------------------
Primary job  terminated normally, but 1 process returned
a non-zero exit code. Per user-direction, the job has been aborted.
--------------------------------------------------------------------------
mpirun detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:
  Process name: [[479,1],0]
  Exit code:    2
"""
        self.assertEqual(running.end_of(said), ["solver: --nx: should be 3 at least"])
        self.assertEqual(running.end_of("mpirun noticed that\n"), ["mpirun noticed that"])
        self.assertEqual(running.end_of("\n".join(map(str, range(20)))), ["14", "15", "16", "17", "18", "19"])


class Launchers(InFolder):
    """What mpirun is told."""

    def commands(self, version, *arguments):
        tools = pathlib.Path(self.folder, "tools")
        tools.mkdir(exist_ok=True)
        (tools / "mpirun").write_text(f"#!/bin/sh\necho '{version}'\n")
        (tools / "mpirun").chmod(0o755)
        pathlib.Path(self.folder, "hosts").touch()
        return self.tool("--dry-run", *arguments, PROGRAM, "{ranks}", path=tools)

    def test_open_mpi_is_told_that_ranks_share_cores(self):
        said = self.commands("mpirun (Open MPI) 4.1.4", "--ranks", "1,4096")
        self.assertIn("-np 4096 --oversubscribe --bind-to none --mca mpi_yield_when_idle 1", said)
        self.assertIn("-np 1 --bind-to core -x RONDO_OBSERVE -x RONDO_WORKERS", said)
        self.assertIn("from 4096 ranks on ranks share the", said)

    def test_nodes_of_a_hostfile_get_as_many_ranks_each(self):
        said = self.commands(
            "mpirun (Open MPI) 4.1.4", "--hostfile", "hosts", "--nodes", "1,3", "--ranks-per-node", "8"
        )
        self.assertIn(
            f"-np 24 --hostfile {os.path.realpath(self.folder)}/hosts --bind-to none --map-by ppr:8:node", said
        )
        said = self.commands(
            "HYDRA build details: Version: 4.0.2", "--hostfile", "hosts", "--nodes", "3", "--ranks-per-node", "8"
        )
        self.assertIn(f"-np 24 -f {os.path.realpath(self.folder)}/hosts -ppn 8 ", said)


unittest.main()
