// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/block_name.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <dwarf.h>
#include <fmt/format.h>

#include "symbols/access_name.h"
#include "symbols/allocation.h"
#include "symbols/type_path.h"
#include "symbols/types.h"

namespace omnium::symbols {

namespace {

// The C++ library's nodes: one object behind links.
struct Node {
  std::string_view type, container;
  std::uint64_t header;
};
constexpr std::array<Node, 6> kNodes = {{{"std::_Rb_tree_node", "map", 32},
                                         {"std::_List_node", "list", 16},
                                         {"std::_Fwd_list_node", "forward_list", 8},
                                         {"std::__detail::_Hash_node", "unordered_map", 8},
                                         {"std::_Sp_counted_ptr_inplace", "", 16},
                                         {"std::_Hash_node", "unordered_map", 8}}};
// Its containers, with the number of the type argument that is the element, or -1 for pairs of the
// first two.
struct Container {
  std::string_view type, name;
  int element;
  std::uint64_t header;  // 0: an array of elements
};
constexpr std::array<Container, 14> kContainers = {
    {{"std::vector", "vector", 0, 0},
     {"std::deque", "deque", 0, 0},
     {"std::basic_string", "string", 0, 0},
     {"std::list", "list", 0, 16},
     {"std::forward_list", "forward_list", 0, 8},
     {"std::set", "set", 0, 32},
     {"std::multiset", "multiset", 0, 32},
     {"std::map", "map", -1, 32},
     {"std::multimap", "multimap", -1, 32},
     {"std::unordered_set", "unordered_set", 0, 8},
     {"std::unordered_map", "unordered_map", -1, 8},
     {"std::unordered_multiset", "unordered_multiset", 0, 8},
     {"std::unordered_multimap", "unordered_multimap", -1, 8},
     {"std::queue", "queue", 0, 0}}};

std::string name_of_type(const UnitIndex& index, Dwarf_Die& type) {
  if (is_pointer(type)) {
    auto target = type_of(type);
    return (target ? name_of_type(index, *target) : "void") + "*";
  }
  const std::string name = index.type_name(type);
  return name == "std::basic_string" ? "std::string" : name;
}

bool is_pair(const UnitIndex& index, Dwarf_Die& type) {
  return is_class(type) && index.qualified_name(type) == "std::pair";
}

// Blocks may be a little larger than what is in them: a hash behind it, and bytes for alignment.
bool is_about(std::uint64_t size, std::uint64_t wanted) {
  constexpr std::uint64_t kMore = 16;
  return size >= wanted && size <= wanted + kMore;
}

std::optional<BlockLayout> array_of(const UnitIndex& index, Dwarf_Die type, std::uint64_t size) {
  type = index.complete(type);
  const auto stride = size_of(type);
  if (!stride || *stride == 0 || size % *stride != 0) return std::nullopt;
  return BlockLayout{&index, type, 0, *stride, true, "", name_of_type(index, type), "", ""};
}

std::optional<BlockLayout> one_of(const UnitIndex& index, Dwarf_Die type, std::uint64_t header,
                                  std::string_view container, std::uint64_t size) {
  type = index.complete(type);
  const auto stride = size_of(type);
  if (!stride || *stride == 0 || !is_about(size, header + *stride)) return std::nullopt;
  return BlockLayout{&index, type, header, *stride, false, container, name_of_type(index, type),
                     "",     ""};
}

// What hash tables find their nodes by, and deques their pieces: pointers.
std::optional<BlockLayout> array_of_links(const UnitIndex& index, Dwarf_Die type,
                                          std::uint64_t size) {
  auto target = is_pointer(type) ? type_of(type) : std::nullopt;
  const std::string name = target && is_class(*target) ? index.qualified_name(*target) : "";
  if (name != "std::__detail::_Hash_node_base") return std::nullopt;
  auto layout = array_of(index, type, size);
  if (layout) layout->type_name = "bucket of an unordered_map";
  if (layout) layout->part = ".buckets";
  return layout;
}

// What std::allocator<T> allocates.
std::optional<BlockLayout> allocated_by_library(const UnitIndex& index, Dwarf_Die type,
                                                std::uint64_t size) {
  if (auto links = array_of_links(index, type, size)) return links;
  const std::string name = is_class(type) ? index.qualified_name(type) : "";
  const auto node = std::ranges::find(kNodes, name, &Node::type);
  if (node == kNodes.end()) return array_of(index, type, size);
  auto element = template_argument(type, 0);
  if (!element) return std::nullopt;
  std::string_view container = node->container;
  if (!is_pair(index, *element) && container == "map") container = "set";
  if (!is_pair(index, *element) && container == "unordered_map") container = "unordered_set";
  return one_of(index, *element, node->header, container, size);
}

// The std::pair of two types, which a map holds.
std::optional<Dwarf_Die> pair_of(const UnitIndex& index, Dwarf_Die& map) {
  auto key = template_argument(map, 0), mapped = template_argument(map, 1);
  if (!key || !mapped) return std::nullopt;
  for (Dwarf_Die& pair : index.types("std::pair")) {
    auto first = template_argument(pair, 0), second = template_argument(pair, 1);
    if (first && second && first->addr == key->addr && second->addr == mapped->addr) return pair;
  }
  return std::nullopt;
}

// What an object of this class of the library allocates.
std::optional<BlockLayout> allocated_by_container(const UnitIndex& index, Dwarf_Die type,
                                                  std::uint64_t size) {
  if (!is_class(type)) return std::nullopt;
  type = index.complete(type);
  const auto known = std::ranges::find(kContainers, index.qualified_name(type), &Container::type);
  if (known == kContainers.end()) return std::nullopt;
  auto element = known->element < 0 ? pair_of(index, type) : template_argument(type, 0);
  if (!element) return std::nullopt;
  if (known->header == 0) return array_of(index, *element, size);
  auto layout = one_of(index, *element, known->header, known->name, size);
  constexpr std::uint64_t kHashHeader = 8;
  if (layout || known->header != kHashHeader) return layout;
  for (Dwarf_Die& base : index.types("std::__detail::_Hash_node_base")) {
    auto next = find_member(base, "_M_nxt");
    auto pointer = next ? type_of(next->die) : std::nullopt;
    if (pointer) return array_of_links(index, *pointer, size);
  }
  return std::nullopt;
}

// From the library's functions that were inlined: their class, or their template argument.
std::optional<BlockLayout> from_frames(const std::vector<CodeFrame>& frames, CodeText& text,
                                       std::uint64_t size) {
  const UnitIndex& index = text.index();
  for (const CodeFrame& code : frames) {
    auto type = index.class_of(code.function);
    const std::string name = type ? index.qualified_name(*type) : "";
    const bool allocator = name == "std::__new_allocator" || name == "std::allocator" ||
                           name == "__gnu_cxx::new_allocator";
    if (allocator) {
      auto argument = template_argument(*type, 0);
      return argument ? allocated_by_library(index, *argument, size) : std::nullopt;
    }
    if (type) {
      if (auto layout = allocated_by_container(index, *type, size)) return layout;
    }
    Dwarf_Die function = code.function;
    if (auto origin = reference_in(function, DW_AT_abstract_origin)) function = *origin;
    const char* called = dwarf_diename(&function);
    const std::string_view word = called == nullptr ? "" : called;
    if (!type && word.starts_with("make_unique<")) {
      auto argument = template_argument(function, 0);
      return argument ? one_of(index, *argument, 0, "", size) : std::nullopt;
    }
  }
  return std::nullopt;
}

// What the pointer that the statement assigns to points to.
std::optional<Value> assigned_target(CodeText& text) {
  const Tokens& tokens = text.tokens();
  const TokenRange range = text.statement();
  for (std::size_t i = range.begin + 1; i < range.end; ++i) {
    if (!tokens[i].is("=")) continue;
    auto value = text.expressions().ending_at(i - 1);
    Dwarf_Die type = value ? value->type : Dwarf_Die{};
    if (!value || !is_pointer(type)) return std::nullopt;
    return text.expressions().dereference(std::move(*value));
  }
  return std::nullopt;
}

bool is_local(std::string_view owner) { return owner.find(" in ") != std::string_view::npos; }

// The member that gets what the local variable holds, before its scope ends: `list_ = fresh;`.
// Empty if there is none, or several.
std::string member_that_gets(CodeText& text, std::string_view variable) {
  constexpr std::size_t kMost = 2000;  // tokens
  const Tokens& tokens = text.tokens();
  const std::size_t begin = text.statement().end;
  std::string found;
  int depth = 0;
  for (std::size_t i = begin; i + 2 < tokens.size() && i < begin + kMost && depth >= 0; ++i) {
    if (tokens[i].is("{")) ++depth;
    if (tokens[i].is("}")) --depth;
    if (!tokens[i].is("=") || !tokens[i + 1].is(variable) || !tokens[i + 2].is(";")) continue;
    const auto value = text.expressions().ending_at(i - 1);
    if (!value || value->name.empty() || is_local(value->name)) continue;
    if (!found.empty() && found != value->name) return "";
    found = value->name;
  }
  return found;
}

// Whose memory it is: what the statement assigns the pointer to, `items_ = new int[n]`.
// A local variable gives it to a member, unless it is bytes: those are often pieces for others.
std::string owner_in(CodeText& text, bool is_bytes) {
  const Tokens& tokens = text.tokens();
  const TokenRange range = text.statement();
  const bool allocates = std::any_of(
      tokens.begin() + static_cast<std::ptrdiff_t>(range.begin),
      tokens.begin() + static_cast<std::ptrdiff_t>(range.end), [](const Token& token) {
        return token.is("new") || token.text.ends_with("alloc") || token.text.starts_with("make_");
      });
  if (!allocates) return "";
  for (std::size_t i = range.begin + 1; i < range.end; ++i) {
    if (!tokens[i].is("=")) continue;
    auto value = text.expressions().ending_at(i - 1);
    if (!value || !is_local(value->name) || is_bytes) return value ? value->name : "";
    std::string member = member_that_gets(text, tokens[i - 1].text);
    return member.empty() ? value->name : member;
  }
  return "";
}

// `new Order`, `new Order[n]`, `new (std::nothrow) Order{...}`
std::optional<BlockLayout> from_new(CodeText& text, std::size_t at, std::uint64_t size) {
  const Tokens& tokens = text.tokens();
  std::size_t first = at + 1;
  if (first < tokens.size() && tokens[first].is("(")) first = matching_close(tokens, first) + 1;
  std::size_t end = first;
  while (end < tokens.size() && (tokens[end].is_word() || tokens[end].is("::"))) ++end;
  std::size_t behind = end;
  if (behind < tokens.size() && tokens[behind].is("<")) return std::nullopt;
  while (behind < tokens.size() && tokens[behind].is("*")) ++behind;
  if (end == first || behind >= tokens.size()) return std::nullopt;
  auto value = text.expressions().type_at(first, behind);
  if (value && value->pointer && tokens[behind].is("[")) {
    const auto target = assigned_target(text);
    Dwarf_Die type = target ? target->type : Dwarf_Die{};
    return target && is_pointer(type) ? array_of(text.index(), type, size) : std::nullopt;
  }
  if (!value || value->pointer) return std::nullopt;
  if (!tokens[behind].is("[")) return one_of(text.index(), value->type, 0, "", size);
  if (auto layout = array_of(text.index(), value->type, size)) return layout;
  // Arrays of classes with destructors have their length before them.
  constexpr std::uint64_t kLength = 8;
  auto layout = size > kLength ? array_of(text.index(), value->type, size - kLength) : std::nullopt;
  if (layout) layout->header = kLength;
  return layout;
}

// The type in `sizeof(T)`, `sizeof *p`, `sizeof(*p)`.
std::optional<Value> type_in_sizeof(CodeText& text, std::size_t at) {
  const Tokens& tokens = text.tokens();
  std::size_t end = 0;
  if (at + 1 >= tokens.size()) return std::nullopt;
  if (!tokens[at + 1].is("(")) {
    if (!tokens[at + 1].is("*")) return std::nullopt;
    auto value = text.expressions().starting_at(at + 2, end);
    return value ? text.expressions().dereference(std::move(*value)) : std::nullopt;
  }
  const std::size_t close = matching_close(tokens, at + 1);
  if (close >= tokens.size()) return std::nullopt;
  if (auto type = text.expressions().type_at(at + 2, close); type && !type->pointer) return type;
  return text.expressions().starting_at(at + 1, end);
}

// `malloc(sizeof(T))`, `(T *)malloc(n)`, `T *p = calloc(n, sizeof *p)`
std::optional<BlockLayout> from_malloc(CodeText& text, std::size_t at, std::uint64_t size) {
  const Tokens& tokens = text.tokens();
  const TokenRange range = text.statement();
  const std::size_t close =
      at + 1 < tokens.size() && tokens[at + 1].is("(") ? matching_close(tokens, at + 1) : 0;
  std::optional<Value> value;
  bool several = tokens[at].text != "malloc", more = false;
  for (std::size_t i = at + 2; i < close && i < tokens.size(); ++i) {
    if (tokens[i].is("sizeof") && !value) value = type_in_sizeof(text, i);
    more |= tokens[i].is("+");
    several |= tokens[i].is("*") && !tokens[i - 1].is("sizeof") && !tokens[i - 1].is("(");
  }
  if (!value) value = assigned_target(text);
  const bool is_cast = at > range.begin + 3 && tokens[at - 1].is(")") && tokens[at - 2].is("*");
  if (!value && is_cast) {
    const std::size_t open = matching_open(tokens, at - 1);
    value = open < at ? text.expressions().type_at(open + 1, at - 2) : std::nullopt;
  }
  if (!value || value->pointer) return std::nullopt;
  auto layout = more ? std::nullopt : array_of(text.index(), value->type, size);
  if (layout && layout->stride == size) layout->array = several && tokens[at].text != "calloc";
  // A structure with an array of any length at its end.
  if (!layout && is_class(value->type)) {
    const auto bytes = size_of(value->type);
    if (bytes && *bytes < size) {
      layout = one_of(text.index(), value->type, 0, "", *bytes);
      layout->stride = size;
    }
  }
  return layout;
}

// `std::make_unique<T>(...)`, `std::make_shared<T>(...)`
std::optional<BlockLayout> from_make(CodeText& text, std::size_t at, std::uint64_t size) {
  const Tokens& tokens = text.tokens();
  std::size_t end = at + 2;
  while (end < tokens.size() && (tokens[end].is_word() || tokens[end].is("::"))) ++end;
  if (end >= tokens.size() || !tokens[at + 1].is("<")) return std::nullopt;
  auto value = text.expressions().type_at(at + 2, end);
  if (!value || value->pointer) return std::nullopt;
  constexpr std::uint64_t kCounts = 16;  // of a shared pointer, before the object
  const bool shared = tokens[at].is("make_shared");
  if (tokens[end].is("[")) return array_of(text.index(), value->type, size);
  return one_of(text.index(), value->type, shared ? kCounts : 0, "", size);
}

// From the text of the program's own statement.
std::optional<BlockLayout> from_text(CodeText& text, std::uint64_t size) {
  const Tokens& tokens = text.tokens();
  const TokenRange range = text.statement();
  std::optional<BlockLayout> found;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Token& token = tokens[i];
    std::optional<BlockLayout> layout;
    if (token.is("new")) {
      layout = from_new(text, i, size);
    } else if (token.is("malloc") || token.is("calloc") || token.is("realloc")) {
      layout = from_malloc(text, i, size);
    } else if (token.is("make_unique") || token.is("make_shared")) {
      layout = from_make(text, i, size);
    }
    if (layout && found && layout->type.addr != found->type.addr) return std::nullopt;
    if (layout) found = std::move(layout);
  }
  return found;
}

// From the containers that the statement uses, if one alone can have allocated the block: one whose
// function is called at the column, or any.
std::optional<BlockLayout> from_containers(CodeText& text, std::uint64_t size, bool near) {
  std::optional<BlockLayout> found;
  for (const Chain& chain : text.chains()) {
    if (chain.value.pointer || (near && !text.is_near(chain))) continue;
    auto layout = allocated_by_container(text.index(), chain.value.type, size);
    if (!layout) continue;
    layout->owner = chain.value.name;
    if (found && (found->type.addr != layout->type.addr || found->owner != layout->owner)) {
      return std::nullopt;
    }
    found = std::move(layout);
  }
  return found || !near ? found : from_containers(text, size, false);
}

bool has_members(Dwarf_Die type) { return is_class(type) && dwarf_haschildren(&type) == 1; }

// "Order" and ".count" make "Order::count".
std::string joined(const std::string& type, const std::string& path) {
  return path.starts_with('.') ? type + "::" + path.substr(1) : type + path;
}

std::string with_article(std::string_view container) {
  return fmt::format("{} {}", container.starts_with('u') ? "an" : "a", container);
}

std::string in_container(std::string name, std::string_view container) {
  return container.empty() ? name : fmt::format("{} (in {})", name, with_article(container));
}

// The key or the value of a map's pair.
std::string name_in_pair(const BlockLayout& layout, std::uint64_t offset) {
  Dwarf_Die pair = layout.type;
  for (const std::string_view part : {"second", "first"}) {
    auto member = find_member(pair, part);
    auto type = member ? type_of(member->die) : std::nullopt;
    const auto start = member ? start_of(member->die) : std::nullopt;
    if (!type || !start || offset < *start) continue;
    const std::string path = path_in_type(*type, offset - *start);
    if (path.find('+') != std::string::npos) return "padding in " + with_article(layout.container);
    if (part == "second" && has_members(*type) && !path.empty()) {
      return in_container(joined(name_of_type(*layout.index, *type), path), layout.container);
    }
    const std::string_view role = part == "second" ? "value" : "key";
    if (layout.owner.empty()) return fmt::format("{} in {}", role, with_article(layout.container));
    return part == "second" ? with_part(layout.owner, "[]") : "key of " + layout.owner;
  }
  return "element of " + with_article(layout.container);
}

}  // namespace

bool BlockLayout::is_raw() const {
  const bool local = owner.empty() || is_local(owner);
  return array && stride == 1 && local && container.empty() && part.empty();
}

namespace {

// Whose elements the block holds; empty: not known.
std::string owner_of(const BlockLayout& layout, CodeText& text, std::uint64_t size) {
  if (std::string owner = owner_in(text, layout.stride == 1); !owner.empty()) return owner;
  if (auto owner = receiver_name(text); owner && !owner->empty()) return *owner;
  const auto container = from_containers(text, size, true);
  return container ? container->owner : "";
}

}  // namespace

std::optional<BlockLayout> layout_of_block(const std::vector<CodeFrame>& frames, CodeText& text,
                                           std::uint64_t size) {
  auto layout = from_frames(frames, text, size);
  if (!text.is_known()) return layout;
  if (!layout) layout = from_text(text, size);
  if (!layout) layout = from_containers(text, size, true);
  if (!layout || !layout->owner.empty()) return layout;
  layout->owner = owner_of(*layout, text, size);
  // Pointers have no type with a name.
  if (is_pointer(layout->type) && (layout->owner.empty() || is_local(layout->owner))) {
    if (layout->type_name.empty()) return std::nullopt;
  }
  return layout;
}

std::string name_in_block(const BlockLayout& layout, std::uint64_t offset, std::string_view place) {
  const std::string kind = layout.container.empty()
                               ? std::string("block of ")
                               : fmt::format("node of {} of ", with_article(layout.container));
  if (offset < layout.header) {
    if (!layout.owner.empty() && !layout.container.empty()) return "node of " + layout.owner;
    const bool known = !layout.type_name.empty() && layout.type_name != "std::pair";
    return known ? kind + layout.type_name : kind.substr(0, kind.size() - 4);
  }
  std::uint64_t inside = offset - layout.header;
  std::string index;
  if (layout.array) {
    index = fmt::format("[{}]", inside / layout.stride);
    inside %= layout.stride;
  }
  if (layout.type_name == "std::pair" && !layout.container.empty()) {
    return name_in_pair(layout, inside);
  }
  const std::string path = path_in_type(layout.type, inside);
  if (path.find('+') != std::string::npos) return "padding of " + layout.type_name;
  const bool is_own = !is_library_type(layout.type_name) || layout.owner.empty();
  if (has_members(layout.type) && !layout.type_name.empty() && is_own) {
    const std::string name =
        layout.array ? layout.type_name + index + path : joined(layout.type_name, path);
    return in_container(name, layout.container);
  }
  if (!layout.owner.empty()) {
    const std::string part = std::string(layout.part) + index;
    if (layout.array) return with_part(layout.owner, part + path);
    if (!layout.container.empty()) return with_part(layout.owner, "[]" + path);
    return with_part("*" + layout.owner, path);
  }
  const std::string name = layout.type_name + index + path;
  if (!layout.container.empty()) return in_container(name, layout.container);
  return place.empty() ? name : fmt::format("{} allocated at {}", name, place);
}

BlockNames::BlockNames(std::optional<BlockLayout> layout, std::uint64_t size, std::string place)
    : layout_(std::move(layout)), size_(size), place_(std::move(place)) {}

std::string BlockNames::key() const {
  if (!layout_) return allocation_name(size_, place_);
  const bool by_type = has_members(layout_->type) && !is_library_type(layout_->type_name);
  return fmt::format("{} {} {} {} {} {}", layout_->type_name, layout_->container, layout_->array,
                     layout_->header, layout_->stride,
                     by_type                  ? ""
                     : layout_->owner.empty() ? place_
                                              : layout_->owner);
}

void BlockNames::append(std::string& out, std::uint64_t offset) {
  constexpr std::size_t kMostRemembered = 1 << 16;
  if (!layout_) {
    fmt::format_to(std::back_inserter(out), "offset {} of {}", offset,
                   allocation_name(size_, place_));
    return;
  }
  const bool indexed = layout_->array && offset >= layout_->header;
  const std::uint64_t element = indexed ? (offset - layout_->header) / layout_->stride : 0;
  const std::uint64_t inside = offset - element * layout_->stride;  // of the first element
  if (patterns_.size() >= kMostRemembered) patterns_.clear();
  const auto [at, added] = patterns_.try_emplace(inside);
  if (added) {
    const std::string name = name_in_block(*layout_, inside, place_);
    const std::size_t cut = indexed ? name.find("[0]") : std::string::npos;
    at->second.before = cut == std::string::npos ? name : name.substr(0, cut + 1);
    if (cut != std::string::npos) at->second.after = name.substr(cut + 2);
  }
  out += at->second.before;
  if (at->second.after.empty()) return;
  const fmt::format_int digits(element);
  out.append(digits.data(), digits.size());
  out += at->second.after;
}

}  // namespace omnium::symbols
