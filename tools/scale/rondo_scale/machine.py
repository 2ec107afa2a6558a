"""What this machine is, and how busy other programs keep it."""

import os
import platform
import re
import resource
import subprocess
import time


def first_line(path, begin=""):
    try:
        with open(path, encoding="utf-8") as f:
            return next((line.strip() for line in f if line.startswith(begin)), "")
    except OSError:
        return ""


def cores():
    """Those this process may use; the two threads of a core count once."""
    at = "/sys/devices/system/cpu/cpu{}/topology/{}"
    found = set()
    for cpu in os.sched_getaffinity(0):
        core = first_line(at.format(cpu, "core_id"))
        found.add((first_line(at.format(cpu, "physical_package_id")), core) if core else cpu)
    return len(found)


def describe():
    processor = first_line("/proc/cpuinfo", "model name").partition(":")[2].strip()
    return {
        "processor": processor or platform.machine(),
        "cores": cores(),
        "system": f"{platform.system()} {platform.release()}",
    }


def mpi_of(mpirun):
    """("Open MPI" or "MPICH" or "", what it says of its version)"""
    try:
        said = subprocess.run([mpirun, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return "", ""
    text = said.stdout + said.stderr
    if re.search("Open MPI|OpenRTE", text):
        version = re.search(r"\d+\.\d[\w.]*", text)
        return "Open MPI", f"Open MPI {version.group()}" if version else "Open MPI"
    if re.search("HYDRA|mpich", text, re.IGNORECASE):
        version = re.search(r"Version:\s*(\S+)", text)
        return "MPICH", f"MPICH {version.group(1)}" if version else "MPICH"
    return "", text.strip().split("\n")[0]


def cpu_seconds():
    """(of all programs, of this one and its children)"""
    numbers = [int(x) for x in first_line("/proc/stat", "cpu ").split()[1:8]]
    if len(numbers) < 7:
        return 0.0, 0.0
    user, nice, system, _, _, irq, softirq = numbers
    ours = sum(
        u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK"), ours


class OthersWatch:
    """How many cores other programs keep busy from now on."""

    def __init__(self):
        self.begin, self.began = cpu_seconds(), time.monotonic()

    def cores(self):
        end, wall = cpu_seconds(), time.monotonic() - self.began
        used = end[0] - self.begin[0] - (end[1] - self.begin[1])
        return max(0.0, used / wall) if wall > 0 else 0.0
