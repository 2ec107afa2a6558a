# Installs build_dir into a fresh prefix, then configures, builds and runs the consumer against
# it. The consumer can see nothing but the prefix.

function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${status}): ${command}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work_dir})
set(prefix ${work_dir}/prefix)

step(${CMAKE_COMMAND} --install ${build_dir} --prefix ${prefix} --config ${config})
step(${CMAKE_COMMAND} -S ${consumer_dir} -B ${work_dir}/build -G ${generator}
  -D CMAKE_BUILD_TYPE=${config}
  -D CMAKE_CXX_COMPILER=${compiler}
  -D CMAKE_PREFIX_PATH=${prefix})
step(${CMAKE_COMMAND} --build ${work_dir}/build)
step(${work_dir}/build/consumer)
step(${work_dir}/build/futures_consumer)
step(${work_dir}/build/flow_consumer)
step(${work_dir}/build/transport_consumer)
step(${work_dir}/build/mesh_consumer)

# The script finds its modules and the solver. It is not there if the tools aren't built.
find_program(python3 python3)
if(python3 AND EXISTS ${prefix}/bin/rondo-scale)
  step(${prefix}/bin/rondo-scale --dry-run --ranks 1 --launcher "env N={ranks}")
endif()
if(python3 AND EXISTS ${prefix}/bin/rondo-simulate-ranks)
  step(${prefix}/bin/rondo-simulate --dry-run --measure 1,2 --launcher "env N={ranks}")
endif()
