"""Files of a field: how fast they are written, and what a loop pays for the files that it writes."""

from programs import Case, Program, mpirun

A_FILE = {"us_per_file": ("until it is complete", "us")}
A_PASS = {"us_per_pass": ("a pass, with its files", "us")}


def cases(quick):
    n = 256 if quick else 2048
    reps = 1 if quick else 7
    for ranks in (1, 2):
        one = f"--n {n} --reps {reps}"
        yield Case(
            f"a file of {n} x {n}, {ranks} ranks",
            metrics=A_FILE,
            agree={"bytes": (0, 0)},
            programs=[
                Program("HDF5, collective", mpirun(ranks), "bench/peer_mpi_output",
                        f"{one} --file peer.h5"),
                Program("HDF5, on the disk", mpirun(ranks), "bench/peer_mpi_output",
                        f"{one} --file peer.h5 --sync"),
                Program("MPI-IO, collective", mpirun(ranks), "bench/peer_mpi_output",
                        f"{one} --file peer.raw"),
            ] + [
                Program(f"rondo, .{kind}", mpirun(ranks), "bench/rondo_output",
                        f"{one} --file rondo.{kind}")
                for kind in ("vti", "h5")
            ] + [
                Program("the disk alone", mpirun(ranks), "bench/rondo_output", f"{one} --file bare",
                        is_bound=True)
            ])
        for every in (20, 100, 400):
            loop = f"--n {n} --reps {min(reps, 2)} --passes {20 if quick else 2 * every} --every {every}"
            yield Case(
                f"a loop over {n} x {n}, a file every {every} passes, {ranks} ranks",
                metrics=A_PASS,
                agree={"sum": (1e-9, 0)},
                programs=[
                    Program(f"rondo, {what}", mpirun(ranks), "bench/rondo_output", f"{loop} {options}")
                    for what, options in (("copies only", "--file copies"), ("files", "--file loop.vti"),
                                          ("HDF5", "--file loop.h5"),
                                          ("copies, bare files beside", "--file bare"),
                                          ("no files", "--file none"))
                ])
