// Numbers that may change after formulas with them have been recorded: the parameters of a model, and what is computed
// from them before a formula is recorded. A Live number is used like a double; it remembers how it came about. In a
// formula it becomes an input of its tape, and what depends on such inputs alone becomes a constant of the program that
// can be written anew (program.h): no operation is recorded or emitted again when a parameter changes.
//
// What a number decides on, which formula there is at all, cannot change so: value() pins the number to its present
// value, pinned_sign() its sign, and a zero stays a zero, as other numbers stay none: without a damping, a speed or an
// inertia a model is another one. LiveNumbers::set says whether they did. So a formula leaves out the same zeros,
// whenever it is first needed.
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/tape/tape.h"

namespace raak {

class LiveNumbers;

class Live {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a number that never changes
  Live(double value = 0.0) : value_(value) {}

  // At present.
  double now() const;
  // The same, where it decides on what is recorded: it may not change afterwards.
  double value() const;
  // -1, 0 or 1: its sign may not change afterwards.
  int pinned_sign() const;
  bool may_change() const { return owner_ != nullptr; }
  bool is_parameter() const;
  // Whether both are the same number, whatever their parameters become.
  bool is_same(const Live& other) const;
  // Null: it never changes.
  LiveNumbers* owner() const { return owner_; }
  // In the formula that is being recorded.
  Recorded recorded() const;
  operator Recorded() const { return recorded(); }  // NOLINT(google-explicit-constructor): as a double does

  Live& operator+=(const Live& o) { return *this = *this + o; }
  Live& operator-=(const Live& o) { return *this = *this - o; }
  Live& operator*=(const Live& o) { return *this = *this * o; }
  Live& operator/=(const Live& o) { return *this = *this / o; }
  friend Live operator+(const Live& a, const Live& b);
  friend Live operator-(const Live& a, const Live& b);
  friend Live operator*(const Live& a, const Live& b);
  friend Live operator/(const Live& a, const Live& b);
  friend Live operator-(const Live& a);
  friend Live sqrt(const Live& a);
  friend Live abs(const Live& a);
  friend Live sin(const Live& a);
  friend Live cos(const Live& a);
  friend Live tan(const Live& a);
  friend Live exp(const Live& a);
  friend Live log(const Live& a);
  friend Live tanh(const Live& a);
  friend Live pow(const Live& a, const Live& p);
  friend Live atan2(const Live& y, const Live& x);
  friend Live min(const Live& a, const Live& b);
  friend Live sign(const Live& a);  // 0 of 0

 private:
  friend class LiveNumbers;
  Live(LiveNumbers* owner, int node) : owner_(owner), node_(node) {}

  LiveNumbers* owner_ = nullptr;
  int node_ = -1;
  double value_ = 0.0;
};

// What has been made of numbers at their present values, and can be made to follow them.
class FollowsLiveNumbers {
 public:
  virtual void follow() = 0;

 protected:
  ~FollowsLiveNumbers() = default;
};

class LiveNumbers : public std::enable_shared_from_this<LiveNumbers> {
 public:
  enum class Function : std::uint8_t {
    parameter,
    constant,
    add,
    subtract,
    multiply,
    divide,
    negate,
    square_root,
    absolute,
    sine,
    cosine,
    tangent,
    exponential,
    logarithm,
    hyperbolic_tangent,
    power,
    angle,
    minimum,
    sign
  };

  Live new_parameter(double value);
  // The parameters have these values from now on, and everything that follows them does. False, and nothing changes:
  // one of the numbers that were pinned would be another one, or a number would become zero or cease to be.
  bool set(const std::vector<std::pair<Live, double>>& parameters);

  double number(int node) const { return at(node).value; }
  Live live_number(int node) { return {this, node}; }
  bool is_parameter(int node) const { return at(node).op == Function::parameter; }
  // Formulas may be recorded by several threads at once.
  Live apply(Function op, const Live& a, const Live& b);
  enum class Pin : char { none, sign, value };
  void pin(int node, Pin pin);
  // How often a number was pinned that was not, or by its sign only: a formula that was recorded meanwhile has decided
  // on what numbers may become.
  long pins() const { return pins_.load(std::memory_order_relaxed); }

  void attach(FollowsLiveNumbers* follower);
  void detach(FollowsLiveNumbers* follower);

 private:
  struct Node {
    Function op = Function::constant;
    int a = -1, b = -1;
    double value = 0.0;
    std::atomic<Pin> pin = Pin::none;
  };
  // Nodes never move, so that one may be read while another is added: the first 256, then as many again, and so on.
  static constexpr std::size_t first_chunk = 256;
  static std::size_t chunk_of(int node) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::size_t>(node) / first_chunk));
  }
  static std::size_t chunk_size(std::size_t chunk) { return chunk == 0 ? first_chunk : first_chunk << (chunk - 1); }
  Node& at(int node) const {
    const std::size_t chunk = chunk_of(node);
    return chunks_[chunk][static_cast<std::size_t>(node) - (chunk == 0 ? 0 : chunk_size(chunk))];
  }
  int add(Function op, int a, int b, double value);
  int node_of(const Live& number);
  int push(Function op, int a, int b, double value);
  static bool stays(const Node& node, double now);
  // Works out every node; false, if one that is pinned changes.
  bool work_out();

  std::array<std::unique_ptr<Node[]>, 24> chunks_;
  int nodes_ = 0;
  std::atomic<long> pins_ = 0;
  std::unordered_map<std::uint64_t, std::vector<int>> known_;
  std::mutex mutex_, followers_mutex_;
  std::vector<FollowsLiveNumbers*> followers_;
};

}  // namespace raak
