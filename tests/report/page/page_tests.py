#!/usr/bin/python3
"""What a user does with the page of a report, in headless Chromium, on runs that never were."""

import atexit
import pathlib
import tempfile
import unittest

import browser as chromium
import synthetic_runs
from filled_page import fill, template
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

BROWSER = chromium.start()
atexit.register(BROWSER.quit)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        cls.template = template(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def open(self, made, name="page"):
        path = self.folder / f"{name}.html"
        path.write_text(fill(self.template, *made))
        BROWSER.get_log("browser")
        self.assertEqual(chromium.open_page(BROWSER, path), "")

    def tearDown(self):
        self.assertEqual([entry for entry in BROWSER.get_log("browser") if entry["level"] == "SEVERE"], [])

    # --- what is read and done -------------------------------------------------------------

    def js(self, script):
        return BROWSER.execute_script("return " + script)

    def element(self, name):
        return BROWSER.find_element(By.ID, name)

    def text(self, name):
        return self.element(name).text

    def shown(self):
        view = self.js("rondo.view()")
        return view["to"] - view["from"]

    def key(self, *keys):
        ActionChains(BROWSER).send_keys(*keys).perform()

    def show(self, tab):
        self.element(f"tab_{tab}").click()
        self.assertTrue(self.element(tab).is_displayed())


class OfAStencil(Page):
    def setUp(self):
        self.open(synthetic_runs.stencil(passes=10, compared=synthetic_runs.comparison()))

    def test_the_header_says_what_the_run_was(self):
        self.assertIn("./heat", self.text("title"))
        self.assertIn("2026-11-26", self.text("facts"))
        self.assertIn("clocks agree to 300 ns", self.text("facts"))
        self.assertIn("72 % of the critical path", self.text("words"))
        self.assertEqual(self.text("warnings"), "")

    def test_the_whole_run_is_shown_first(self):
        view = self.js("rondo.view()")
        self.assertLessEqual(view["from"], 0)
        self.assertGreater(view["to"], 1e6)

    def test_something_is_drawn(self):
        colors = self.js("""(() => {
            const { width, height } = document.getElementById("lanes");
            const seen = new Uint32Array(document.getElementById("lanes").getContext("2d").getImageData(0, 0, width, height).data.buffer);
            return new Set(seen).size;
        })()""")
        self.assertGreater(colors, 8)

    def test_zoom_by_script(self):
        self.js("rondo.zoom(1e6, 2e6)")
        self.assertEqual(self.js("rondo.view()"), {"from": 1e6, "to": 2e6})
        self.assertGreater(self.js("rondo.frame_ms()"), 0)

    def test_the_wheel_zooms_at_the_mouse(self):
        before = self.js("rondo.view()")
        lanes = self.element("lanes")
        box = lanes.rect
        x = 132 + round((box["width"] - 132) * 0.25) # the names of lanes take 132 pixels
        dispatch = f"""(() => {{
            const lanes = document.getElementById("lanes"), box = lanes.getBoundingClientRect();
            lanes.dispatchEvent(new WheelEvent("wheel", {{ deltaY: -240, clientX: box.left + {x}, clientY: box.top + 50, bubbles: true, cancelable: true }}));
        }})()"""
        self.js(dispatch)
        after = self.js("rondo.view()")
        self.assertLess(after["to"] - after["from"], before["to"] - before["from"])
        share = lambda view, moment: (moment - view["from"]) / (view["to"] - view["from"])
        under_mouse = before["from"] + (x - 132) / (box["width"] - 132) * (before["to"] - before["from"])
        self.assertAlmostEqual(share(after, under_mouse), share(before, under_mouse), places=2)

    def test_a_real_wheel_zooms_too(self):
        before = self.shown()
        ActionChains(BROWSER).scroll_from_origin(
            ScrollOrigin.from_element(self.element("lanes")), 0, -200).perform()
        self.assertLess(self.shown(), before)

    def test_a_drag_moves_the_view(self):
        self.js("rondo.zoom(1e6, 1.5e6)")
        ActionChains(BROWSER).move_to_element(self.element("lanes")).click_and_hold().move_by_offset(-200, 0).release().perform()
        self.assertGreater(self.js("rondo.view()")["from"], 1e6)
        self.assertAlmostEqual(self.shown(), 5e5, delta=1)

    def test_keys_zoom_and_move(self):
        whole = self.shown()
        self.key("w")
        near = self.js("rondo.view()")
        self.assertLess(self.shown(), whole)
        self.key("d")
        self.assertGreater(self.js("rondo.view()")["from"], near["from"])
        self.key("a", "s", "0")
        self.assertAlmostEqual(self.shown(), whole)

    def test_a_task_is_found_by_a_part_of_its_name(self):
        self.assertEqual(self.js("rondo.find('RESID')"), 4 * 2 * 2)
        self.assertEqual(self.js("rondo.find('no such task')"), 0)
        self.assertEqual(self.text("find_count"), "nothing found")
        self.assertEqual(self.js("rondo.find('sweep, color 23')"), 10)

    def test_enter_goes_from_hit_to_hit(self):
        self.key("/")
        self.key("residual", Keys.ENTER)
        self.assertEqual(self.text("find_count"), "1 of 16 hits")
        self.assertIn("task::residual", self.text("panel"))
        first = self.js("rondo.view()")
        self.key(Keys.ENTER)
        self.assertEqual(self.text("find_count"), "2 of 16 hits")
        self.assertNotEqual(self.js("rondo.view()"), first)
        ActionChains(BROWSER).key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT).perform()
        self.assertEqual(self.text("find_count"), "1 of 16 hits")

    def test_messages_of_the_selected_span_lead_to_others(self):
        self.js("rondo.find('halo: receive')")
        self.element("find_next").click()
        self.assertIn("Messages it has waited for: 1", self.text("panel"))
        self.assertIn("32.8 kB", self.text("panel"))
        BROWSER.find_element(By.CSS_SELECTOR, "#panel .link").click()
        self.assertIn("Messages it has sent: 1", self.text("panel"))
        self.key(Keys.ESCAPE)
        self.assertNotIn("Messages", self.text("panel"))

    def test_the_mouse_over_a_span_tells_about_it_and_a_click_selects_it(self):
        """A click on it selects it. The span that was selected is in the middle of the view, on one of the lanes."""
        self.js("rondo.select(60)")
        name = BROWSER.find_element(By.CSS_SELECTOR, "#panel h2").text.split("\n")[0]
        lanes = self.element("lanes")
        found = False
        for y in range(-int(lanes.rect["height"] / 2) + 4, int(lanes.rect["height"] / 2) - 2, 7):
            ActionChains(BROWSER, duration=0).move_to_element_with_offset(lanes, 66, y).perform()
            if self.element("tooltip").is_displayed() and name in self.text("tooltip"):
                found = True
                self.key(Keys.ESCAPE)
                ActionChains(BROWSER).click().perform()
                self.assertIn(name, BROWSER.find_element(By.CSS_SELECTOR, "#panel h2").text)
                break
        self.assertTrue(found, name)

    def test_a_range_is_selected_with_shift(self):
        lanes = self.element("lanes")
        ActionChains(BROWSER).key_down(Keys.SHIFT).move_to_element(lanes).click_and_hold().move_by_offset(150, 0).release().key_up(Keys.SHIFT).perform()
        self.assertIn("Range of", self.text("panel"))
        self.assertIn("tasks at a time", self.text("panel"))
        self.key(Keys.ESCAPE)
        self.assertNotIn("Range of", self.text("panel"))

    def test_the_critical_path_and_messages_are_switched(self):
        for name, key in (("critical_toggle", "c"), ("messages_toggle", "m")):
            button = self.element(name)
            self.assertEqual(button.get_attribute("aria-pressed"), "false")
            button.click()
            self.assertEqual(button.get_attribute("aria-pressed"), "true")
            self.js("rondo.zoom(0, 1e6)")
            if name == "messages_toggle":
                self.assertIn("message", self.text("arrows_text"))
            self.key(key)
            self.assertEqual(button.get_attribute("aria-pressed"), "false")

    def test_ranks_are_collapsed(self):
        height = lambda: self.element("lanes_height").rect["height"]
        before = height()
        self.element("ranks_toggle").click()
        self.assertLess(height(), before)
        self.element("ranks_toggle").click()
        self.assertEqual(height(), before)

    def test_each_tab_opens(self):
        for tab, said in (("critical", "Its longest spans"), ("tasks", "task::sweep"), ("graph", "task::sweep"), ("digest", "=> waiting for messages"),
                          ("changes", "takes 20 % less"), ("timeline", "Colours")):
            self.show(tab)
            self.assertIn(said, self.text(tab))

    def test_tabs_change_by_keys(self):
        self.element("tab_timeline").click()
        self.key(Keys.ARROW_RIGHT)
        self.assertTrue(self.element("critical").is_displayed())

    def test_the_table_is_sorted_by_a_click(self):
        self.show("tasks")
        column = lambda n: [row.find_elements(By.TAG_NAME, "td")[n].text for row in BROWSER.find_elements(By.CSS_SELECTOR, "#tasks .table:first-of-type tbody tr")][:5]
        self.assertEqual(column(0)[0], "task::sweep")
        by_name = BROWSER.find_element(By.XPATH, "//*[@id='tasks']//th//button[text()='name']")
        by_name.click()
        self.assertEqual(column(0), sorted(column(0)))
        by_name.click()
        self.assertEqual(column(0), sorted(column(0), reverse=True))
        head = BROWSER.find_element(By.CSS_SELECTOR, "#tasks th")
        self.assertEqual(head.get_attribute("aria-sort"), "descending")

    def test_a_row_of_the_table_leads_to_the_timeline(self):
        self.show("tasks")
        BROWSER.find_element(By.CSS_SELECTOR, "#tasks tbody tr").click()
        self.assertTrue(self.element("timeline").is_displayed())
        chosen = BROWSER.find_element(By.CSS_SELECTOR, ".legend button[aria-pressed='true']")
        self.assertIn("task::sweep", chosen.text)

    def test_a_span_of_the_critical_path_leads_to_the_timeline(self):
        self.show("critical")
        BROWSER.find_element(By.CSS_SELECTOR, "#critical tr.clickable").click()
        self.assertTrue(self.element("timeline").is_displayed())
        self.assertIn("On the critical path", self.text("panel"))

    def test_graphs_are_chosen_and_zoomed(self):
        self.show("graph")
        self.assertEqual(len(BROWSER.find_elements(By.CSS_SELECTOR, ".node")), 4 * 2 * 3 + 1)
        place = lambda: BROWSER.find_element(By.CSS_SELECTOR, "#graph svg > g").get_attribute("transform")
        before = place()
        BROWSER.find_element(By.CSS_SELECTOR, "#graph svg").send_keys("w")
        self.assertNotEqual(place(), before)
        self.element("graph_choice").send_keys(Keys.ARROW_DOWN)
        self.assertEqual(len(BROWSER.find_elements(By.CSS_SELECTOR, ".node")), 4 * 40 * 3 + 1)

    def test_of_a_large_graph_a_part_is_drawn(self):
        self.open(synthetic_runs.stencil(passes=1, graphs=[synthetic_runs.graph_of_pass(4, 300)]))
        self.show("graph")
        self.assertEqual(len(BROWSER.find_elements(By.CSS_SELECTOR, ".node")), 1200)
        self.assertIn("1\u202f200 of 3\u202f601 nodes are drawn", self.text("graph"))

    def test_the_mouse_over_the_parallelism_tells_it(self):
        ActionChains(BROWSER).move_to_element(self.element("parallelism")).perform()
        self.assertIn("tasks running at", self.text("tooltip"))

    def test_a_dark_page_is_dark(self):
        theme = lambda value: BROWSER.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": value}]})
        ground = lambda: self.js("getComputedStyle(document.body).backgroundColor")
        self.assertEqual(ground(), "rgb(255, 255, 255)")
        theme("dark")
        self.assertEqual(ground(), "rgb(21, 24, 28)")
        theme("light")


class OfOtherRuns(Page):
    def test_64_ranks_with_4_workers(self):
        self.open(synthetic_runs.stencil(ranks=64, workers=4, colors=1, passes=6))
        self.assertEqual(self.text("ranks_toggle"), "Expand ranks")
        self.element("ranks_toggle").click()
        self.assertGreater(self.element("lanes_height").rect["height"], 64 * 5 * 20)
        # A span of the last lane is scrolled to.
        last = self.js("rondo.find('halo: receive')")
        self.assertGreater(last, 0)
        self.js("document.getElementById('lanes_scroll').scrollTop = 1e6")
        self.key("c", "m", "0")

    def test_an_empty_run(self):
        self.open(synthetic_runs.empty())
        self.assertIn("0 spans", self.text("facts"))
        self.key("w", "d", "0", "c", "m")
        self.assertEqual(self.js("rondo.find('a')"), 0)
        for tab in ("critical", "tasks", "graph", "digest", "timeline"):
            self.show(tab)
        self.assertEqual(BROWSER.find_elements(By.ID, "tab_changes"), [])

    def test_one_lane(self):
        self.open(synthetic_runs.one_lane())
        self.assertFalse(self.element("ranks_toggle").is_displayed())
        self.js("rondo.select(2)")
        self.assertIn("when it was ready is not known", self.text("panel"))
        self.key(".")
        self.assertIn("launch 4", self.text("panel"))
        self.key(",", ",")
        self.assertIn("launch 2", self.text("panel"))

    def test_a_failure_and_lost_events_are_seen(self):
        self.open(synthetic_runs.stencil(passes=2, failure="rank 1 of 4: <b>no memory</b>", dropped=12))
        self.assertIn("The program has failed: rank 1 of 4: <b>no memory</b>", self.text("warnings"))
        self.assertIn("12 events had no room", self.text("warnings"))

    def test_spans_that_are_too_many_for_pixels(self):
        self.open(synthetic_runs.many_spans(40000))
        self.assertIn("40\u202f000 spans", self.text("facts"))
        self.assertGreater(self.js("rondo.find('sweep')"), 9000)
        self.key("c", "w", "w", "w")
        self.js("rondo.zoom(1e6, 1.002e6)")

    def test_columns_that_can_not_be_read(self):
        path = self.folder / "broken.html"
        run, columns = synthetic_runs.one_lane()
        path.write_text(fill(self.template, run, columns).replace('id="columns">', 'id="columns">AAAA'))
        self.assertNotEqual(chromium.open_page(BROWSER, path), "")
        self.assertIn("The run can't be shown", self.text("warnings"))
        BROWSER.get_log("browser") # it may say so there, too


if __name__ == "__main__":
    unittest.main()
