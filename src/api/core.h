// Where the public names and those of the library's inside meet: in this folder `core` is the inside, and what is not
// qualified is public (docs/decisions/0016-public-names.md).
#pragma once
#include <raak/export.h>

#include "base/error.h"

namespace raak_v0 {
namespace core = ::raak;
}
