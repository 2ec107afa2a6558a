# cmake -DOUTPUT=FILE -P assemble.cmake: the page as one file, with its style and its scripts in it, to be filled with a run (README.md).
#
# Scripts share one scope, and run in this order.
set(scripts
  format dom columns run
  colors tracks summary row_painter rows view marks describe
  scene axis parallelism overview labels arrows lanes
  finding hover keys mouse
  table range_statistics panel
  critical_tab tasks_tab graph_layout graph_tab text_tabs header tabs
  main)

if(NOT OUTPUT)
  message(FATAL_ERROR "assemble.cmake: -DOUTPUT=FILE says where the page is to be written")
endif()

set(folder ${CMAKE_CURRENT_LIST_DIR})
file(READ ${folder}/report.html page)
file(READ ${folder}/report.css style)
set(script "")
foreach(name IN LISTS scripts)
  file(READ ${folder}/${name}.js text)
  string(APPEND script "${text}\n")
endforeach()
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
