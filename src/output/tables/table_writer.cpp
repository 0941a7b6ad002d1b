#include "output/tables/table_writer.h"

#include <algorithm>

namespace raak {

void write_table(TableRows& table, TableWriter& writer, const Companions& companions) {
  constexpr std::size_t numbers_of_a_block = std::size_t{1} << 21;  // 16 MB
  const std::size_t most = std::max<std::size_t>(1, numbers_of_a_block / table.names().size());
  std::vector<std::vector<double>> columns(table.names().size());
  writer.begin(table);
  std::size_t first = 0;
  do {  // once even without rows: whoever reads a file checks it then
    const std::size_t count = std::min(most, table.rows() - first);
    table.read_next(count, columns);
    writer.rows(first, columns);
    first += count;
  } while (first < table.rows());
  writer.finish(companions);
}

}  // namespace raak
