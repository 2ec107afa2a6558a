# HPCG's own program. Nobody packages it, and nothing of it is here: HPCG_ROOT is a folder in which it was built, with bin/xhpcg.
# A link to it is where the programs of this build are, for cases.py.

find_program(BENCH_hpcg_PROGRAM xhpcg
  HINTS ${HPCG_ROOT} ENV HPCG_ROOT PATH_SUFFIXES bin)
mark_as_advanced(BENCH_hpcg_PROGRAM)
if(BENCH_hpcg_PROGRAM)
  file(CREATE_LINK ${BENCH_hpcg_PROGRAM} ${CMAKE_CURRENT_BINARY_DIR}/peer_hpcg SYMBOLIC)
else()
  message(STATUS "bench: no HPCG (set HPCG_ROOT to the folder in which it was built); its row of hpcg is left out")
endif()
