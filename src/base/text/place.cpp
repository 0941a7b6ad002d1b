#include "base/text/place.h"

#include "base/text/placed_error.h"
#include "base/text/visible_text.h"

namespace raak {

void refuse_at(const Place& place, const std::string& message) {
  std::string whole;
  for (const char c : message)
    if (c == '\0') whole += visible_line({&c, 1});  // the text of an exception ends there
    else whole += c;
  throw PlacedError(place, whole);
}

}  // namespace raak
