#include "base/tape/live.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace raak {
namespace {

using Function = LiveNumbers::Function;

// In the order of Function.
constexpr double (*functions[])(double a, double b) = {
    [](double a, double) { return a; },
    [](double a, double) { return a; },
    [](double a, double b) { return a + b; },
    [](double a, double b) { return a - b; },
    [](double a, double b) { return a * b; },
    [](double a, double b) { return a / b; },
    [](double a, double) { return -a; },
    [](double a, double) { return std::sqrt(a); },
    [](double a, double) { return std::abs(a); },
    [](double a, double) { return std::sin(a); },
    [](double a, double) { return std::cos(a); },
    [](double a, double) { return std::tan(a); },
    [](double a, double) { return std::exp(a); },
    [](double a, double) { return std::log(a); },
    [](double a, double) { return std::tanh(a); },
    [](double a, double b) { return std::pow(a, b); },
    [](double a, double b) { return std::atan2(a, b); },
    [](double a, double b) { return std::min(a, b); },
    [](double a, double) { return a > 0.0   ? 1.0
                                  : a < 0.0 ? -1.0
                                            : 0.0; },
};
static_assert(std::size(functions) == static_cast<std::size_t>(Function::sign) + 1);

double worked_out(Function op, double a, double b) {
  return functions[static_cast<std::size_t>(op)](a, b);
}

}  // namespace

double Live::now() const {
  return owner_ == nullptr ? value_ : owner_->number(node_);
}

bool Live::is_parameter() const {
  return owner_ != nullptr && owner_->is_parameter(node_);
}

bool Live::is_same(const Live& other) const {
  if (owner_ != nullptr || other.owner_ != nullptr) return owner_ == other.owner_ && node_ == other.node_;
  return std::bit_cast<std::uint64_t>(value_) == std::bit_cast<std::uint64_t>(other.value_);
}

double Live::value() const {
  if (owner_ != nullptr) owner_->pin(node_, LiveNumbers::Pin::value);
  return now();
}

int Live::pinned_sign() const {
  if (owner_ != nullptr) owner_->pin(node_, LiveNumbers::Pin::sign);
  return now() > 0.0 ? 1 : now() < 0.0 ? -1 : 0;
}

Recorded Live::recorded() const {
  if (owner_ == nullptr) return Recorded::parameter(value_);
  if (now() == 0.0) return {0.0};
  return Tape::current().live_input(*owner_, node_);
}

Recorded Tape::live_input(LiveNumbers& owner, int node) {
  live_ = owner.shared_from_this();
  if (parameter_block_ >= 0) {
    parameters_.push_back(owner.number(node));
    parameter_nodes_.push_back(node);
    return new_input(parameter_block_);
  }
  const auto known = std::find(live_nodes_.begin(), live_nodes_.end(), node);
  const auto number = static_cast<int>(known - live_nodes_.begin());
  if (known == live_nodes_.end()) live_nodes_.push_back(node);
  return {push(Op::input, live_block, number), false};
}

namespace {

Live combined(Function op, const Live& a, const Live& b = 0.0) {
  LiveNumbers* const owner = a.owner() != nullptr ? a.owner() : b.owner();
  return owner == nullptr ? Live(worked_out(op, a.now(), b.now())) : owner->apply(op, a, b);
}

bool is(const Live& number, double value) {
  return !number.may_change() && number.now() == value;
}

}  // namespace

Live operator+(const Live& a, const Live& b) {
  if (is(a, 0.0)) return b;
  if (is(b, 0.0)) return a;
  return combined(Function::add, a, b);
}
Live operator-(const Live& a, const Live& b) {
  if (is(b, 0.0)) return a;
  return combined(Function::subtract, a, b);
}
Live operator*(const Live& a, const Live& b) {
  if (is(a, 0.0) || is(b, 0.0)) return 0.0;
  if (is(a, 1.0)) return b;
  if (is(b, 1.0)) return a;
  return combined(Function::multiply, a, b);
}
Live operator/(const Live& a, const Live& b) {
  if (is(b, 1.0)) return a;
  return combined(Function::divide, a, b);
}
Live operator-(const Live& a) {
  return combined(Function::negate, a);
}

#define RAAK_LIVE(name, function) \
  Live name(const Live& a) {      \
    return combined(function, a); \
  }
RAAK_LIVE(sqrt, Function::square_root)
RAAK_LIVE(abs, Function::absolute)
RAAK_LIVE(sin, Function::sine)
RAAK_LIVE(cos, Function::cosine)
RAAK_LIVE(tan, Function::tangent)
RAAK_LIVE(exp, Function::exponential)
RAAK_LIVE(log, Function::logarithm)
RAAK_LIVE(tanh, Function::hyperbolic_tangent)
RAAK_LIVE(sign, Function::sign)
#undef RAAK_LIVE

Live pow(const Live& a, const Live& p) {
  return combined(Function::power, a, p);
}
Live atan2(const Live& y, const Live& x) {
  return combined(Function::angle, y, x);
}
Live min(const Live& a, const Live& b) {
  return combined(Function::minimum, a, b);
}

Live LiveNumbers::new_parameter(double value) {
  const std::lock_guard lock(mutex_);
  return {this, add(Function::parameter, -1, -1, value)};
}

int LiveNumbers::add(Function op, int a, int b, double value) {
  const std::size_t chunk = chunk_of(nodes_);
  if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<Node[]>(chunk_size(chunk));
  Node& node = at(nodes_);
  node.op = op;
  node.a = a;
  node.b = b;
  node.value = value;
  return nodes_++;
}

int LiveNumbers::node_of(const Live& number) {
  return number.owner_ != nullptr ? number.node_ : push(Function::constant, -1, -1, number.value_);
}

// The number of this node; that of an equal one if it is known already.
int LiveNumbers::push(Function op, int a, int b, double value) {
  const auto part = [](int x) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)); };
  std::uint64_t key = (part(a) << 32 | part(b)) * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(op);
  if (op == Function::constant) key ^= std::bit_cast<std::uint64_t>(value) * 0xC2B2AE3D27D4EB4FULL;
  std::vector<int>& alike = known_[key];
  for (const int id : alike) {
    const Node& node = at(id);
    if (node.op == op && node.a == a && node.b == b &&
        (op != Function::constant || std::bit_cast<std::uint64_t>(node.value) == std::bit_cast<std::uint64_t>(value)))
      return id;
  }
  alike.push_back(add(op, a, b, value));
  return alike.back();
}

Live LiveNumbers::apply(Function op, const Live& a, const Live& b) {
  const std::lock_guard lock(mutex_);
  const int left = node_of(a);
  const int right = node_of(b);
  return {this, push(op, left, right, worked_out(op, number(left), number(right)))};
}

void LiveNumbers::pin(int node, Pin pin) {
  std::atomic<Pin>& pinned = at(node).pin;
  if (pinned.load(std::memory_order_relaxed) >= pin) return;
  pinned.store(pin, std::memory_order_relaxed);
  pins_.fetch_add(1, std::memory_order_relaxed);
}

bool LiveNumbers::stays(const Node& node, double now) {
  if ((now == 0.0) != (node.value == 0.0)) return false;
  if (node.pin == Pin::value) return std::bit_cast<std::uint64_t>(now) == std::bit_cast<std::uint64_t>(node.value);
  return node.pin == Pin::none || (now > 0.0) - (now < 0.0) == (node.value > 0.0) - (node.value < 0.0);
}

bool LiveNumbers::work_out() {
  bool alike = true;
  for (int i = 0; i < nodes_; ++i) {
    Node& node = at(i);
    if (node.op == Function::parameter || node.op == Function::constant) continue;
    const double now = worked_out(node.op, number(node.a), number(node.b));
    alike = alike && stays(node, now);
    node.value = now;
  }
  return alike;
}

bool LiveNumbers::set(const std::vector<std::pair<Live, double>>& parameters) {
  std::vector<std::pair<int, double>> before;
  bool alike = true;
  for (const auto& [parameter, value] : parameters) {
    Node& node = at(parameter.node_);
    before.emplace_back(parameter.node_, node.value);
    alike = alike && stays(node, value);
    node.value = value;
  }
  if (alike && work_out()) {
    const std::lock_guard lock(followers_mutex_);
    for (FollowsLiveNumbers* const follower : followers_) follower->follow();
    return true;
  }
  for (const auto& [node, value] : before) at(node).value = value;
  work_out();
  return false;
}

void LiveNumbers::attach(FollowsLiveNumbers* follower) {
  const std::lock_guard lock(followers_mutex_);
  followers_.push_back(follower);
}

void LiveNumbers::detach(FollowsLiveNumbers* follower) {
  const std::lock_guard lock(followers_mutex_);
  std::erase(followers_, follower);
}

}  // namespace raak
