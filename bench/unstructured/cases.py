"""Unstructured meshes, by Rondo and by hand: on two ranks, and on one with two threads."""

from programs import Case, Program, mpirun

PASS = {"us_per_pass": ("time per pass", "us")}
# Parts add what they have in another order.
SAME = {"square": (1e-9, 1e-12)}
TWO_THREADS = mpirun(1, 2, "-x RONDO_WORKERS=2 -x RONDO_BIND=1 -x OMP_PROC_BIND=true")


def triangles(quick):
    # From where the memory is all that counts to where messages do.
    sizes = ((30, 20),) if quick else ((1000, 500), (250, 200), (100, 50), (25, 20))
    for nx, ny in sizes:
        cells = 2 * nx * ny
        passes = 20 if quick else min(max(100_000_000 // cells // 2 * 2, 20), 20_000)
        options = f"--nx {nx} --ny {ny} --passes {passes} --reps {1 if quick else 3}"
        peers = [
            Program("MPI", mpirun(2), "bench/peer_mpi_mesh_heat", options),
            Program("MPI, overlaps", mpirun(2), "bench/peer_mpi_mesh_heat", options + " --overlap"),
        ]
        name = f"heat on {cells} triangles"
        yield Case(
            f"{name}, 2 ranks", metrics=PASS, agree=SAME,
            programs=peers + [
                Program(f"rondo, {colors} each", mpirun(2), "bench/rondo_mesh_heat",
                        f"{options} --colors {colors}")
                for colors in (1, 2, 4)
            ])
        yield Case(
            f"{name}, 1 rank with 2 threads", metrics=PASS, agree=SAME,
            programs=peers + [
                Program(f"rondo, {colors} colors", TWO_THREADS, "bench/rondo_mesh_heat",
                        f"{options} --colors {colors}")
                for colors in (2, 4, 8)
            ])


def tetrahedra(quick):
    n = 6 if quick else 44
    options = f"--n {n} --passes {4 if quick else 30} --reps {1 if quick else 3}"
    name = f"elastic body of {6 * n ** 3} tetrahedra"
    yield Case(
        f"{name}, 2 ranks", metrics=PASS, agree=SAME,
        programs=[
            Program("MPI", mpirun(2), "bench/peer_mpi_mesh_elastic", options),
        ] + [
            Program(f"rondo, {colors} each", mpirun(2), "bench/rondo_mesh_elastic",
                    f"{options} --colors {colors}")
            for colors in (1, 2, 4)
        ])
    yield Case(
        f"{name}, 1 rank with 2 threads", metrics=PASS, agree=SAME,
        programs=[
            Program("MPI", mpirun(2), "bench/peer_mpi_mesh_elastic", options),
        ] + [
            Program(f"OpenMP, {mode}", TWO_THREADS, "bench/peer_openmp_mesh_elastic",
                    f"{options} --threads 2 --mode {mode}")
            for mode in ("atomics", "coloring")
        ] + [
            Program(f"rondo, {colors} colors", TWO_THREADS, "bench/rondo_mesh_elastic",
                    f"{options} --colors {colors}")
            for colors in (2, 4, 8)
        ])


def setup(quick):
    options = "--nx 30 --ny 20 --reps 1" if quick else "--nx 1000 --ny 500 --reps 3"
    yield Case(
        f"set-up of {1200 if quick else 1000000} triangles, 2 ranks",
        metrics={
            "us_per_mesh": ("time", "us"),
            "peak_bytes_of_cell": ("memory at its highest, for each cell", "B"),
            "bytes_of_cell": ("memory that stays, for each cell", "B"),
            "stays": ("with two fields, in parts of what a loop needs", "1"),
        },
        programs=[
            Program("rondo", mpirun(2), "bench/rondo_mesh_setup", options),
            Program("rondo, with vertices", mpirun(2), "bench/rondo_mesh_setup",
                    options + " --vertices"),
        ])


def cuts(quick):
    """Of meshes without lines; two ranks cut together, of the libraries one alone."""
    boxes = (("30", "20", "0"), ("6", "6", "6")) if quick else (("500", "250", "0"), ("36", "36", "36"))
    for nx, ny, nz in boxes:
        cells = int(nx) * int(ny) * (6 * int(nz) or 2)
        for colors in (8,) if quick else (2, 8, 64):
            options = f"--nx {nx} --ny {ny} --nz {nz} --colors {colors} --reps {1 if quick else 3}"
            yield Case(
                f"cut of {cells} {'triangles' if nz == '0' else 'tetrahedra'} in {colors} colors, 2 ranks",
                metrics={"faces_between": ("faces between colors", "1"), "us_per_cut": ("time", "us")},
                programs=[
                    Program(name, mpirun(2), f"bench/{program}_mesh_cut", options)
                    for name, program in (("METIS", "peer_metis"), ("Scotch", "peer_scotch"), ("rondo", "rondo"))
                ])


def cases(quick):
    yield from triangles(quick)
    yield from tetrahedra(quick)
    yield from setup(quick)
    yield from cuts(quick)
