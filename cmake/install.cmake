# find_package(garner CONFIG) and pkg-config, both free of absolute paths so that the installed tree can move.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/garner)
install(TARGETS garner EXPORT garnerTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET garner_cli)
  install(TARGETS garner_cli)
  foreach(mpi ${garner_mpis})
    install(TARGETS garner_ranks_${mpi} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/garner)
  endforeach()
endif()
install(DIRECTORY include/garner DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh" PATTERN "*.def")
install(EXPORT garnerTargets NAMESPACE garner:: DESTINATION ${config_dir})

configure_package_config_file(cmake/garnerConfig.cmake.in garnerConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(garnerConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/garnerConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/garnerConfigVersion.cmake
  DESTINATION ${config_dir})

# Those who link the archive need its libraries too; those who link the shared library do not.
get_target_property(kind garner TYPE)
set(pc_inside "tbb fmt libhwy-contrib libhwy minizip")
if(GARNER_URING)
  string(APPEND pc_inside " liburing")
endif()
set(GARNER_PC_LIBRARIES "Requires: eigen3 ${pc_inside}")
set(GARNER_PC_MORE "")
if(GARNER_ONNX AND NOT kind STREQUAL SHARED_LIBRARY)
  set(GARNER_PC_MORE " -lonnx_proto -lprotobuf")  # they have no .pc that names both
endif()
if(kind STREQUAL SHARED_LIBRARY)
  set(GARNER_PC_LIBRARIES "Requires: eigen3\nRequires.private: ${pc_inside}")
endif()
if(GARNER_CUDA AND NOT kind STREQUAL SHARED_LIBRARY)
  string(APPEND GARNER_PC_MORE " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -ldl -lpthread")
endif()
file(RELATIVE_PATH GARNER_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" GARNER_PC_PREFIX ${GARNER_PC_PREFIX})
configure_file(cmake/garner.pc.in garner.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/garner.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
