# Rondo's side of the benches of programs.

# bench_rondo_program(NAME SOURCE)
function(bench_rondo_program name source)
  add_executable(${name} rondo/programs/${source})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE
    rondo::distributed CLI11::CLI11 nlohmann_json::nlohmann_json rondo_warnings)
endfunction()

bench_rondo_program(rondo_gauss_seidel gauss_seidel.cpp)
bench_rondo_program(rondo_conjugate_gradient conjugate_gradient.cpp)
bench_rondo_program(rondo_heat heat.cpp)
bench_rondo_program(rondo_multigrid multigrid.cpp)
bench_rondo_program(rondo_ping_pong ping_pong.cpp)
bench_rondo_program(rondo_progress progress.cpp)
bench_rondo_program(rondo_output output.cpp)
bench_rondo_program(rondo_weak_scaling weak_scaling.cpp)
bench_rondo_program(rondo_metg metg.cpp)
bench_rondo_program(rondo_metg_ranks metg_ranks.cpp)
bench_rondo_program(rondo_overhead overhead.cpp)
