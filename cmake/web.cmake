# The report page of web/, bundled by npm packages into one HTML file and embedded in a target.
option(RAAK_REPORT "Write report.html; needs node and npm at build time" ON)

function(raak_embed_page target)
  set(page ${PROJECT_BINARY_DIR}/generated/report_page.cpp)
  if(RAAK_REPORT)
    find_program(NODE node)
    find_program(NPM npm)
    if(NOT NODE OR NOT NPM)
      message(FATAL_ERROR "The report page is bundled with node and npm, and they are not here. "
                          "Install them (apt-get install nodejs npm), or configure with -DRAAK_REPORT=OFF: "
                          "raak then writes every result but report.html.")
    endif()
    file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
    set(web ${PROJECT_SOURCE_DIR}/web)
    add_custom_command(
      OUTPUT ${page}
      COMMAND ${NODE} ${web}/build.mjs ${page}
      DEPENDS ${parts} ${web}/build.mjs ${web}/package-lock.json
      COMMENT "Bundling the report page"
      VERBATIM)
  else()
    set(text "")
    if(RAAK_FUZZ)
      set(text "\"@@RAAK_DATA@@\"")  # a page, but none that is worth its time
    endif()
    file(WRITE ${page} "#include <string_view>\n\nnamespace raak::embedded {\n\n"
                       "std::string_view report_page() { return {${text}}; }\n\n}  // namespace raak::embedded\n")
  endif()
  target_sources(${target} PRIVATE ${page})
endfunction()
