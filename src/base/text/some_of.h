// Lists in messages: the first names, and how many more there are.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace raak {

inline constexpr std::size_t names_in_a_message = 12;

// "a, b and 3 more"
std::string some_of(const std::vector<std::string>& words, std::size_t most = names_in_a_message);
// "a -> b -> (3 more) -> c": of a chain its beginning and its end.
std::string some_of_chain(const std::vector<std::string>& words, std::string_view link,
                          std::size_t most = names_in_a_message);

}  // namespace raak
