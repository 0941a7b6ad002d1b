// The state of objects as bytes and back, to the bit. Each class lists its members once, in visit_state(Archive&), for
// both directions:
//   void visit_state(Archive& archive) { archive(now_, next_, h_); }
// Numbers are written as they lie in memory: an archive is read by the program that wrote it (run/checkpoint.h).
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/linear/linear.h"

namespace raak {

class Archive {
 public:
  // Writes.
  Archive() = default;
  // Reads what was written.
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)), loading_(true) {}

  bool is_loading() const { return loading_; }
  const std::string& bytes() const { return bytes_; }
  bool is_at_end() const { return at_ == bytes_.size(); }

  template <class... Parts>
  void operator()(Parts&... parts) {
    (visit(parts), ...);
  }
  // What one object writes and another one reads by mistake is noticed. Throws a request error.
  void name(std::string_view name);

 private:
  template <class T>
  void visit(T& value) {
    if constexpr (requires { value.visit_state(*this); }) value.visit_state(*this);
    else if constexpr (requires { visit_state(*this, value); }) visit_state(*this, value);
    else visit_value(value);
  }
  template <class T>
  void visit_value(T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>, "give the class a visit_state()");
    copy(&value, sizeof value);
  }
  template <class T>
  void visit_value(std::vector<T>& list) {
    std::uint64_t size = list.size();
    copy(&size, sizeof size);
    if (loading_) {
      require(size <= bytes_.size() - at_);
      list.resize(static_cast<std::size_t>(size));
    }
    if constexpr (std::is_trivially_copyable_v<T>) copy(list.data(), list.size() * sizeof(T));
    else
      for (T& each : list) visit(each);
  }
  void visit_value(std::string& text) {
    std::vector<char> letters(text.begin(), text.end());
    visit_value(letters);
    if (loading_) text.assign(letters.begin(), letters.end());
  }
  template <class T>
  void visit_value(std::optional<T>& value) {
    bool has = value.has_value();
    copy(&has, sizeof has);
    if (loading_ && !has) value.reset();
    if (loading_ && has && !value) value.emplace();
    if (has) visit(*value);
  }
  template <class Scalar, int rows, int columns, int options>
  void visit_value(Eigen::Matrix<Scalar, rows, columns, options>& matrix) {
    Eigen::Index shape[2] = {matrix.rows(), matrix.cols()};
    copy(shape, sizeof shape);
    if (loading_) {
      require(shape[0] >= 0 && shape[1] >= 0 && static_cast<std::size_t>(shape[0]) <= bytes_.size() &&
              static_cast<std::size_t>(shape[1]) <= bytes_.size());
      matrix.resize(shape[0], shape[1]);
    }
    copy(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(Scalar));
  }

  void copy(void* memory, std::size_t size);
  void require(bool sound) const;

  std::string bytes_;
  std::size_t at_ = 0;
  bool loading_ = false;
};

}  // namespace raak
