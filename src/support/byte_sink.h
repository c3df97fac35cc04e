// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where finished bytes go. Renderers write to this and know nothing of files.
#pragma once

#include <string>
#include <string_view>

namespace omnium::support {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // A failure is kept by the sink, which its owner asks at the end.
  virtual void write(std::string_view bytes) = 0;
};

class StringSink final : public ByteSink {
 public:
  void write(std::string_view bytes) override { text_.append(bytes); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace omnium::support
