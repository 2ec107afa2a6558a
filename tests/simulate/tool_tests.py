"""The tool as users start it, with a program and an engine that take no time."""

import csv
import io
import os
import pathlib
import unittest

from support import ENGINE, LAUNCHER, PROGRAM, InFolder, one_line


class Steps(InFolder):
    def test_runs_are_measured_and_their_costs_are_kept(self):
        said = self.predict("--repetitions", "2")
        self.assertIn("made_up_program: 2 measured runs on 1, 2, 4 ranks; predicted for 1, 2, 4, 16, 512", said)
        self.assertEqual(len(self.asked("costs")), 6)
        runs = sorted(p.name for p in pathlib.Path(self.folder, "out", "runs").iterdir())
        self.assertIn("made_up_program-on-4-1.costs.json", runs)
        self.assertFalse([name for name in runs if name.endswith(".rondo")])
        self.assertEqual([m["seconds"] for m in self.result()["measured"]], [[1.0] * 2, [1.1] * 2, [1.2] * 2])
        self.assertEqual(self.result()["measured"][0]["costs"], "runs/made_up_program-on-1-0.costs.json")

    def test_runs_take_turns(self):
        self.predict("--repetitions", "2")
        order = [(r["ranks"], r["number"]) for r in self.result()["runs"]]
        self.assertEqual({ranks for ranks, _ in order[:3]}, {1, 2, 4})
        self.assertEqual([number for _, number in order], [0, 0, 0, 1, 1, 1])

    def test_timelines_are_kept_if_that_is_asked_for(self):
        self.predict("--keep-timelines")
        self.assertIn('"passes": 100', self.read("out", "runs", "made_up_program-on-2-0.rondo"))

    def test_plans_have_few_passes_and_the_engine_is_told(self):
        self.predict("--passes", "70", "--planned-passes", "9")
        self.assertIn("planned for 512 ranks of 1 workers, 9 passes", self.read("out", "plans", "on-512.log"))
        asked = self.asked("predict")
        self.assertEqual(len(asked), 6)  # 1, 2, 4, 16, 512; and 4 once more, from fewer
        for words in asked:
            at = words.index("--repetitions-of")
            self.assertEqual(words[at + 1 : at + 3], ["70", "9"])
            self.assertNotIn("--network", words)

    def test_all_passes_are_planned_if_they_are_few_or_the_program_has_none(self):
        self.predict("--passes", "5")
        self.assertIn("5 passes", self.read("out", "plans", "on-512.log"))
        self.tool(
            *("--no-pictures", "--output", "b", "--launcher", LAUNCHER, "--engine", ENGINE, "--measure", "1,2"),
            *("--predict", "4", "--repetitions", "1", PROGRAM, "{ranks}", "33"),
        )
        self.assertIn("33 passes", self.read("b", "plans", "on-4.log"))
        self.assertFalse([w for w in self.asked("predict") if "--repetitions-of" in w])

    def test_few_ranks_are_planned_to_a_file_and_many_through_a_pipe(self):
        self.predict(predict="256,257,4096")
        plans = [words[-1] for words in self.asked("predict")]
        self.assertEqual(plans[4:6], ["-", "-"])
        self.assertNotIn("-", plans[:4])
        self.assertEqual(plans[2], plans[6])  # the plan for 4 ranks is made once
        self.assertFalse(os.path.exists(plans[0]))
        self.assertEqual(max(p["ranks"] for p in self.result()["predicted"]), 4096)

    def test_each_variant_has_a_sample_of_each_seed(self):
        self.predict("--seeds", "3", "--variants", "future-traced,blocking-untraced")
        found = self.result()["predicted"]
        self.assertEqual({p["variant"] for p in found}, {"future-traced", "blocking-untraced"})
        self.assertEqual({len(p["samples"]) for p in found}, {3})

    def test_the_variant_the_program_is_written_in_comes_first(self):
        self.predict("--variants", "future-traced,future-untraced", "--written-as", "future-untraced")
        self.assertEqual(self.result()["settings"]["variants"], ["future-untraced", "future-traced"])
        self.assertEqual(self.result()["settings"]["written_as"], "future-untraced")
        held = self.asked("predict")[-1]
        self.assertEqual([held[k + 1] for k, w in enumerate(held) if w == "--variant"], ["future-untraced"])

    def test_workers_and_delay_reach_the_program(self):
        self.predict("--workers", "3", "--delay", "latency=9us")
        self.assertIn("RONDO_WORKERS=3 RONDO_DELAY=latency=9us", self.read("out", "runs", "made_up_program-on-1-0.log"))
        self.assertIn("of 3 workers", self.read("out", "plans", "on-512.log"))
        self.assertIn("RONDO_DELAY=latency=9us", self.read("out", "prediction.md"))

    def test_what_must_not_be_set_is_not(self):
        self.predict(RONDO_TRANSPORT="tcp", RONDO_OBSERVE="digest")
        self.assertEqual(self.result()["no_plan"], [])

    def test_a_network_is_given_with_its_ranks_per_node(self):
        self.predict("--network", "hdr-infiniband", "--ranks-per-node", "48")
        words, held_out = self.asked("predict")[0], self.asked("predict")[-1]
        self.assertNotIn("--network", held_out)  # it is compared with what was measured, so messages are those
        self.assertEqual(words[words.index("--network") + 1], self.folder + "/out/network.json")
        self.assertIn('"ranks_per_node": 48', self.read("out", "network.json"))
        page = self.read("out", "prediction.md")
        self.assertIn("HDR InfiniBand (published and approximate, not measured here", page)
        self.assertIn("48 ranks on each node", page)


class Results(InFolder):
    def test_the_terminal_has_a_short_table(self):
        said = self.predict()
        self.assertIn("Measured: future-traced. Predicted:", said)
        self.assertRegex(said, r" 4 +1\.20 s +1\.24 \(1\.21 to 1\.26\) s +1\.24 s +2\.47 s +2\.47 s\n")
        self.assertRegex(said, r" 512 +- +1\.96 ")
        self.assertIn("blocking-traced: Waiting takes", said)
        self.assertIn("Test: 4 ranks predicted from 1, 2: the seconds are off by +3.0 %.", one_line(said))
        self.assertIn("read " + self.folder + "/out/prediction.md", said)

    def test_csv_has_each_run_and_each_simulation(self):
        self.predict("--seeds", "2")
        rows = list(csv.DictReader(io.StringIO(self.read("out", "prediction.csv"))))
        kinds = [r["kind"] for r in rows]
        self.assertEqual([kinds.count(k) for k in ("measured", "predicted", "held out")], [3, 5 * 4 * 2, 2])
        row = next(r for r in rows if r["kind"] == "predicted" and r["ranks"] == "512")
        self.assertEqual((row["variant"], row["number"], row["launches"]), ("future-traced", "0", "51200"))
        self.assertAlmostEqual(float(row["seconds"]), 1.01 * 1.9)

    def test_the_page_says_what_is_what(self):
        self.predict()
        page = self.read("out", "prediction.md")
        for words in (
            "# How made_up_program will scale",
            "## Seconds",
            "## What limits it",
            "## The test",
            "## What was measured",
            "## What is generated",
            "## What is not modelled",
            "drawn from the durations that were measured",
            "The launches of future-untraced, blocking-traced and blocking-untraced: the program is written as"
            " future-traced",
            "24 were planned, and the last one is repeated until there are 100",
            "memory bandwidth and caches that ranks share",
            "noise of the operating system",
            "file output",
            "routes and congestion inside the network",
            "strong scaling's shorter tasks",
            "512 ranks are 128 times as many as were measured",
            "as measured",
            "| 512 | - | 1.96 (1.92 to 1.99) s |",
        ):
            self.assertIn(words, page)
        self.assertNotIn("prediction.svg", page)

    def test_shared_cores_are_told(self):
        self.predict(SHARED="2")
        self.assertIn("Ranks shared cores: 1, 2 and 4 ranks on", self.read("out", "prediction.md"))
        self.predict("--output", "b", SHARED="0.5")
        self.assertNotIn("Ranks shared cores", self.read("b", "prediction.md"))

    def test_the_picture_tells_measured_from_predicted(self):
        said = self.predict(pictures=True)
        if "no pictures" in said:
            self.assertIn("rondo-simulate draw", said)
            self.skipTest("no matplotlib")
        svg = self.read("out", "prediction.svg")
        for words in (
            "measured (future-traced)",
            "predicted",
            "least and most of 5 simulations",
            "measured up to 4",
            "blocking-untraced",
            "How made_up_program will scale",
        ):
            self.assertIn(words, svg)
        self.assertEqual(pathlib.Path(self.folder, "out", "prediction.png").read_bytes()[:4], b"\x89PNG")
        self.assertIn("(prediction.svg)", self.read("out", "prediction.md"))

    def test_the_picture_is_drawn_later(self):
        said = self.predict(pictures=True)
        if "no pictures" in said:
            self.skipTest("no matplotlib")
        self.predict("--output", "later", pictures=False)
        self.tool("draw", "later")
        self.assertIn("(prediction.svg)", self.read("later", "prediction.md"))
        self.assertTrue(os.path.exists(self.folder + "/later/prediction.png"))


class Mistakes(InFolder):
    def test_strong_scaling_is_refused(self):
        said = self.tool("--launcher", LAUNCHER, PROGRAM, "8", "{passes}", code=2)
        self.assertIn("strong scaling is not predicted: tasks get shorter", said)
        self.assertIn("{1024*ranks}", said)

    def test_a_program_that_cannot_be_planned_is_told_before_it_is_measured(self):
        said = one_line(self.predict(how=["fails-to-plan"], code=2))
        self.assertIn("made_up_program can't be planned for 1 rank: it ended with exit code 4", said)
        self.assertIn("there is no value in a plan", said)
        self.assertIn("plan the variant that has futures", said)
        self.assertFalse(os.path.exists(self.folder + "/engine"))

    def test_a_plan_without_a_word_is_told(self):
        self.assertIn("has written no plan for 1 rank", self.predict(how=["no-plan"], code=2))

    def test_a_plan_without_an_end_is_ended(self):
        said = self.predict("--plan-limit", "0.3", how=["slow-plan"], code=2)
        self.assertIn("it had no end after 0.3 s (--plan-limit)", said)

    def test_a_large_plan_that_fails_keeps_none_of_the_others(self):
        said = self.predict(predict="16,4096", how=["dies-late"], code=1)
        self.assertIn("4096 ranks: made_up_program can't be planned for 4096 ranks: it ended with exit code 5", said)
        self.assertIn("out of apples", said)
        self.assertEqual(max(p["ranks"] for p in self.result()["predicted"]), 16)
        self.assertIn("There is no prediction for 4096 ranks", self.read("out", "prediction.md"))

    def test_an_engine_that_fails_is_heard(self):
        self.assertIn(
            "rondo-simulate-ranks: the plan is of another version", self.predict(ENGINE_FAILS="at once", code=2)
        )

    def test_an_engine_that_fails_does_not_hold_a_large_plan(self):
        said = self.predict("--measure", "300", predict="4096", ENGINE_FAILS="at once", code=2)
        self.assertIn("rondo-simulate-ranks: the plan is of another version", said)

    def test_runs_that_fail_keep_none_of_the_others(self):
        said = self.predict("--repetitions", "3", how=["fails"], code=1)
        self.assertIn("2 ranks: exit code 3; the others go on", said)
        self.assertIn("    cannot allocate 7 apples", said)
        page = self.read("out", "prediction.md")
        self.assertIn('2 runs on 4 ranks failed: exit code 3, last words: "cannot allocate 7 apples".', page)
        self.assertIn("The method was not tested on this program", page)

    def test_without_any_run_there_is_nothing_to_predict_from(self):
        said = self.predict(how=["no-timeline"], code=2)
        self.assertIn("it left no timeline", said)
        self.assertIn("no measured run has succeeded", said)

    def test_a_dry_run_says_what_would_run(self):
        said = self.predict("--dry-run")
        self.assertIn(f"{PROGRAM} 4 100", said)
        self.assertIn(f"RONDO_PLAN=ranks=512,workers=1,to=FILE {PROGRAM} 512 24", said)
        self.assertIn("--repetitions-of 100 24 --seeds 5 --costs", said)
        self.assertFalse(os.path.exists(self.folder + "/out"))

    def test_a_second_one_takes_another_folder(self):
        self.predict()
        self.assertIn("has a prediction already", self.predict(code=2))
        for folder in ("prediction", "prediction-2"):
            self.tool(
                *("--no-pictures", "--launcher", LAUNCHER, "--engine", ENGINE, "--measure", "1,2", "--predict", "4"),
                *("--repetitions", "1", PROGRAM, "{ranks}", "1"),
            )
            self.assertTrue(os.path.exists(f"{self.folder}/{folder}/prediction.md"))

    def test_mistakes_are_told_with_what_to_do(self):
        given = ("--launcher", LAUNCHER)
        for arguments, words in {
            (*given, "nothing-of-this-name", "{ranks}"): "there is no program nothing-of-this-name",
            (*given, PROGRAM, "{rank}{ranks}"): "Did you mean ranks?",
            (*given, PROGRAM, "{ranks}", "{passe}"): "Did you mean passes?",
            (*given, "--measure", "one", PROGRAM): "expected numbers such as 1,2,4,8",
            (*given, "--predict", "65537", PROGRAM): "65537 ranks are too many: 65536 at most",
            (*given, "--variants", "future", PROGRAM): 'there is no variant "future"; there are future-traced',
            (*given, "--written-as", "x", PROGRAM): 'there is no variant "x"',
            (*given, "--network", "token-ring", PROGRAM, "{ranks}"): "ethernet-25g, hdr-infiniband, slingshot-11",
            (*given, "--network", "slingshot-11", PROGRAM, "{ranks}"): "--ranks-per-node",
            (*given, "--measure", "1,2", "--hold-out", "3", PROGRAM, "{ranks}"): "3 ranks are not measured",
            (*given, "--measure", "1,2", "--hold-out", "1", PROGRAM, "{ranks}"): "there are no fewer ones",
            (*given, "--engine", "no-engine", PROGRAM, "{ranks}"): "--engine: there is no program no-engine",
            ("--mpirun", "no-mpirun", PROGRAM, "{ranks}"): "there is no no-mpirun: install an MPI",
            ("--launcher", "env", PROGRAM, "{ranks}"): "write {ranks}",
            ("--predicted", PROGRAM): "rondo-simulate",
            ("draw", "nowhere"): "no folder of a prediction",
        }.items():
            with self.subTest(arguments):
                self.assertIn(words, self.tool(*arguments, code=2))

    def test_ranks_of_this_machine_are_no_nodes(self):
        tools = pathlib.Path(self.folder, "tools")
        tools.mkdir()
        (tools / "mpirun").write_text("#!/bin/sh\necho 'mpirun (Open MPI) 4.1.4'\n")
        (tools / "mpirun").chmod(0o755)
        given = ("--dry-run", "--measure", "1,4", "--ranks-per-node", "2", PROGRAM, "{ranks}")
        self.assertIn("between nodes can't be measured", self.tool(*given, path=tools, code=2))
        said = self.tool("--network", "ethernet-25g", *given, path=tools)
        self.assertIn("-x RONDO_OBSERVE", said)
        self.assertNotIn("ppr:", said)

    def test_help_explains_itself(self):
        said = self.tool("--help")
        for words in ("{passes}", "--hold-out", "prediction.md", "slingshot-11"):
            self.assertIn(words, said)


unittest.main()
