# The packages that rooms may use, by the names that sinew/rooms.txt and find_package know: the target, and for those
# that are not headers alone the link flags that sinew.pc gives to static builds. THIRD_PARTY.md lists them all.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(embree 3 REQUIRED)
find_package(nanoflann REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(assimp REQUIRED)
find_package(draco REQUIRED)
find_package(meshoptimizer REQUIRED)
# It asks users to define how its own functions are exported, which is no business of theirs.
set_target_properties(meshoptimizer::meshoptimizer PROPERTIES INTERFACE_COMPILE_DEFINITIONS "")
find_path(SINEW_STB_INCLUDE_DIR stb/stb_image.h REQUIRED)
mark_as_advanced(SINEW_STB_INCLUDE_DIR)

add_library(sinew_stb INTERFACE)
target_include_directories(sinew_stb SYSTEM INTERFACE ${SINEW_STB_INCLUDE_DIR})

set(SINEW_PACKAGE_Eigen3 Eigen3::Eigen)
set(SINEW_PACKAGE_TBB TBB::tbb)
set(SINEW_PACKAGE_embree embree)
set(SINEW_PACKAGE_nanoflann nanoflann::nanoflann)
set(SINEW_PACKAGE_nlohmann_json nlohmann_json::nlohmann_json)
set(SINEW_PACKAGE_assimp assimp::assimp)
set(SINEW_PACKAGE_draco draco::draco)
set(SINEW_PACKAGE_meshoptimizer meshoptimizer::meshoptimizer)
set(SINEW_PACKAGE_stb sinew_stb)

set(SINEW_LINK_TBB -ltbb)
set(SINEW_LINK_embree -lembree3)
set(SINEW_LINK_assimp -lassimp)
set(SINEW_LINK_draco -ldraco)
set(SINEW_LINK_meshoptimizer -lmeshoptimizer)
