# sinew_room() makes one internal library out of one folder of sinew/, sinew_rooms() all of them.

include(${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/packages.cmake)

set(SINEW_WARNINGS)
if(SINEW_STRICT)
  set(SINEW_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 takes `string + "literal"` for a write out of bounds when <string> comes out of a precompiled header.
    list(APPEND SINEW_WARNINGS -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  endif()
endif()

# Files are compiled sixteen at a time: half of the time of a small file goes into reading headers and into the templates
# of Eigen and JSON that its neighbours need as well. So names in the anonymous namespaces of one folder differ.
option(SINEW_UNITY "compile files of a room together" ON)
# Apart from it: builds that compile every room's file alone, to see what it forgot to include, need not do so for tests.
option(SINEW_UNITY_TESTS "compile test files of a room together" ON)

# sinew_compile_together(TARGET OPTION): OPTION is the one above that decides.
function(sinew_compile_together target decides)
  if(${decides})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
    # The first is meant for headers; the second sees a local name hide a name of the file before it. The instrumented
    # builds compile every room's file alone and have both.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> -Wno-shadow)
  endif()
endfunction()

# Files that are compiled alone: they take so long that nothing should wait for them, or clash with others.
set(SINEW_ALONE
    base/dense_algebra.cpp
    correctives/corrective_regions.cpp
    correctives/network_training.cpp
    weights/biharmonic/biharmonic_energy.cpp
    weights/biharmonic/biharmonic_evaluate.cpp
    weights/biharmonic/biharmonic_multigrid.cpp)

# sinew_room(NAME ROOMS room… PACKAGES package…): internal library sinew_NAME from sinew/NAME, or from bindings/X where
# NAME is bindings_X. Tests and programs link it; cmake/libraries.cmake makes what users link.
function(sinew_room name)
  cmake_parse_arguments(ROOM "" "" "ROOMS;PACKAGES" ${ARGN})
  string(REGEX REPLACE "^bindings_" "../bindings/" folder ${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sinew/${folder}/*.cpp)
  add_library(sinew_${name} STATIC ${sources})
  target_include_directories(sinew_${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(sinew_${name} PRIVATE ${SINEW_WARNINGS})
  foreach(room ${ROOM_ROOMS})
    target_link_libraries(sinew_${name} PUBLIC sinew_${room})
  endforeach()
  foreach(package ${ROOM_PACKAGES})
    if(NOT SINEW_PACKAGE_${package})
      message(FATAL_ERROR "sinew/rooms.txt: ${name} uses ${package}, which cmake/packages.cmake does not know")
    endif()
    target_link_libraries(sinew_${name} PUBLIC ${SINEW_PACKAGE_${package}})
  endforeach()
  if(name STREQUAL "runtime")
    # Links nothing but the C library, so what would need more must not compile; tests/runtime/check_needs.sh looks at
    # the result. sqrt sets no errno and is one instruction. -Wno-psabi: eight floats as one value never cross a
    # function that is not inlined. The precompiled header would bring Eigen; and every file is compiled alone, so that
    # a program takes only those along that it calls.
    target_compile_options(sinew_${name} PRIVATE -fno-exceptions -fno-rtti -fno-math-errno -Wno-psabi)
  else()
    sinew_compile_together(sinew_${name} SINEW_UNITY)
    sinew_precompile(sinew_${name})
  endif()
  if(NOT PROJECT_IS_TOP_LEVEL)
    set_target_properties(sinew_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# sinew_rooms(): every room of sinew/rooms.txt, in its order. SINEW_ROOMS lists them, SINEW_ROOM_PACKAGES_NAME what NAME
# itself uses.
function(sinew_rooms)
  set(list ${PROJECT_SOURCE_DIR}/sinew/rooms.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  foreach(file ${SINEW_ALONE})
    set_source_files_properties(${PROJECT_SOURCE_DIR}/sinew/${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  if(CMAKE_BUILD_TYPE STREQUAL "ThreadSanitize")
    # The one file that includes TBB. The sanitizer would see one half of what TBB does, and report it.
    set_source_files_properties(${PROJECT_SOURCE_DIR}/sinew/base/parallel.cpp PROPERTIES
      SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
      COMPILE_OPTIONS -fno-sanitize=thread COMPILE_DEFINITIONS SINEW_THREAD_SANITIZER)
  endif()
  file(STRINGS ${list} lines REGEX "^[a-z]")
  foreach(line ${lines})
    string(REPLACE "|" ";" fields "${line}")
    list(GET fields 0 name)
    list(GET fields 1 rooms)
    list(GET fields 2 packages)
    string(STRIP "${name}" name)
    separate_arguments(rooms)
    separate_arguments(packages)
    sinew_room(${name} ROOMS ${rooms} PACKAGES ${packages})
    list(APPEND names ${name})
    set(SINEW_ROOM_PACKAGES_${name} ${packages} PARENT_SCOPE)
  endforeach()
  set(SINEW_ROOMS ${names} PARENT_SCOPE)
endfunction()
