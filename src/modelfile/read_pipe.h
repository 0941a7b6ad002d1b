// What comes through a pipe, as from `raak run <(generator)`: a pipe that nobody writes to would otherwise be waited
// for for ever.
#pragma once
#include <cstddef>
#include <string>

namespace raak {

enum class PipeEnd { closed, silent, too_long, unreadable };

// Reads until the writers have closed the pipe, at most `most` bytes, and waits at most `patience` seconds for more.
PipeEnd read_pipe(const std::string& path, std::size_t most, double patience, std::string& text);

}  // namespace raak
