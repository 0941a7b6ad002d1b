// std::stable_sort for lists that people read. It is compiled once, for their order, and not for every type of item.
#pragma once
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace raak {

// The numbers below `count` in the order that `before` asks for.
std::vector<std::size_t> stable_order(std::size_t count, const std::function<bool(std::size_t, std::size_t)>& before);

template <class Item, class Before>
void sort_stably(std::vector<Item>& items, const Before& before) {
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const std::size_t i :
       stable_order(items.size(), [&](std::size_t a, std::size_t b) { return before(items[a], items[b]); }))
    sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

}  // namespace raak
