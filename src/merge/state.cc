// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "merge/state.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <optional>
#include <tuple>

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

namespace {

Result<std::string> read_piece(const Input& input, const support::Descriptor& file,
                               const Piece& piece) {
  if (!input.is_file) return input.text.substr(piece.offset, piece.length);
  std::string out(piece.length, '\0');
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

support::Descriptor opened(const Input& input) {
  return support::Descriptor(input.is_file ? ::open(input.path.c_str(), O_RDONLY | O_CLOEXEC) : -1);
}

}  // namespace

Result<std::string> State::text_of(const Piece& piece) const {
  const Input& input = inputs[piece.input];
  return read_piece(input, opened(input), piece);
}

Result<std::vector<std::string>> State::texts_of(const std::vector<Piece>& pieces) const {
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::tie(pieces[a].input, pieces[a].offset) <
           std::tie(pieces[b].input, pieces[b].offset);
  });
  std::vector<std::string> out(pieces.size());
  support::Descriptor file;
  std::optional<std::uint32_t> open;
  for (const std::size_t i : order) {
    const Input& input = inputs[pieces[i].input];
    if (open != pieces[i].input) file = opened(input);
    open = pieces[i].input;
    auto text = read_piece(input, file, pieces[i]);
    if (!text) return tl::unexpected(text.error());
    out[i] = std::move(*text);
  }
  return out;
}

}  // namespace omnium::merge
