# sinew_precompile(TARGET [header…]): TARGET shares the precompiled header of the first target that was given the same
# headers. A third of the compile time goes with it.
option(SINEW_PRECOMPILE "precompile the headers that nearly every file includes" ON)

function(sinew_precompile target)
  if(NOT SINEW_PRECOMPILE)
    return()
  endif()
  get_target_property(kind ${target} TYPE) # programs and libraries differ in -fPIE and -fPIC
  string(MAKE_C_IDENTIFIER "precompiled ${kind} ${ARGN}" key)
  get_property(first GLOBAL PROPERTY ${key})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    # By a name without the place of this clone, so that clones share what ccache keeps.
    target_precompile_headers(${target} PRIVATE <cmake/precompiled.h> ${ARGN})
    set_property(GLOBAL PROPERTY ${key} ${target})
  endif()
endfunction()
