# Checks of the source tree itself.
set(scree_python /usr/bin/python3)
add_test(NAME layers.no_include_goes_from_left_to_right COMMAND ${scree_python} ${PROJECT_SOURCE_DIR}/tools/check_layers.py ${PROJECT_SOURCE_DIR})
add_test(NAME layers.the_check_finds_each_kind_of_violation COMMAND ${scree_python} ${PROJECT_SOURCE_DIR}/tools/check_layers.py --self-test)
set_tests_properties(layers.no_include_goes_from_left_to_right layers.the_check_finds_each_kind_of_violation PROPERTIES LABELS tools)
