// What a file or a pipe holds, as of `raak run <(generator)`, without waiting for ever: nobody may write to a pipe, and
// files that the kernel makes up (/proc/kmsg) may wait for something to happen.
#pragma once
#include <cstddef>
#include <string>

namespace raak {

enum class ReadingEnd { complete, silent, too_long, unreadable, not_stored };

// Reads to the end (of a pipe: until its writers have closed it), at most `most` bytes, and waits at most `patience`
// seconds for more. Files of /proc and /sys are not read: reading some of them takes away what they hold.
ReadingEnd read_patiently(const std::string& path, std::size_t most, double patience, std::string& text);

}  // namespace raak
