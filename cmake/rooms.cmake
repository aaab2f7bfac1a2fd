# Packages every room may use, and sinew_room(), which makes one library target out of one folder of sinew/.

include(GNUInstallDirs)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(embree 3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(assimp REQUIRED)

find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
add_library(sinew_cholmod INTERFACE)
target_include_directories(sinew_cholmod SYSTEM INTERFACE $<BUILD_INTERFACE:${CHOLMOD_INCLUDE_DIR}>)
target_link_libraries(sinew_cholmod INTERFACE $<BUILD_INTERFACE:${CHOLMOD_LIBRARY}> $<INSTALL_INTERFACE:cholmod>)
set(SINEW_CHOLMOD sinew_cholmod)

set(SINEW_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
set(SINEW_ROOMS "")

if(SINEW_FUZZ)
  # Coverage in every room, so that the fuzzer sees which way a reader took; the fuzz targets link libFuzzer's main.
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -g)
  add_link_options(-fsanitize=address,undefined)
endif()
if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# sinew_room(NAME [ROOMS room…] [LINKS target…]): library sinew_NAME (alias sinew::NAME) from sinew/NAME/*.cpp.
function(sinew_room name)
  cmake_parse_arguments(ROOM "" "" "ROOMS;LINKS" ${ARGN})
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
  set(SINEW_ROOMS ${SINEW_ROOMS} ${name} PARENT_SCOPE)
endfunction()
