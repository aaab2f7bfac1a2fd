# The packages of Debian 12 that rooms may use, by the short names of sinew/rooms.txt. THIRD_PARTY.md lists them all.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(embree 3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(assimp REQUIRED)
find_package(meshoptimizer REQUIRED)

set(SINEW_PACKAGE_Eigen Eigen3::Eigen)
set(SINEW_PACKAGE_TBB TBB::tbb)
set(SINEW_PACKAGE_Embree embree)
set(SINEW_PACKAGE_Json nlohmann_json::nlohmann_json)
set(SINEW_PACKAGE_Assimp assimp::assimp)
set(SINEW_PACKAGE_Meshoptimizer meshoptimizer::meshoptimizer)
