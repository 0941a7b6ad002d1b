// Random numbers by place instead of by turn: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, Parallel random numbers:
// as easy as 1, 2, 3 (SC 2011), section 3.3. A number depends on the seed and its place alone.
#pragma once
#include <array>
#include <cstdint>

namespace raak {

inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

// 64 random bits for a place in a stream of its own.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t place, std::uint32_t dimension,
                                 std::uint32_t stream) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto found = philox({low(place), low(place >> 32), dimension, stream}, {low(seed), low(seed >> 32)});
  return (std::uint64_t{found[0]} << 32) | found[1];
}

// Of 64 bits the number between 0 and 1, both excluded, in the middle of its interval of 2^-52.
inline double open_unit(std::uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

}  // namespace raak
