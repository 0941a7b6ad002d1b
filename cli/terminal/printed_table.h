// What `raak run` prints of a table of the document: the largest difference of each column, or every row.
#pragma once
#include <string>

#include "output/formats/json.h"
#include "study/printed_table.h"

namespace raak::cli {

// A line a column, and why they differ.
std::string columns_text(const PrintedTable& table);
// A row a time: printed, computed, and the difference of each column.
std::string rows_text(const PrintedTable& table);

Json printed_document(const PrintedTable& table);

}  // namespace raak::cli
