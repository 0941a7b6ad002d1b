// What the library shows of itself. The types live in a namespace that carries the version of their layout, and are
// found in `raak`: docs/decisions/0016-public-names.md.
#pragma once

#define RAAK_API __attribute__((visibility("default")))

namespace raak_v0 {}
namespace raak {
using namespace raak_v0;
}
