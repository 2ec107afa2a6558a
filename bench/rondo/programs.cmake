# Rondo's side of the benches of programs.

# What these programs share: options, time, and what needs tasks of its own for it.
add_library(bench_rondo_common STATIC rondo/programs/program.cpp)
target_link_libraries(bench_rondo_common
  PUBLIC rondo::distributed bench_program
  PRIVATE rondo_warnings)

# bench_rondo_program(NAME SOURCE)
function(bench_rondo_program name source)
  add_executable(${name} rondo/programs/${source})
  target_link_libraries(${name} PRIVATE bench_rondo_common rondo_warnings)
endfunction()

bench_rondo_program(rondo_gauss_seidel gauss_seidel.cpp)
bench_rondo_program(rondo_conjugate_gradient conjugate_gradient.cpp)
bench_rondo_program(rondo_heat heat.cpp)
bench_rondo_program(rondo_contributions contributions.cpp)
bench_rondo_program(rondo_multigrid multigrid.cpp)
bench_rondo_program(rondo_ping_pong ping_pong.cpp)
bench_rondo_program(rondo_progress progress.cpp)
bench_rondo_program(rondo_output output.cpp)
bench_rondo_program(rondo_weak_scaling weak_scaling.cpp)
bench_rondo_program(rondo_metg metg.cpp)
bench_rondo_program(rondo_metg_ranks metg_ranks.cpp)
bench_rondo_program(rondo_overhead overhead.cpp)
bench_rondo_program(rondo_observed_loop observed_loop.cpp)
bench_rondo_program(rondo_pic pic.cpp)
bench_rondo_program(rondo_lennard_jones lennard_jones.cpp)
bench_rondo_program(rondo_hot_spot hot_spot.cpp)

foreach(name mesh_heat mesh_elastic mesh_setup sparse_cg hpcg)
  bench_rondo_program(rondo_${name} ${name}.cpp)
  target_link_libraries(rondo_${name} PRIVATE rondo::meshes)
endforeach()
target_link_libraries(rondo_overhead PRIVATE rondo::meshes)

# The same program for each cut: that of Rondo, and those of libraries that it is built with.
function(bench_mesh_cut name cut by)
  bench_rondo_program(${name} mesh_cut.cpp)
  target_compile_definitions(${name} PRIVATE "CUT=${cut}" "NAME_OF_CUT=\"${by}\"")
  target_link_libraries(${name} PRIVATE rondo::meshes)
endfunction()
bench_mesh_cut(rondo_mesh_cut cut_refined Rondo)
foreach(library METIS Scotch)
  string(TOUPPER ${library} upper)
  string(TOLOWER ${library} lower)
  get_target_property(has_it rondo_meshes RONDO_HAS_${upper})
  if(has_it)
    bench_mesh_cut(peer_${lower}_mesh_cut cut_by_${lower} ${library})
  endif()
endforeach()
