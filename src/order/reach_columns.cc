// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order/reach_columns.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace omnium::reach_columns {

namespace {

// For every machine.
namespace plain {

std::uint64_t select(const ReachTime* from, ReachTime time, const ReachTime* to, ReachTime bound,
                     std::size_t rows) {
  std::uint64_t selected = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    selected |= std::uint64_t{from[r] <= time && to[r] > bound} << r;
  }
  return selected;
}

std::uint64_t lower(ReachTime* column, std::uint64_t selected, ReachTime value, std::size_t rows) {
  std::uint64_t were_never = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    if ((selected >> r & 1) == 0 || column[r] <= value) continue;
    were_never |= std::uint64_t{column[r] == kNever} << r;
    column[r] = value;
  }
  return were_never;
}

ReachTime minimum(const ReachTime* column, std::size_t rows) {
  return rows == 0 ? kNever : *std::min_element(column, column + rows);
}

}  // namespace plain

#if defined(__x86_64__)

// For machines with AVX2: four rows at a time.
namespace wide {

constexpr std::size_t kLanes = 4;

[[gnu::target("avx2")]] inline __m256i load(const ReachTime* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

[[gnu::target("avx2")]] inline std::uint64_t bits_of(__m256i mask) {
  return static_cast<std::uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(mask)));
}

[[gnu::target("avx2")]] inline __m256i mask_of(std::uint64_t bits) {
  const __m256i lanes = _mm256_setr_epi64x(1, 2, 4, 8);
  const __m256i chosen = _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(bits)), lanes);
  return _mm256_cmpeq_epi64(chosen, lanes);
}

[[gnu::target("avx2")]] std::uint64_t select(const ReachTime* from, ReachTime time,
                                             const ReachTime* to, ReachTime bound,
                                             std::size_t rows) {
  const __m256i after = _mm256_set1_epi64x(time + 1);
  const __m256i bounds = _mm256_set1_epi64x(bound);
  std::uint64_t selected = 0;
  for (std::size_t r = 0; r < rows; r += kLanes) {
    const __m256i mask = _mm256_and_si256(_mm256_cmpgt_epi64(after, load(from + r)),
                                          _mm256_cmpgt_epi64(load(to + r), bounds));
    selected |= bits_of(mask) << r;
  }
  return selected;
}

[[gnu::target("avx2")]] std::uint64_t lower(ReachTime* column, std::uint64_t selected,
                                            ReachTime value, std::size_t rows) {
  constexpr std::uint64_t kLaneBits = (1u << kLanes) - 1;
  const __m256i values = _mm256_set1_epi64x(value);
  const __m256i never = _mm256_set1_epi64x(kNever);
  std::uint64_t were_never = 0;
  for (std::size_t r = 0; r < rows; r += kLanes) {
    const std::uint64_t wanted = selected >> r & kLaneBits;
    if (wanted == 0) continue;
    const __m256i old = load(column + r);
    const __m256i mask = _mm256_and_si256(mask_of(wanted), _mm256_cmpgt_epi64(old, values));
    were_never |= bits_of(_mm256_and_si256(mask, _mm256_cmpeq_epi64(old, never))) << r;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(column + r),
                        _mm256_blendv_epi8(old, values, mask));
  }
  return were_never;
}

[[gnu::target("avx2")]] ReachTime minimum(const ReachTime* column, std::size_t rows) {
  __m256i least = _mm256_set1_epi64x(kNever);
  for (std::size_t r = 0; r < rows; r += kLanes) {
    const __m256i next = load(column + r);
    least = _mm256_blendv_epi8(least, next, _mm256_cmpgt_epi64(least, next));
  }
  alignas(32) ReachTime lanes[kLanes];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), least);
  return plain::minimum(lanes, kLanes);
}

}  // namespace wide
const bool kIsWide = __builtin_cpu_supports("avx2");

#else

namespace wide = plain;
constexpr bool kIsWide = false;

#endif

}  // namespace

std::uint64_t select(const ReachTime* from, ReachTime time, const ReachTime* to, ReachTime bound,
                     std::size_t rows) {
  return (kIsWide ? wide::select : plain::select)(from, time, to, bound, rows);
}

std::uint64_t lower(ReachTime* column, std::uint64_t selected, ReachTime value, std::size_t rows) {
  return (kIsWide ? wide::lower : plain::lower)(column, selected, value, rows);
}

ReachTime minimum(const ReachTime* column, std::size_t rows) {
  return (kIsWide ? wide::minimum : plain::minimum)(column, rows);
}

}  // namespace omnium::reach_columns
