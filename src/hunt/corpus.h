// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A folder that many hunters share without a server (docs/formats/corpus.md): files appear whole,
// never change, and the first one with a name stays.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hunt/environment.h"
#include "support/error.h"

namespace omnium::hunt {

// What is hunted: other programs, arguments or options have a folder of their own.
struct Hunted {
  std::string program;                 // path
  std::vector<std::string> arguments;  // without the program
  std::string options;                 // OMNIUM_OPTIONS, without how the run is steered
  Variables environment = {};          // that the user has asked for
};

class Corpus {
 public:
  // Opens `directory` and in it the folder of this hunt; both are made if they are missing.
  static Result<Corpus> open(const std::string& directory, const Hunted& hunted);

  const std::string& folder() const { return folder_; }
  std::string path_of(std::string_view name) const;

  // Adds a file. False: there is one with this name, which stays.
  Result<bool> add(std::string_view name, std::string_view content);
  // The same for text, with a line that tells whether it is whole.
  Result<bool> add_text(std::string_view name, std::string_view lines);
  // What add_text() was given; an error if the file is not whole.
  Result<std::string> read_text(std::string_view name) const;

  // Names that were neither returned nor added so far, sorted.
  std::vector<std::string> news();

 private:
  explicit Corpus(std::string folder) : folder_(std::move(folder)) {}
  void remove_leftovers() const;

  std::string folder_;
  std::set<std::string, std::less<>> seen_;
};

// 16 hexadecimal digits, the same for the same text.
std::string hash_of(std::string_view text);

// The hash of steps or switches, wherever the program lies: folders of modules do not count, nor do
// lines for people.
std::string hash_of_way(std::string_view lines);

}  // namespace omnium::hunt
