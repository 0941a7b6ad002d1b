// The TOML parser, compiled here once instead of taken from its shared library: that one reads every number through a
// stream of its own, which takes a quarter of the time of reading a file; std::from_chars rounds to the same digits.
#define TOML_IMPLEMENTATION
#include "modelfile/text/node.h"
