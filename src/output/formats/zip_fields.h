// Marks and sizes of the records of a ZIP archive, for its writer and its reader (PKWARE APPNOTE 6.3.10, section 4.3).
#pragma once
#include <cstddef>
#include <cstdint>

namespace raak::zip {

inline constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;
inline constexpr std::uint32_t end64_mark = 0x06064b50, locator_mark = 0x07064b50;
inline constexpr std::uint32_t zip64_id = 1;  // of the extra field
inline constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end64_size = 56, locator_size = 20;

}  // namespace raak::zip
