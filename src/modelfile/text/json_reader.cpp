#include "modelfile/text/json_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_set>
#include <vector>

#include "base/text/place.h"
#include "base/text/visible_text.h"

namespace raak {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t deepest = 100;  // tables in tables

// Characters of a text; the reader's place in it is known at any time.
class Reading {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Reading(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  Reading& operator++() {
    ++at_;
    if (count_ != nullptr) ++*count_;
    return *this;
  }
  Reading operator++(int) {
    Reading before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Reading& other) const { return at_ == other.at_; }
  bool operator!=(const Reading& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

Place place_in(const std::string& text, std::size_t offset, const std::string& file) {
  Place place{file, 1, 1};
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    ++place.column;
    if (text[i] == '\n') ++place.line, place.column = 1;
  }
  return place;
}

class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(const std::string& text, const std::string& file, const std::size_t& at)
      : text_(text), file_(file), at_(at) {}

  Json root;

  bool null() override { refuse("expected a value, found null: TOML has no null"); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
      refuse(fmt::format("expected a whole number of 64 bits, found {}", value));
    return put(static_cast<number_integer_t>(value));
  }
  bool number_float(number_float_t value, const string_t& as_typed) override {
    if (!std::isfinite(value)) refuse("expected a number that double can hold, found " + cut_short(as_typed));
    if (as_typed.find_first_of(".eE") == std::string::npos)
      refuse("expected a whole number of 64 bits, found " + cut_short(as_typed));
    return put(value);
  }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool key(string_t& value) override {
    if (!keys_.back().insert(value).second) refuse(fmt::format("the key \"{}\" is given twice", cut_short(value)));
    key_ = std::move(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string what = error.what();
    const std::size_t reason = what.find("syntax error");
    refuse_at(place_in(text_, position > 0 ? position - 1 : 0, file_),
              "this is no JSON: " + cut_short(reason == std::string::npos ? what : what.substr(reason), 300));
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    refuse_at(place_in(text_, at_ > 0 ? at_ - 1 : 0, file_), message);
  }
  template <class Value>
  bool put(Value&& value) {
    place(Json(std::forward<Value>(value)));
    return true;
  }
  Json* place(Json value) {
    if (open_.empty()) {
      if (!value.is_object()) refuse("expected a model file, an object in braces");
      root = std::move(value);
      return &root;
    }
    Json& into = *open_.back();
    if (into.is_array()) return &into.emplace_back(std::move(value));
    return &into.get_ref<Json::object_t&>().emplace_back(key_, std::move(value)).second;
  }
  bool open(Json value) {
    if (open_.size() >= deepest) refuse(fmt::format("expected at most {} levels", deepest));
    open_.push_back(place(std::move(value)));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::string& file_;
  const std::size_t& at_;
  std::vector<Json*> open_;                            // none moves while it is open: only the last one grows
  std::vector<std::unordered_set<std::string>> keys_;  // of each of them so far; the table itself would look at all
  std::string key_;
};

}  // namespace

Json read_json(const std::string& text, const std::string& file) {
  std::size_t at = 0;
  Builder builder(text, file, at);
  const char* const end = text.data() + text.size();
  Json::sax_parse(Reading(text.data(), &at), Reading(end, nullptr), &builder);
  return std::move(builder.root);
}

}  // namespace raak
