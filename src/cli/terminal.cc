// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::cli {

namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kLeastWidth = 40;
constexpr std::size_t kMostWidth = 400;

void write_to(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

void print_error(std::string_view message) {
  write_to(stderr, fmt::format("omnium: error: {}\n", message));
}

void print_error(const Error& error) {
  if (error.at.file.empty()) return print_error(error.message);
  write_to(stderr, error.to_string() + "\n");
}

void print_warning(std::string_view message) {
  write_to(stderr, fmt::format("omnium: warning: {}\n", support::terminal_text(message)));
}

void print_note(std::string_view message) {
  write_to(stderr, fmt::format("omnium: {}\n", support::terminal_text(message)));
}

void print_out(std::string_view text) { write_to(stdout, text); }

std::optional<Colour> colour_of(std::string_view word) {
  if (word == "auto") return Colour::kAuto;
  if (word == "always") return Colour::kAlways;
  if (word == "never") return Colour::kNever;
  return std::nullopt;
}

namespace {

// Asked once: every report wants to know.
bool is_terminal(int stream) {
  static const std::array<bool, 3> kTerminals = {::isatty(0) != 0, ::isatty(1) != 0,
                                                 ::isatty(2) != 0};
  return kTerminals.at(static_cast<std::size_t>(stream));
}

}  // namespace

bool use_colour(Colour colour, bool to_terminal, int stream) {
  if (colour != Colour::kAuto) return colour == Colour::kAlways;
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return to_terminal && is_terminal(stream) && !is_set("NO_COLOR") && !dumb;
}

bool on_terminal() { return is_terminal(STDOUT_FILENO); }

std::string shell_word(std::string_view text) {
  const std::string safe = support::terminal_text(text);
  const bool plain = std::ranges::all_of(safe, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./:@%+,").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain && !safe.empty() && safe.front() != '-') return safe;
  std::string out = "'";
  for (const char c : safe) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::size_t terminal_width(int stream) {
  if (!is_terminal(stream)) return kUsualWidth;
  std::size_t width = 0;
  if (is_set("COLUMNS")) width = std::strtoul(std::getenv("COLUMNS"), nullptr, 10);
  winsize size{};
  if (width == 0 && ::ioctl(stream, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? kUsualWidth : std::clamp(width, kLeastWidth, kMostWidth);
}

}  // namespace omnium::cli
