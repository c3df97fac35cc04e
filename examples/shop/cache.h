// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Descriptions of products, made when they are first asked for and thrown away now and then.
#pragma once

#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "rush.h"

struct Description {
  std::string text;
};

class Cache {
 public:
  std::shared_ptr<const Description> get_or_create(int product);
  std::shared_ptr<const Description> get(int product);
  void evict_all();

 private:
  std::shared_ptr<const Description> find(int product);
  std::shared_ptr<const Description> insert_if_absent(int product);

  std::shared_mutex mutex_;
  std::unordered_map<int, std::shared_ptr<const Description>> entries_;
  Rush rush_;
};
