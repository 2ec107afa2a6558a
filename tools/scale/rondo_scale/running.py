"""One run: the program is started, watched, and what came of it is kept."""

import json
import os
import re
import shlex
import signal
import subprocess
import time

from . import launchers, machine

LINES_SHOWN = 6


def command_of(study, run, digest):
    environment = launchers.environment_of(study, digest)
    return launchers.words_of(study, run.ranks, environment) + study.command(run), environment


def wait(child, limit):
    """The exit code, or None if the time was over. mpirun takes its ranks down if it is asked."""
    try:
        return child.wait(limit)
    except subprocess.TimeoutExpired:
        stop(child)
        return None
    except BaseException:  # such as an interrupt
        stop(child)
        raise


def stop(child):
    child.terminate()
    try:
        child.wait(5)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def own_time(expression, text):
    """The seconds that the program has printed last, or None."""
    found = None
    for match in re.finditer(expression, text):
        try:
            found = float(match.group(1))
        except (ValueError, IndexError):
            pass
    return found


# What mpirun says of a rank that has failed; the rank itself has said more.
OF_MPIRUN = re.compile(
    r"Primary job +terminated normally|a non-zero exit code\. Per user-direction|mpirun (detected|noticed) that|"
    r"the job to be terminated\.|Process name: \[|Exit code: |MPI_ABORT was invoked|with errorcode|NOTE: invoking"
    r" MPI_ABORT|"
    r"You may or may not see output|exactly when Open MPI kills|BAD TERMINATION|PID \d+ RUNNING AT|EXIT CODE:"
    r" |CLEANING UP REMAINING|"
    r"YOU CAN IGNORE THE BELOW"
)


def end_of(text):
    """The last lines of the program, without the frames that mpirun draws, and without what other ranks repeat."""
    lines = [line.rstrip()[:200] for line in text.split("\n") if line.strip(" -=\t*")]
    own = [line for line in lines if not OF_MPIRUN.search(line)] or lines
    return list(dict.fromkeys(reversed(own)))[:LINES_SHOWN][::-1]


def start(study, command, environment, log):
    """(exit code or None, seconds, cores that others kept busy)"""
    with open(log, "w", encoding="utf-8") as out:
        others, began = machine.OthersWatch(), time.monotonic()
        child = subprocess.Popen(
            command,
            env=environment,
            cwd=study.directory,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        code = wait(child, study.limit)
        return code, time.monotonic() - began, others.cores()


def do(study, folder, run):
    """Runs it, and returns what is kept of it."""
    log, digest = (study.path(folder, run, ending) for ending in (".log", ".digest.json"))
    for old in (log, digest):
        if os.path.exists(old):
            os.remove(old)
    command, environment = command_of(study, run, digest)
    kept = {
        "variant": run.variant,
        "ranks": run.ranks,
        "nodes": study.nodes(run.ranks),
        "number": run.number,
        "at": time.strftime("%Y-%m-%d %H:%M:%S"),
        "command": shlex.join(command),
        "machine": machine.describe(),
    }
    try:
        code, kept["wall"], kept["others"] = start(study, command, environment, log)
    except OSError as e:
        code, said, why = -1, [], f"{e.filename or study.program}: {e.strerror}"
    else:
        with open(log, encoding="utf-8", errors="replace") as f:
            text = f.read()
        said = end_of(text)
        why = failure(study, code, text)
        if study.time:
            kept["own"] = own_time(study.time, text)
    if why:
        kept.update(failed=why, said=said)
    with open(study.path(folder, run, ".json"), "w", encoding="utf-8") as f:
        json.dump(kept, f, indent=1)
        f.write("\n")
    return kept


def failure(study, code, text):
    if code is None:
        return f"no end after {study.limit:g} s (--limit)"
    if code < 0:
        return f"ended by signal {-code}"
    if code > 0:
        return f"exit code {code}"
    if study.time and own_time(study.time, text) is None:
        return f"printed no time that --time '{study.time}' finds"
    return ""
