# What users link: libsinew (sinew::sinew) out of the objects of all rooms, and libsinew_runtime (sinew::runtime) out of
# the runtime's. Both exist static and shared; SINEW_SHARED says which of the two the short names mean.

# A shared library of 0.x is replaced only by one of the same 0.x; from 1.0 on by any of the same major version.
set(SINEW_SOVERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(SINEW_SOVERSION 0.${PROJECT_VERSION_MINOR})
endif()

# sinew_library(LIBRARY SHORT_NAME room…): targets LIBRARY_static and LIBRARY_shared, and sinew::SHORT_NAME.
function(sinew_library library short_name)
  set(packages)
  set(objects)
  set(linked)
  set(link_flags "")
  foreach(room ${ARGN})
    list(APPEND objects $<TARGET_OBJECTS:sinew_${room}>)
    list(APPEND packages ${SINEW_ROOM_PACKAGES_${room}})
  endforeach()
  list(REMOVE_DUPLICATES packages)
  foreach(package ${packages})
    if(SINEW_LINK_${package})
      list(APPEND linked ${package})
      string(APPEND link_flags "${SINEW_LINK_${package}} ")
    endif()
  endforeach()
  foreach(kind static shared)
    set(target ${library}_${kind})
    string(TOUPPER ${kind} type)
    add_library(${target} ${type} ${objects})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${library} EXPORT_NAME ${short_name} LINKER_LANGUAGE CXX
      VERSION ${PROJECT_VERSION} SOVERSION ${SINEW_SOVERSION}
      ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
    target_compile_features(${target} INTERFACE cxx_std_20)
    if("Eigen3" IN_LIST packages)  # the one package in public headers
      target_link_libraries(${target} PUBLIC ${SINEW_PACKAGE_Eigen3})
    endif()
    foreach(package ${linked})
      target_link_libraries(${target} PRIVATE ${SINEW_PACKAGE_${package}})
    endforeach()
    if(NOT PROJECT_IS_TOP_LEVEL)
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()

  # libstdc++ makes its templates visible whatever the compiler is told.
  set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  target_link_options(${library}_shared PRIVATE -Wl,--version-script=${exports} -Wl,--as-needed)
  set_property(TARGET ${library}_shared APPEND PROPERTY LINK_DEPENDS ${exports})
  if(SINEW_SHARED)
    add_library(sinew::${short_name} ALIAS ${library}_shared)
  else()
    add_library(sinew::${short_name} ALIAS ${library}_static)
  endif()
  set(${library}_linked ${linked} PARENT_SCOPE)  # for cmake/install.cmake
  set(${library}_link_flags "${link_flags}" PARENT_SCOPE)
endfunction()

sinew_library(sinew sinew ${SINEW_ROOMS})
sinew_library(sinew_runtime runtime runtime)
