target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/allocation_tree.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bump.cpp
  ${CMAKE_CURRENT_LIST_DIR}/greedy_order.cpp
  ${CMAKE_CURRENT_LIST_DIR}/mincost_flow.cpp
  ${CMAKE_CURRENT_LIST_DIR}/mip.cpp
  ${CMAKE_CURRENT_LIST_DIR}/mip_model.cpp
  ${CMAKE_CURRENT_LIST_DIR}/mip_solver.cpp
  ${CMAKE_CURRENT_LIST_DIR}/nnc.cpp
  ${CMAKE_CURRENT_LIST_DIR}/reuse.cpp
  ${CMAKE_CURRENT_LIST_DIR}/shared_breadth.cpp
  ${CMAKE_CURRENT_LIST_DIR}/shared_objects.cpp
  ${CMAKE_CURRENT_LIST_DIR}/shared_size.cpp
  ${CMAKE_CURRENT_LIST_DIR}/shared_size_improved.cpp
  ${CMAKE_CURRENT_LIST_DIR}/tela_phases.cpp
  ${CMAKE_CURRENT_LIST_DIR}/tela_placement.cpp
  ${CMAKE_CURRENT_LIST_DIR}/tela_search.cpp
  ${CMAKE_CURRENT_LIST_DIR}/telamalloc.cpp)
