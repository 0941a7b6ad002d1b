// The data of a page, as its script reads them: numbers in single precision, column by column, as base64.
#pragma once
#include <filesystem>

#include "output/formats/json.h"
#include "output/recording.h"

namespace raak {

// Times, values, points of the drawing and energy accounts of the frames.
Json frames_document(const Recording& recording);
Json bands_document(const Bands& bands);
std::string steps_document(const std::vector<double>& steps);

// False in a program that was built without the web part.
bool has_page();
// Throws a request error where there is none.
void require_page();
// The embedded page with these data.
std::string page_with(const Json& data);
// Whether a file is such a page.
bool is_page_of_ours(const std::filesystem::path& file);

}  // namespace raak
