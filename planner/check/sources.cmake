target_sources(memo_planner PRIVATE)
