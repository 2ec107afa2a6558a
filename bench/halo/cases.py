"""Messages between two ranks, as small as a number and as large as a halo."""

from programs import Case, Program, mpirun

SIZES = (8, 64, 512, 1024, 4096, 8192, 16384, 65536)


def cases(quick):
    metrics = {f"us_per_{n}_bytes": (f"half of a round trip, {n} bytes", "us") for n in SIZES}
    options = f"--round-trips {50 if quick else 5000} --reps {1 if quick else 5}"
    # An exchange of halos goes both ways, as does Rondo's program.
    swap = f"{options} --both-ways"
    # As between nodes: ranks of one node would use its memory.
    mpi = "-x RONDO_TRANSPORT=mpi"
    tcp = f"--mca btl tcp,self {mpi}"
    ucx = "-x RONDO_TRANSPORT=ucx"
    ucx_tcp = "-x UCX_TLS=tcp,self -x UCX_NET_DEVICES=lo"
    yield Case(
        "shared memory", metrics=metrics,
        programs=[
            Program("MPI", mpirun(2), "bench/peer_mpi_ping_pong", options),
            Program("MPI, both ways", mpirun(2), "bench/peer_mpi_ping_pong", swap),
            Program("UCX", mpirun(2), "bench/peer_ucx_ping_pong", options),
            Program("UCX, both ways", mpirun(2), "bench/peer_ucx_ping_pong", swap),
            Program("rondo", mpirun(2), "bench/rondo_ping_pong", options),
            Program("rondo, MPI", mpirun(2, options=mpi), "bench/rondo_ping_pong", options),
            Program("rondo, UCX", mpirun(2, options=ucx), "bench/rondo_ping_pong", options),
        ])
    yield Case(
        "TCP", metrics=metrics,
        programs=[
            Program("MPI", mpirun(2, options=tcp), "bench/peer_mpi_ping_pong", options),
            Program("MPI, both ways", mpirun(2, options=tcp), "bench/peer_mpi_ping_pong", swap),
            Program("UCX", mpirun(2, options=ucx_tcp), "bench/peer_ucx_ping_pong", options),
            Program("UCX, both ways", mpirun(2, options=ucx_tcp), "bench/peer_ucx_ping_pong", swap),
            Program("rondo", mpirun(2, options=tcp), "bench/rondo_ping_pong", options),
            Program("rondo, UCX", mpirun(2, options=f"{ucx} {ucx_tcp}"), "bench/rondo_ping_pong",
                    options),
        ])
