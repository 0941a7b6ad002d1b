// Arrays of numbers in NumPy's format (.npy 1.0: a header that is a Python literal, then little-endian numbers).
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace raak {

// What goes before the numbers of an array that is written piece by piece: a plain list of so many doubles.
std::string npy_header(std::size_t doubles);
// The same of a table with so many in each row.
std::string npy_header(std::size_t rows, std::size_t columns);

// A table of `columns` numbers a row; 0 columns: a plain list.
std::string npy_of(std::span<const double> values, std::size_t columns = 0);
std::string npy_of(std::span<const float> values, std::size_t columns = 0);

// The numbers of an array that was written above, row by row; nothing if it is none or of the other type.
bool read_npy(std::string_view bytes, std::vector<double>& values);
bool read_npy(std::string_view bytes, std::vector<float>& values);

// Where the doubles of an array begin, of which `bytes` are the first; 0: it is none.
std::size_t start_of_doubles(std::string_view bytes);

}  // namespace raak
