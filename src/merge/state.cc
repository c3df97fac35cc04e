// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "merge/state.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "support/descriptor.h"

namespace omnium::merge {

void Counts::compact(std::vector<report::SeenIn>& list) {
  std::ranges::sort(list, [](const report::SeenIn& a, const report::SeenIn& b) {
    return a.run != b.run ? a.run < b.run : a.count > b.count;
  });
  const auto is_same = [](const report::SeenIn& a, const report::SeenIn& b) {
    return a.run == b.run;
  };
  list.erase(std::unique(list.begin(), list.end(), is_same), list.end());
}

void Counts::add(report::SeenIn seen) {
  list_.push_back(seen);
  if (list_.size() < compact_at_) return;
  compact(list_);
  compact_at_ = std::max<std::size_t>(64, 2 * list_.size());
}

std::vector<report::SeenIn> Counts::all() const {
  std::vector<report::SeenIn> out = list_;
  compact(out);
  return out;
}

Result<std::string> State::text_of(const Piece& piece) const {
  const Input& input = inputs[piece.input];
  if (!input.is_file) return input.text.substr(piece.offset, piece.length);
  std::string out(piece.length, '\0');
  const support::Descriptor file(::open(input.path.c_str(), O_RDONLY | O_CLOEXEC));
  for (std::size_t done = 0; done < out.size();) {
    const ssize_t got = file ? ::pread(file.get(), out.data() + done, out.size() - done,
                                       static_cast<off_t>(piece.offset + done))
                             : -1;
    if (got == 0) return fail({input.path}, "became shorter while it was read");
    if (got < 0) return fail({input.path}, std::string("cannot read: ") + std::strerror(errno));
    done += static_cast<std::size_t>(got);
  }
  return out;
}

}  // namespace omnium::merge
