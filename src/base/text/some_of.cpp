#include "base/text/some_of.h"

#include "base/text/text.h"

namespace raak {
namespace {

std::vector<std::string> part(const std::vector<std::string>& words, std::size_t from, std::size_t to) {
  return {words.begin() + static_cast<std::ptrdiff_t>(from), words.begin() + static_cast<std::ptrdiff_t>(to)};
}

std::string more(std::size_t count) {
  return std::to_string(count) + " more";
}

}  // namespace

std::string some_of(const std::vector<std::string>& words, std::size_t most) {
  if (words.size() <= most) return join(words);
  return join(part(words, 0, most)) + " and " + more(words.size() - most);
}

std::string some_of_chain(const std::vector<std::string>& words, std::string_view link, std::size_t most) {
  if (words.size() <= most) return join(words, link);
  const std::size_t end = words.size() - most / 2, begin = most - most / 2;
  std::vector<std::string> shown = part(words, 0, begin);
  shown.push_back("(" + more(end - begin) + ")");
  shown.insert(shown.end(), words.begin() + static_cast<std::ptrdiff_t>(end), words.end());
  return join(shown, link);
}

}  // namespace raak
