// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order/reach_columns.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "order/reach_columns.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace omnium::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<ReachTime, kReachRowsStep>;

template <class D, class Mask>
std::uint64_t bits_of(D d, Mask mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];  // at most 8 lanes
}

template <class D>
auto mask_of(D d, std::uint64_t bits) {
  const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits)};
  return hn::LoadMaskBits(d, bytes);
}

std::uint64_t select(const ReachTime* from, ReachTime time, const ReachTime* to, ReachTime bound,
                     std::size_t rows) {
  const Lanes d;
  const auto after = hn::Set(d, time + 1);
  const auto bounds = hn::Set(d, bound);
  std::uint64_t selected = 0;
  for (std::size_t r = 0; r < rows; r += hn::Lanes(d)) {
    const auto mask =
        hn::And(hn::Lt(hn::LoadU(d, from + r), after), hn::Gt(hn::LoadU(d, to + r), bounds));
    selected |= bits_of(d, mask) << r;
  }
  return selected;
}

std::uint64_t lower(ReachTime* column, std::uint64_t selected, ReachTime value, std::size_t rows) {
  const Lanes d;
  const std::uint64_t lane_bits = (std::uint64_t{1} << hn::Lanes(d)) - 1;
  const auto values = hn::Set(d, value);
  const auto never = hn::Set(d, kNever);
  std::uint64_t were_never = 0;
  for (std::size_t r = 0; r < rows; r += hn::Lanes(d)) {
    const std::uint64_t wanted = selected >> r & lane_bits;
    if (wanted == 0) continue;
    const auto old = hn::LoadU(d, column + r);
    const auto mask = hn::And(mask_of(d, wanted), hn::Gt(old, values));
    were_never |= bits_of(d, hn::And(mask, hn::Eq(old, never))) << r;
    hn::StoreU(hn::IfThenElse(mask, values, old), d, column + r);
  }
  return were_never;
}

ReachTime minimum(const ReachTime* column, std::size_t rows) {
  const Lanes d;
  auto least = hn::Set(d, kNever);
  for (std::size_t r = 0; r < rows; r += hn::Lanes(d)) {
    least = hn::Min(least, hn::LoadU(d, column + r));
  }
  return hn::GetLane(hn::MinOfLanes(d, least));
}

}  // namespace omnium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace omnium::reach_columns {

// Highway's own choice at run time needs its library, which measures the machine's timer for some
// milliseconds in every program that is linked with it.
namespace {

#if HWY_ARCH_X86 && (HWY_TARGETS & HWY_AVX2)
namespace wide = N_AVX2;
const bool kIsWide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                     __builtin_cpu_supports("bmi2");
#else
namespace wide = HWY_NAMESPACE;
constexpr bool kIsWide = false;
#endif
namespace narrow = HWY_NAMESPACE;

}  // namespace

std::uint64_t select(const ReachTime* from, ReachTime time, const ReachTime* to, ReachTime bound,
                     std::size_t rows) {
  return (kIsWide ? wide::select : narrow::select)(from, time, to, bound, rows);
}

std::uint64_t lower(ReachTime* column, std::uint64_t selected, ReachTime value, std::size_t rows) {
  return (kIsWide ? wide::lower : narrow::lower)(column, selected, value, rows);
}

ReachTime minimum(const ReachTime* column, std::size_t rows) {
  return (kIsWide ? wide::minimum : narrow::minimum)(column, rows);
}

}  // namespace omnium::reach_columns
#endif
