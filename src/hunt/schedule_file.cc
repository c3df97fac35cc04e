// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/schedule_file.h"

#include <fstream>

#include <fmt/format.h>
#include <xxhash.h>

namespace omnium::hunt {

namespace {

constexpr std::string_view kFirstLine = "omnium-schedule 1";

void add_line(std::string& out, std::string_view word, std::string_view text) {
  if (!text.empty()) out += fmt::format("{} {}\n", word, escaped(text));
}

// Is the line one for the runtime?
bool is_way(std::string_view word) {
  return word == "module" || word == "step" || word == "point" || word == "switch" ||
         word == "stop" || word == "hasty" || word == "clock";
}

// False if the word is not one of ours.
bool take_line(ScheduleFile& file, std::string_view word, const std::string& text) {
  if (word == "program" || word == "argument") {
    file.command.push_back(text);
  } else if (word == "build") {
    file.build = text;
  } else if (word == "options") {
    file.options = text;
  } else if (word == "environment") {
    file.environment.push_back(text);
  } else if (word == "cause") {
    file.cause = text;
  } else if (word == "failure") {
    file.failure = text;
  } else if (word == "found") {
    file.found = text;
  } else if (word == "perturb") {
    file.perturb = text;
  } else if (word == "pause") {
    file.pause = text;
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
    } else {
      out += text[++i] == 'n' ? '\n' : text[i];
    }
  }
  return out;
}

std::string build_of(const std::string& program) {
  std::ifstream in(program, std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(in), {});
  return fmt::format("{:016x}", XXH3_64bits(content.data(), content.size()));
}

std::string to_text(const ScheduleFile& file) {
  std::string out = fmt::format("{}\n", kFirstLine);
  for (std::size_t i = 0; i < file.command.size(); ++i) {
    // An argument may be empty.
    out += fmt::format("{} {}\n", i == 0 ? "program" : "argument", escaped(file.command[i]));
  }
  add_line(out, "build", file.build);
  add_line(out, "options", file.options);
  for (const std::string& variable : file.environment) add_line(out, "environment", variable);
  add_line(out, "cause", file.cause);
  add_line(out, "failure", file.failure);
  add_line(out, "found", file.found);
  add_line(out, "perturb", file.perturb);
  add_line(out, "pause", file.pause);
  if (file.is_serial) out += "serial\n" + file.switches;
  return out + (file.pause.empty() ? file.steps : file.places);
}

Result<ScheduleFile> read_schedule(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  if (!in) return fail({path}, "cannot be read");
  if (!std::getline(in, line) || line != kFirstLine) {
    return fail({path, 1}, "is no schedule: `omnium hunt` writes them");
  }
  ScheduleFile file;
  for (std::uint64_t number = 2; std::getline(in, line); ++number) {
    if (line.empty() || line.starts_with("#")) continue;
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string_view word = std::string_view(line).substr(0, blank);
    if (word == "serial") {
      file.is_serial = true;
      continue;
    }
    if (is_way(word)) {
      std::string& lines = file.is_serial       ? file.switches
                           : file.pause.empty() ? file.steps
                                                : file.places;
      lines += line + '\n';
      continue;
    }
    const std::string text = unescaped(line.substr(std::min(blank + 1, line.size())));
    if (!take_line(file, word, text)) {
      return fail({path, number}, fmt::format("unknown word '{}'", printable(std::string(word))));
    }
  }
  if (file.command.empty()) return fail({path}, "names no program");
  if (file.steps.empty() && file.perturb.empty() && file.pause.empty() && !file.is_serial)
    return fail({path}, "says no way to go");
  return file;
}

}  // namespace omnium::hunt
