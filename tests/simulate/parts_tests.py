"""The parts by themselves: placeholders, networks, the test of the method, shares, and what the engine is told."""

import json
import pathlib
import unittest

from support import InFolder
from rondo_scale import models
from rondo_scale.complaint import Complaint
from rondo_simulate import checks, comparing, engine, holding_out, networks, options, shares
from rondo_simulate.program import Program, names_in

LINK = {"latency", "per_message", "per_byte"}


def program(*arguments, **others):
    return Program(
        program="/bin/heat",
        arguments=list(arguments),
        variants={"heat": []},
        ranks=[1, 2, 4],
        repetitions=3,
        kind="weak",
        directory="/",
        launcher={"kind": "mpirun", "path": "mpirun", "mpi": "Open MPI"},
        workers=1,
        **others,
    )


def sample(seconds=1.0, computing=0.5, most=0.5, launching=0.1, runtime=0.1, launches=10, messages=20, size=30):
    return {
        "seconds": seconds,
        "computing": computing,
        "most_computing": most,
        "launching": launching,
        "in_runtime": runtime,
        "launches": launches,
        "messages": messages,
        "bytes": size,
    }


class Braces(unittest.TestCase):
    def test_passes_are_many_when_measured_and_few_when_planned(self):
        p = program("{64*ranks}", "{2*passes}", "{{passes}}", passes=50, planned_passes=10)
        self.assertEqual(p.command(p.run(4)), ["/bin/heat", "256", "100", "{passes}"])
        self.assertEqual(p.planned_command(4), ["/bin/heat", "256", "20", "{passes}"])

    def test_few_passes_are_not_made_more(self):
        self.assertEqual(program("{passes}", passes=5).planned_command(1)[1], "5")

    def test_names_are_those_of_placeholders(self):
        self.assertEqual(names_in("--n={2*ranks}x{round(sqrt(passes))}"), {"ranks", "round", "sqrt", "passes"})
        self.assertEqual(names_in("{{ranks}} ranks {"), set())
        self.assertTrue(program("{passes}").uses("passes"))
        self.assertFalse(program("{{passes}}").uses("passes"))

    def test_nodes_are_those_that_are_predicted_but_mpirun_has_one(self):
        p = program("{nodes}", ranks_per_node=2, machine={"cores": 8})
        self.assertEqual(p.command(p.run(8))[1], "4")
        self.assertNotIn("--map-by", p.launcher_words(8, {}))
        p.launcher["hostfile"] = "hosts"
        self.assertIn("ppr:2:node", p.launcher_words(8, {}))


class Defaults(unittest.TestCase):
    def test_twice_the_cores_are_measured_and_three_numbers_at_least(self):
        self.assertEqual(options.default_measured(1), [1, 2, 4])
        self.assertEqual(options.default_measured(2), [1, 2, 4])
        self.assertEqual(options.default_measured(6), [1, 2, 4, 8])
        self.assertEqual(options.default_measured(8), [1, 2, 4, 8, 16])


class Solver(InFolder):
    def test_without_a_program_it_is_the_solver(self):
        tools = pathlib.Path(self.folder, "tools")
        tools.mkdir()
        (tools / "rondo-scale-solver").write_text("#!/bin/sh\n")
        (tools / "rondo-scale-solver").chmod(0o755)
        said = self.tool(
            "--dry-run", "--launcher", "env N={ranks}", "--measure", "1,4", "--predict", "64", path=tools
        )
        for steps, ranks in ((100, 4), (24, 64)):
            self.assertIn(
                f"rondo-scale-solver --nx 64 --ny {64 * ranks} --steps {steps} --early 2 --rest 20000 --colors 2"
                " --variant future-traced",
                said,
            )


class Networks(InFolder):
    def test_a_network_that_was_meant(self):
        with self.assertRaisesRegex(Complaint, "Did you mean hdr-infiniband[?]"):
            networks.of("hdr", 4)

    def test_those_that_are_shipped_have_all_fields_and_say_where_they_are_from(self):
        self.assertEqual(networks.shipped(), ["ethernet-25g", "hdr-infiniband", "slingshot-11"])
        for name in networks.shipped():
            with self.subTest(name):
                n = networks.of(name, 32)
                wanted = {"name", "source", "ranks_per_node", "within_node", "between_nodes", "per_message_of_card"}
                self.assertEqual(set(n), wanted)
                self.assertEqual((set(n["within_node"]), set(n["between_nodes"])), (LINK, LINK))
                self.assertEqual(n["ranks_per_node"], 32)
                for word in ("published", "approximate", "not measured here"):
                    self.assertIn(word, n["source"])

    def test_a_short_message_takes_about_what_is_published(self):
        for name, expected in (("hdr-infiniband", 1200), ("ethernet-25g", 15000), ("slingshot-11", 2000)):
            n = networks.of(name, 1)
            between = n["between_nodes"]
            whole = between["latency"] + 2 * between["per_message"] + 2 * n["per_message_of_card"]
            self.assertAlmostEqual(whole, expected, delta=1)

    def test_a_file_is_taken_as_it_is(self):
        path = pathlib.Path(self.folder, "n.json")
        path.write_text('{"name": "mine", "ranks_per_node": 3}')
        self.assertEqual(networks.of(str(path), 0)["ranks_per_node"], 3)
        self.assertEqual(networks.of(str(path), 5)["ranks_per_node"], 5)
        for text, words in (("{", "n.json"), ("[]", "expected an object")):
            path.write_text(text)
            with self.assertRaisesRegex(Complaint, words):
                networks.of(str(path), 0)

    def test_none_is_as_measured(self):
        self.assertIsNone(networks.of(None, 4))


class Engine(unittest.TestCase):
    def wishes(self, p):
        return options.Wishes(p, [1, 2], ["a"], "a", 0, 3)

    def test_it_is_told_all(self):
        p = program("{ranks}", "{passes}", passes=100, planned_passes=12)
        words = engine.predict_words("e", self.wishes(p), ["1.json", "2.json"], ["a", "b"], "n")
        self.assertEqual(
            words,
            "e predict --network n --variant a --variant b --repetitions-of 100 12 --seeds 3 --costs 1.json --costs"
            " 2.json".split(),
        )

    def test_loops_that_are_planned_whole_are_not_lengthened(self):
        for p in (program("{ranks}"), program("{ranks}", "{passes}", passes=12)):
            self.assertNotIn("--repetitions-of", engine.predict_words("e", self.wishes(p), [], []))

    def test_answers_that_are_none_are_told(self):
        for text in ("", "[]", '{"costs": {}}'):
            with self.subTest(text), self.assertRaisesRegex(engine.Failed, "can't be read"):
                engine.read(text, "costs", ("costs", "components"))
        self.assertEqual(engine.read(json.dumps({"costs": 1}), "costs", ("costs",)), {"costs": 1})


class HeldOut(unittest.TestCase):
    MEASURED = [{"ranks": r, "seconds": [float(r)]} for r in (1, 2, 4, 8)]

    def test_the_largest_is_held_out_unless_another_is_named(self):
        self.assertEqual(holding_out.which(self.MEASURED, 0)["ranks"], 8)
        held = holding_out.which(self.MEASURED, 4)
        self.assertEqual([m["ranks"] for m in holding_out.smaller(self.MEASURED, held)], [1, 2])
        self.assertIsNone(holding_out.which(self.MEASURED, 16))
        self.assertIsNone(holding_out.which(self.MEASURED[:1], 0))

    def test_a_curve_needs_points(self):
        model, why = holding_out.plain_model([(1, 1.0), (2, 2.0)])
        self.assertIsNone(model)
        self.assertIn(f"a curve needs {models.FEWEST} numbers of ranks, and there are 2", why)
        model, why = holding_out.plain_model([(p, 1.0 + 0.5 * p) for p in (1, 2, 4, 8, 16)])
        self.assertAlmostEqual(model(32), 17)
        self.assertEqual(why, "")

    def held(self, **others):
        return {
            "ranks": 8,
            "from": [1, 2, 4],
            "seconds": [1.9, 2.0, 2.1],
            "components": sample(2.0, runtime=0),
            "samples": [sample(2.1, messages=21, runtime=0), sample(2.2), sample(2.3)],
            "model": None,
            "model_seconds": None,
            **others,
        }

    def test_times_have_an_error_and_counts_are_equal_or_not(self):
        rows = {r[0]: r[1:] for r in comparing.rows(self.held())}
        self.assertEqual(rows["seconds"], ["2.00 (1.90 to 2.10) s", "2.20 (2.10 to 2.30) s", "+10.0 %"])
        self.assertEqual(rows["computing"][2], "+0.0 %")
        self.assertEqual(rows["in runtime"][::2], ["0", "-"])
        self.assertEqual(rows["launches"], ["10", "10", "equal"])
        self.assertEqual(rows["messages"], ["20", "21", "+1"])
        self.assertEqual(rows["bytes"][2], "equal")

    def test_the_fitted_curve_is_beside_it(self):
        held = self.held(model="1 + 2 * p", model_seconds=3.0)
        self.assertEqual(comparing.rows(held)[-1], ["seconds, by a fitted curve", "2.00 s", "3.00 s", "+50.0 %"])
        self.assertEqual([round(e) for e in comparing.seconds_error(held)], [10, 50])


class Shares(unittest.TestCase):
    def test_they_add_up_to_all_the_time_of_workers(self):
        found = shares.of([sample(1.0, 0.8, launching=0.2, runtime=0.4)], 2)
        found = [round(found[name], 6) for name in shares.NAMES]
        self.assertEqual(found, [0.4, 0.1, 0.2, 0.3])

    def test_what_takes_most_is_named(self):
        for s, variant, words in (
            (sample(computing=0.85, launching=0.1, runtime=0), "future-traced", "85 % of the time is computing"),
            (sample(computing=0.3, launching=0.5), "future-untraced", "Launching takes 50 %: a trace"),
            (sample(computing=0.3, launching=0.5), "future-traced", "larger tasks"),
            (sample(computing=0.3, runtime=0.5), "future-traced", "Halos and reductions take 50 %"),
            (sample(computing=0.3, most=0.7), "future-traced", "for the rank that computes longest"),
            (sample(computing=0.3, most=0.3), "blocking-traced", "take results as futures"),
            (sample(computing=0.3, most=0.3), "future-traced", "more work of each rank"),
        ):
            with self.subTest(words):
                self.assertIn(words, shares.limit([s], 1, variant))


class Checks(unittest.TestCase):
    COUNTS = {"launches": 1000, "messages": 20, "bytes": 160}

    def result(self, **planned):
        sample = {**self.COUNTS, **planned}
        return {
            "settings": {"written_as": "future-traced"},
            "measured": [{"ranks": 2, "components": self.COUNTS, "shared": 1, "rare": []}],
            "predicted": [{"ranks": 2, "variant": "future-traced", "samples": [sample]}],
        }

    def test_a_plan_with_other_messages_is_wrong(self):
        self.assertEqual(checks.words_of_wrong_counts(self.result()), "")
        self.assertEqual(checks.wrong_counts(self.result(messages=19)), [(2, "messages", 19, 20)])
        self.assertEqual(checks.wrong_counts(self.result(bytes=161)), [(2, "bytes", 161, 160)])
        self.assertIn("20 messages were measured, and 19", checks.words_of_wrong_counts(self.result(messages=19)))

    def test_a_few_launches_that_do_nothing_may_differ(self):
        self.assertEqual(checks.wrong_counts(self.result(launches=996)), [])
        self.assertEqual(len(checks.wrong_counts(self.result(launches=960))), 1)

    def test_variants_that_the_program_is_not_written_in_do_not_count(self):
        result = self.result(messages=7)
        result["predicted"][0]["variant"] = "blocking-traced"
        self.assertEqual(checks.wrong_counts(result), [])

    def test_rare_long_tasks_are_told_if_such_tasks_matter(self):
        tasks = {
            "a s.cpp:1": {"count": 10, "levels": [1000.0], "spread": [0.9, 1.0, 30.0]},
            "b s.cpp:2": {"count": 1, "levels": [10.0], "spread": [1.0, 99.0]},
            "c s.cpp:3": {"count": 10, "levels": [1000.0], "spread": [1.0, 1.5]},
        }
        self.assertEqual(checks.rare_tasks({"tasks": tasks}), [("a s.cpp:1", 30.0)])
        self.assertEqual(checks.rare_tasks({"tasks": {}}), [])
        result = self.result()
        self.assertEqual(checks.words_of_rare_tasks(result), "")
        result["measured"][0]["rare"] = [["a s.cpp:1", 30.0]]
        self.assertIn("a s.cpp:1 up to 30 times the median", checks.words_of_rare_tasks(result))


unittest.main()
