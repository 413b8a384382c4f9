# What every room of the house has in common: warnings, sanitizers, tests, files carried inside the program.

add_library(baton_house INTERFACE)
target_include_directories(baton_house INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(baton_house INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
# GCC 12 sees uninitialised or overflowing memory inside the standard library's own inlined code.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(baton_house INTERFACE -Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(BATON_SANITIZE OR BATON_FUZZ)
  # What AddressSanitizer stops at anyway, or the processor does not mind, is left out: it would make building a third dearer.
  set(BATON_SANITIZERS -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(BATON_FUZZ)
    list(APPEND BATON_SANITIZERS -fsanitize=fuzzer-no-link)
  endif()
  target_compile_options(baton_house INTERFACE ${BATON_SANITIZERS})
  target_link_options(baton_house INTERFACE ${BATON_SANITIZERS})
endif()

# baton_room(NAME SOURCES a.cc … USES targets…)
function(baton_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(${name} PUBLIC baton_house ${ROOM_USES})
endfunction()

# baton_test(NAME SOURCES a_test.cc … USES targets…): one test program a room, tests listed one by one in CTest.
function(baton_test name)
  if(BATON_FUZZ)
    return()
  endif()
  cmake_parse_arguments(TEST "" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_USES} GTest::gmock GTest::gtest_main rapidcheck)
  target_compile_definitions(${name} PRIVATE BATON_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()

# baton_fuzzer(NAME SOURCES a_fuzz.cc USES targets…)
function(baton_fuzzer name)
  if(NOT BATON_FUZZ)
    return()
  endif()
  cmake_parse_arguments(FUZZ "" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${FUZZ_SOURCES})
  target_link_libraries(${name} PRIVATE ${FUZZ_USES})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()

# baton_embed(TARGET FILES…): carries text files inside the program, found by their path in the repository.
function(baton_embed target)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cc)
  list(JOIN ARGN "|" files)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} "-DFILES=${files}" -DOUT=${out} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()

# baton_weights(TARGET FILE NAMESPACE): the weights of a game's judgement.toml as the header "judgement_weights.h" of its folder.
function(baton_weights target file namespace)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(out ${PROJECT_BINARY_DIR}/made/${folder}/judgement_weights.h)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DFILE=${CMAKE_CURRENT_SOURCE_DIR}/${file} -DNAMESPACE=${namespace} -DOUT=${out} -P ${PROJECT_SOURCE_DIR}/cmake/weights.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/weights.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
  target_include_directories(${target} PUBLIC ${PROJECT_BINARY_DIR}/made)
endfunction()
