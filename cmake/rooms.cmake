# Packages every room may use, and sinew_room(), which makes one library target out of one folder of sinew/.

include(GNUInstallDirs)
include(${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(embree 3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(assimp REQUIRED)
find_package(meshoptimizer REQUIRED)

find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
add_library(sinew_cholmod INTERFACE)
target_include_directories(sinew_cholmod SYSTEM INTERFACE $<BUILD_INTERFACE:${CHOLMOD_INCLUDE_DIR}>)
target_link_libraries(sinew_cholmod INTERFACE $<BUILD_INTERFACE:${CHOLMOD_LIBRARY}> $<INSTALL_INTERFACE:cholmod>)
set(SINEW_CHOLMOD sinew_cholmod)

set(SINEW_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 takes `string + "literal"` for a write out of bounds when <string> comes out of a precompiled header.
  list(APPEND SINEW_WARNINGS -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
endif()
set(SINEW_ROOMS "")

if(SINEW_FUZZ)
  # Coverage in every room, so that the fuzzer sees which way a reader took; the fuzz targets link libFuzzer's main.
  add_compile_options(-O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -g)
  add_link_options(-fsanitize=address,undefined)
endif()
if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Files are compiled four at a time: half of the time of a small file goes into reading headers and into the templates of
# Eigen and JSON that its neighbours need as well. So names in the anonymous namespaces of one folder differ.
option(SINEW_UNITY "compile files of a folder together" ON)

function(sinew_compile_together target)
  if(SINEW_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
    # GCC's warning is meant for headers, and Clang's sees a local name hide a constant of the file before it.
    target_compile_options(${target} PRIVATE $<IF:$<CXX_COMPILER_ID:GNU>,-Wno-subobject-linkage,-Wno-shadow>)
  endif()
endfunction()

# sinew_room(NAME [ROOMS room…] [LINKS target…] [ALONE file…]): library sinew_NAME (alias sinew::NAME) from
# sinew/NAME/*.cpp. Files that are compiled ALONE take so long that nothing should wait for them, or clash with others.
function(sinew_room name)
  cmake_parse_arguments(ROOM "" "" "ROOMS;LINKS;ALONE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sinew/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(sinew_${name} STATIC ${sources})
  add_library(sinew::${name} ALIAS sinew_${name})
  set_target_properties(sinew_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(sinew_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(sinew_${name} PUBLIC cxx_std_20)
  target_compile_options(sinew_${name} PRIVATE ${SINEW_WARNINGS})
  foreach(room ${ROOM_ROOMS})
    target_link_libraries(sinew_${name} PUBLIC sinew_${room})
  endforeach()
  target_link_libraries(sinew_${name} PUBLIC ${ROOM_LINKS})
  sinew_compile_together(sinew_${name})
  foreach(file ${ROOM_ALONE})
    set_source_files_properties(${PROJECT_SOURCE_DIR}/sinew/${name}/${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  sinew_precompile(sinew_${name})
  set(SINEW_ROOMS ${SINEW_ROOMS} ${name} PARENT_SCOPE)
endfunction()
