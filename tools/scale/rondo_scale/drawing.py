"""The pictures, by whichever Python has matplotlib: this one, or that of the system, which its package is for."""

import os
import subprocess
import sys

SYSTEM = "/usr/bin/python3"
MISSING = (
    "no pictures: Python's matplotlib is missing. Install it (Debian: python3-matplotlib; Fedora:"
    " python3-matplotlib; Spack: py-matplotlib), then: rondo-scale collect {folder}"
)


def draw(outcome, folder, script):
    """What is to be told if there are no pictures, or nothing."""
    if not outcome.curves:
        return "no pictures: no run has succeeded"
    try:
        from . import pictures
    except ImportError:
        return draw_by_system(folder, script)
    pictures.draw(outcome, folder)
    return ""


def draw_by_system(folder, script):
    missing = MISSING.format(folder=folder)
    if os.path.realpath(SYSTEM) == os.path.realpath(sys.executable) or not os.path.exists(SYSTEM):
        return missing
    # Without what was set for this Python, such as PYTHONHOME.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    if subprocess.run([SYSTEM, "-c", "import matplotlib"], env=environment, capture_output=True).returncode != 0:
        return missing
    child = subprocess.run([SYSTEM, script, "draw", folder], env=environment, capture_output=True, text=True)
    said = (child.stderr.strip() or child.stdout.strip()).split("\n")[-1]
    return "" if child.returncode == 0 else f"no pictures: {said}"
