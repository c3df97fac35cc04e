// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/run_id.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "support/check.h"
#include "support/descriptor.h"

namespace omnium::support {

namespace {

constexpr std::uint64_t kWholeBytes = 512 * 1024;  // a file up to this size is read as a whole
constexpr std::uint64_t kSamples = 64, kSampleBytes = 4096;

}  // namespace

std::string random_run_id() {
  std::random_device device;
  std::array<std::uint32_t, 4> words;
  std::ranges::generate(words, std::ref(device));
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", words[0], words[1], words[2], words[3]);
}

namespace {

std::string as_text(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string run_id_of(std::string_view text) {
  return as_text(XXH3_128bits(text.data(), text.size()));
}

// As run_id_of() of "SIZE:BYTES", without a copy.
std::string run_id_of_content(std::string_view bytes) {
  thread_local const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(
      XXH3_createState(), &XXH3_freeState);
  CHECK(state != nullptr);
  const std::string size = fmt::format("{}:", bytes.size());
  XXH3_128bits_reset(state.get());
  XXH3_128bits_update(state.get(), size.data(), size.size());
  XXH3_128bits_update(state.get(), bytes.data(), bytes.size());
  return as_text(XXH3_128bits_digest(state.get()));
}

std::string run_id_of_file(const std::string& path) {
  struct stat facts;
  if (path == "-") return random_run_id();  // standard input, as everywhere
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return random_run_id();
  }
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  std::string text = fmt::format("{}:", size);
  const auto add = [&](std::uint64_t offset, std::uint64_t bytes) {
    const std::size_t start = text.size();
    text.resize(start + bytes);
    const ssize_t got = ::pread(file.get(), text.data() + start, bytes, static_cast<off_t>(offset));
    text.resize(start + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  };
  if (size <= kWholeBytes) {
    add(0, size);
  } else {
    // Evenly spread, with the first and the last bytes.
    for (std::uint64_t i = 0; i < kSamples; ++i) {
      add((size - kSampleBytes) / (kSamples - 1) * i, kSampleBytes);
    }
    add(size - kSampleBytes, kSampleBytes);
  }
  return run_id_of(text);
}

}  // namespace omnium::support
