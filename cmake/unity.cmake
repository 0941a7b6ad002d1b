# Most of the time to compile goes to templates of Eigen, nlohmann::json and CLI11, which every file instantiates anew:
# files that are compiled as one share them (docs/decisions/0019).
option(RAAK_UNITY "Compile many source files as one; build/lint lists them one by one" OFF)

# raak_unity(TARGET FOLDER rooms...): the files of each named room of FOLDER are compiled as one, and those of all other
# rooms as another. Files with definitions of their own stay alone, and so do those that raak_alone names.
function(raak_unity target folder)
  if(NOT RAAK_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH path ${folder} ${source})
    set(group rest)
    foreach(room ${ARGN})
      string(FIND ${path} ${room} at)
      if(at EQUAL 0)
        string(MAKE_C_IDENTIFIER ${room} group)
      endif()
    endforeach()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
  endforeach()
endfunction()

# raak_alone(files...): what is compiled with machine instructions of its own (gnu::target, gnu::flatten) must not see
# the bodies of functions in other files: they would be compiled with these instructions too, and round differently.
function(raak_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
