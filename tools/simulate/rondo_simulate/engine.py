"""rondo-simulate-ranks, the program in C++ that reads timelines and plays plans."""

import json
import os
import shutil
import subprocess

from rondo_scale.complaint import Complaint

NAME = "rondo-simulate-ranks"


class Failed(Exception):
    """It could not do what it was asked for; in its own words."""


def find(given, script):
    """Its path: beside the script where that is installed, or in the build folder of the tree."""
    if given:
        if not shutil.which(given):
            raise Complaint(f"--engine: there is no program {given}")
        return os.path.abspath(shutil.which(given))
    here = os.path.dirname(os.path.realpath(script))
    for place in (here, os.path.join(here, "../../build/release/tools")):
        path = os.path.join(place, NAME)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return os.path.abspath(path)
    found = shutil.which(NAME)
    if not found:
        raise Complaint(
            f"{NAME} is not built: cmake --build build/release --target {NAME}; or say where it is: --engine PATH"
        )
    return found


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    last = lines[-1] if lines else "no word of why"
    return last[len(NAME) + 2 :] if last.startswith(NAME + ": ") else last


def costs(engine, timeline):
    """What it reads out of the timeline of a run."""
    done = subprocess.run([engine, "costs", timeline], capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise Failed(f"{NAME} costs: {last_line(done.stderr)}")
    return read(done.stdout, "costs", ("costs", "components"))


def read(text, command, wanted):
    try:
        j = json.loads(text)
        for name in wanted:
            j[name]
        return j
    except (ValueError, KeyError, TypeError) as e:
        raise Failed(f"{NAME} {command}: its answer can't be read: {e!r}") from None


def predict_words(engine, wishes, costs_files, variants, network_file=""):
    """Its command line, but for the plan; without a network, messages are as they were measured."""
    words = [engine, "predict"]
    if network_file:
        words += ["--network", network_file]
    for variant in variants:
        words += ["--variant", variant]
    p = wishes.program
    if p.uses("passes") and p.planned_passes < p.passes:
        words += ["--repetitions-of", str(p.passes), str(p.planned_passes)]
    words += ["--seeds", str(wishes.seeds)]
    for path in costs_files:
        words += ["--costs", path]
    return words
