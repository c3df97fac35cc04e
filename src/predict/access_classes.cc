// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/access_classes.h"

#include <algorithm>
#include <unordered_map>

#include <xxhash.h>

namespace omnium::predict {

namespace {

constexpr std::size_t kFewOccurrences = 8;

bool same_class(const AccessClass& a, const AccessClass& b) {
  return a.variable == b.variable && a.path == b.path && a.write == b.write &&
         a.unit_final == b.unit_final && a.enclosed == b.enclosed && a.followers == b.followers;
}

std::uint64_t hash_of(const AccessClass& c) {
  const std::uint32_t key[] = {c.variable.v, c.path.v, c.write ? 1u : 0u, c.unit_final ? 1u : 0u,
                               c.enclosed};
  std::uint64_t hash = XXH64(key, sizeof key, 0);
  for (const Follower& follower : c.followers) hash = XXH64(&follower, sizeof follower, hash);
  return hash;
}

// The reads right behind each write of a tree.
std::vector<std::vector<Follower>> followers_of(const Tree& tree) {
  std::vector<std::vector<Follower>> followers(tree.accesses.size());
  for (const Access& access : tree.accesses) {
    if (access.own_write == kNoAccess) continue;
    followers[access.own_write].push_back({access.path, access.enclosed});
  }
  for (auto& each : followers) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  return followers;
}

void merge_neighbours(std::vector<Occurrence>& all) {
  std::sort(all.begin(), all.end(), [](const Occurrence& a, const Occurrence& b) {
    return std::tie(a.thread, a.period, a.first_position) <
           std::tie(b.thread, b.period, b.first_position);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept > 0 && all[kept - 1].thread == all[i].thread &&
        all[kept - 1].period == all[i].period) {
      Occurrence& group = all[kept - 1];
      if (all[i].last_position < group.last_position) continue;
      group.last_position = all[i].last_position;
      group.last = all[i].last;
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
  all.shrink_to_fit();
}

void find_spans(AccessClass& each) {
  if (each.occurrences.size() <= kFewOccurrences) return;
  for (std::size_t i = 0; i < each.occurrences.size(); ++i) {
    const ThreadId thread = each.occurrences[i].thread;
    if (each.spans.empty() || each.spans.back().thread != thread)
      each.spans.push_back({thread, i, 0});
    ++each.spans.back().count;
  }
}

}  // namespace

AccessClasses::AccessClasses(const Forest& forest, Atomicity atomicity) {
  classify(forest, atomicity);
  find_occurrences(forest);
}

void AccessClasses::classify(const Forest& forest, Atomicity atomicity) {
  std::unordered_multimap<std::uint64_t, ClassId> known;
  class_of_.resize(forest.trees.size());
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    std::vector<std::vector<Follower>> followers;
    if (atomicity == Atomicity::kView) followers = followers_of(tree);
    for (std::size_t a = 0; a < tree.accesses.size(); ++a) {
      const Access& access = tree.accesses[a];
      AccessClass mine;
      mine.variable = access.variable;
      mine.path = access.path;
      mine.write = access.write;
      if (atomicity == Atomicity::kView) {
        mine.unit_final = access.unit_final;
        mine.enclosed = access.enclosed;
        mine.followers = std::move(followers[a]);
      }
      const std::uint64_t hash = hash_of(mine);
      const auto [first, last] = known.equal_range(hash);
      const auto same = std::find_if(
          first, last, [&](const auto& each) { return same_class(classes_[each.second.v], mine); });
      const ClassId id =
          same != last ? same->second : ClassId{static_cast<std::uint32_t>(classes_.size())};
      class_of_[t].push_back(id);
      if (same != last) continue;
      known.emplace(hash, id);
      if (by_variable_.size() <= mine.variable.v) by_variable_.resize(mine.variable.v + 1);
      by_variable_[mine.variable.v].push_back(id);
      classes_.push_back(std::move(mine));
    }
  }
}

void AccessClasses::find_occurrences(const Forest& forest) {
  for (std::uint32_t u = 0; u < forest.units.size(); ++u) {
    const Unit& unit = forest.units[u];
    const auto& accesses = forest.tree_of(unit).accesses;
    for (std::size_t a = 0; a < accesses.size(); ++a) {
      auto& occurrences = classes_[class_of_[unit.tree.v][a].v].occurrences;
      const Period period = unit.period + accesses[a].period;
      if (!occurrences.empty() && occurrences.back().first == UnitId{u} &&
          occurrences.back().period == period) {
        continue;
      }
      occurrences.push_back(
          {unit.thread(), period, unit.first_position, unit.last_position, UnitId{u}, UnitId{u}});
    }
  }
  for (AccessClass& each : classes_) {
    merge_neighbours(each.occurrences);
    find_spans(each);
  }
}

}  // namespace omnium::predict
