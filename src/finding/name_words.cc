// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/name_words.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "finding/object_class.h"

namespace omnium {

namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kReferences[] = {"refs", "references", "nref", "nrefs", "numrefs"};
constexpr std::string_view kReferenceCounts[] = {"refcount", "refcounts",  "refcnt",
                                                 "refcnts",  "refcounter", "usecount"};
constexpr std::string_view kReferred[] = {"ref", "reference", "use", "weak", "strong", "shared"};
constexpr std::string_view kCounts[] = {"count", "counts", "counter", "cnt", "owners"};
constexpr std::string_view kStatistics[] = {"stat",     "stats",   "statistic", "statistics",
                                            "metric",   "metrics", "telemetry", "counter",
                                            "counters", "hits",    "misses"};

// What std::make_shared allocates in front of the object.
constexpr std::string_view kControlBlock = "block of ";

bool is_one_of(const std::string& word, Words words) {
  return std::ranges::find(words, word) != words.end();
}

bool has_one_of(const std::vector<std::string>& words, Words wanted) {
  return std::ranges::any_of(words, [&](const std::string& it) { return is_one_of(it, wanted); });
}

// "Buffer::refs, allocated at a.cc:3" is about "refs".
std::vector<std::string> words_of_last_part(std::string_view object) {
  const std::string name = object_class(object);
  std::string_view part = std::string_view(name).substr(0, name.find(','));
  const std::size_t separator = part.find_last_of(".:>");
  if (separator != std::string_view::npos) part.remove_prefix(separator + 1);
  return words_of(part);
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool in_word = false, was_lower = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool upper = std::isupper(byte) != 0;
    if (std::isalpha(byte) == 0) {
      in_word = was_lower = false;
      continue;
    }
    if (!in_word || (upper && was_lower)) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(byte));
    in_word = true;
    was_lower = !upper;
  }
  return words;
}

bool names_references(std::string_view object) {
  if (object.starts_with(kControlBlock)) return true;
  const std::vector<std::string> words = words_of_last_part(object);
  const auto is_count = [](const std::string& a, const std::string& b) {
    return is_one_of(a, kReferred) && is_one_of(b, kCounts);
  };
  return has_one_of(words, kReferences) || has_one_of(words, kReferenceCounts) ||
         std::ranges::adjacent_find(words, is_count) != words.end();
}

bool names_statistics(std::string_view name) { return has_one_of(words_of(name), kStatistics); }

}  // namespace omnium
