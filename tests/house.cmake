# Tests of the house rather than of the physics: layers, citations, the installed package.
set(layers ${CMAKE_CURRENT_LIST_DIR}/../tools/check_layers.py)
add_test(NAME layers.no_include_goes_from_left_to_right COMMAND /usr/bin/python3 ${layers} ${PROJECT_SOURCE_DIR})
add_test(NAME layers.the_check_finds_each_kind_of_violation COMMAND /usr/bin/python3 ${layers} --self-test)
set_tests_properties(layers.no_include_goes_from_left_to_right layers.the_check_finds_each_kind_of_violation PROPERTIES
  LABELS house)
add_test(NAME bench.times_are_told_beside_those_of_the_same_type_of_machine
  COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/../tools/bench_figures.py --self-test)
set_tests_properties(bench.times_are_told_beside_those_of_the_same_type_of_machine PROPERTIES LABELS house)
set(citations ${CMAKE_CURRENT_LIST_DIR}/../tools/check_citations.py)
add_test(NAME citations.each_source_is_named_and_in_the_bibliography
  COMMAND /usr/bin/python3 ${citations} ${PROJECT_SOURCE_DIR})
add_test(NAME citations.the_check_finds_each_kind_of_violation COMMAND /usr/bin/python3 ${citations} --self-test)
set_tests_properties(citations.each_source_is_named_and_in_the_bibliography
  citations.the_check_finds_each_kind_of_violation PROPERTIES LABELS house)
add_test(NAME viewer.the_page_is_the_bundle_of_its_sources
  COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_LIST_DIR}/view/bundle_test.py)
set_tests_properties(viewer.the_page_is_the_bundle_of_its_sources PROPERTIES LABELS house SKIP_RETURN_CODE 77)
add_subdirectory(package)
