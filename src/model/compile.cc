// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/compile.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "model/scope.h"
#include "support/suggestion.h"

namespace omnium::model {

namespace {

constexpr std::size_t kMostSteps = 60'000;
constexpr std::size_t kMostReadsOfAssume = 12;

// A compiled expression and its type.
struct Value {
  std::int32_t node = kNone;
  bool is_bool = true;
};

// "unknown lock 'n'", and which one was probably meant.
template <class Names>
std::string unknown(std::string_view what, const std::string& name, const Names& names) {
  std::vector<std::string_view> known;
  for (const auto& entry : names) known.push_back(entry.first);
  const std::string_view meant = support::nearest(name, known);
  return fmt::format("unknown {} '{}'{}", what, printable(name),
                     meant.empty() ? "" : fmt::format("; did you mean '{}'?", printable(meant)));
}

// Compiles one thread. The first mistake is kept; what follows it does not matter.
class Compiler {
 public:
  Compiler(const Program& program, const Thread& thread, std::uint32_t me, Scope scope,
           Model& model)
      : program_(program), thread_(thread), me_(me), scope_(std::move(scope)), model_(model) {}

  Result<Code> run();
  bool uses_me() const { return uses_me_; }
  // Threads that this one forks or joins.
  const std::set<std::uint32_t>& forked() const { return forked_; }
  const std::set<std::uint32_t>& named() const { return named_; }

 private:
  void fail_at(Place at, std::string message);

  // Steps.
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.steps.size()); }
  Step& emit(StepKind kind, Place at);
  void body(const Statement::Body& statements);
  void statement(const Statement& statement);
  void assign(const Statement& statement);
  void look(const Statement& statement);
  void lock_operation(const Statement& statement, StepKind kind);
  void channel_operation(const Statement& statement, StepKind kind);
  void thread_operation(const Statement& statement, StepKind kind);
  void assume(const Statement& statement);
  void conditional(const Statement& statement);
  void while_loop(const Statement& statement);
  void while_maybe(const Statement& statement);
  void counted_loop(const Statement& statement);
  void choose(const Statement& statement);
  void atomic(const Statement& statement);
  // A branch on an expression; its target is filled in later.
  std::uint32_t branch_unless(const Expression& condition);

  // Expressions: reads become steps, the rest a node.
  Value expression(const Expression& e);
  Value variable(const Expression& e);
  Value operation(const Expression& e);
  Value lazy_operation(const Expression& e);
  Value checked_types(const Expression& e, Value left, Value right, std::int32_t node);
  std::int32_t condition(const Expression& e);
  std::int32_t index_of(const Expression& reference, std::uint32_t size);
  const Meaning* look_up(const Expression& e);
  bool reads_shared(const Expression& e) const;
  std::int32_t add(Node node);
  std::int32_t slot_node(std::int32_t slot, Place at);
  std::int32_t temporary(Range range);
  std::uint32_t label(const std::string& name);
  void fail_not_shared(const Expression& target);
  void end_thread();
  void renumber_temporaries();
  void mark_ghosts();
  bool has_ghosts(std::int32_t node) const;

  const Program& program_;
  const Thread& thread_;
  std::uint32_t me_;
  Scope scope_;
  Model& model_;
  Code code_;
  std::vector<Range> temporaries_;
  std::uint32_t used_temporaries_ = 0;  // by this statement
  std::uint32_t depth_ = 0;
  bool in_assume_ = false;
  const std::string* updated_ = nullptr;  // the variable whose update is being compiled
  std::vector<std::uint32_t> halts_;      // jumps to where the thread halts
  std::size_t reads_of_assume_ = 0;
  bool uses_me_ = false;
  std::set<std::uint32_t> forked_;
  std::set<std::uint32_t> named_;
  std::optional<Error> error_;
};

// Temporaries are numbered from here on until it is known how many locals there are.
constexpr std::int32_t kFirstTemporary = 1 << 20;

void Compiler::fail_at(Place at, std::string message) {
  if (!error_) error_ = Error{{program_.file, at.line, at.column}, std::move(message)};
}

Step& Compiler::emit(StepKind kind, Place at) {
  if (code_.steps.size() >= kMostSteps) fail_at(at, "this thread is too long");
  code_.steps.push_back({});
  code_.depth.push_back(depth_);
  code_.steps.back().kind = kind;
  code_.steps.back().at = at;
  return code_.steps.back();
}

void Compiler::body(const Statement::Body& statements) {
  for (const Statement& each : statements) {
    if (error_) return;
    statement(each);
  }
}

void Compiler::statement(const Statement& statement) {
  using Kind = Statement::Kind;
  used_temporaries_ = 0;
  switch (statement.kind) {
    case Kind::kAssign: return assign(statement);
    case Kind::kLook: return look(statement);
    case Kind::kAcquire: return lock_operation(statement, StepKind::kAcquire);
    case Kind::kRelease: return lock_operation(statement, StepKind::kRelease);
    case Kind::kBusy: return lock_operation(statement, StepKind::kBusy);
    case Kind::kSignal: return channel_operation(statement, StepKind::kSignal);
    case Kind::kAwait: return channel_operation(statement, StepKind::kAwait);
    case Kind::kFork: return thread_operation(statement, StepKind::kFork);
    case Kind::kJoin: return thread_operation(statement, StepKind::kJoin);
    case Kind::kAssume: return assume(statement);
    case Kind::kAssert: {
      const std::int32_t value = condition(statement.value);
      Step& step = emit(StepKind::kAssert, statement.at);
      step.value = value;
      step.clear = used_temporaries_;
      return;
    }
    case Kind::kSkip: return;
    case Kind::kHalt:
      emit(StepKind::kJump, statement.at);
      halts_.push_back(here() - 1);
      return;
    case Kind::kIf: return conditional(statement);
    case Kind::kWhile: return while_loop(statement);
    case Kind::kWhileMaybe: return while_maybe(statement);
    case Kind::kLoop: return counted_loop(statement);
    case Kind::kChoose: return choose(statement);
    case Kind::kAtomic: return atomic(statement);
  }
}

void Compiler::assign(const Statement& statement) {
  const Meaning* target = look_up(statement.target);
  if (target == nullptr) return;
  const bool atomic = statement.event != omnium::Kind::kWrite;
  if (atomic && !target->shared) return fail_not_shared(statement.target);
  const std::int32_t index = index_of(statement.target, target->size);
  reads_of_assume_ = 0;
  if (statement.event == omnium::Kind::kUpdate) updated_ = &statement.target.name;
  const Value value = expression(statement.value);
  updated_ = nullptr;
  if (reads_of_assume_ > kMostReadsOfAssume) fail_at(statement.at, "this expression is too long");
  if (!error_ && value.is_bool != target->type.is_bool) {
    return fail_at(statement.value.at,
                   fmt::format("'{}' is {}, but this is {}", printable(statement.target.name),
                               target->type.is_bool ? "a bool" : "an int",
                               value.is_bool ? "a bool" : "an int"));
  }
  Step& step = emit(target->shared ? StepKind::kWrite : StepKind::kAssign, statement.at);
  step.event = statement.event;
  (target->shared || target->ghost ? step.object : step.slot) = target->first;
  step.length = target->size;
  step.index = index;
  step.value = value.node;
  step.clear = used_temporaries_;
}

void Compiler::fail_not_shared(const Expression& target) {
  fail_at(target.at, fmt::format("'{}' is not a shared variable", printable(target.name)));
}

void Compiler::look(const Statement& statement) {
  const Meaning* target = look_up(statement.target);
  if (target == nullptr) return;
  if (!target->shared) return fail_not_shared(statement.target);
  const std::int32_t index = index_of(statement.target, target->size);
  Step& step = emit(StepKind::kRead, statement.at);
  step.event = statement.event;
  step.object = target->first;
  step.length = target->size;
  step.index = index;
  step.clear = used_temporaries_;
}

void Compiler::channel_operation(const Statement& statement, StepKind kind) {
  const auto found = scope_.channels.find(statement.target.name);
  if (found == scope_.channels.end()) {
    return fail_at(statement.target.at,
                   unknown("channel", statement.target.name, scope_.channels));
  }
  index_of(statement.target, 0);
  Step& step = emit(kind, statement.at);
  step.event = statement.event;
  step.object = found->second;
}

void Compiler::lock_operation(const Statement& statement, StepKind kind) {
  const auto found = scope_.locks.find(statement.target.name);
  if (found == scope_.locks.end()) {
    return fail_at(statement.target.at, unknown("lock", statement.target.name, scope_.locks));
  }
  const Meaning& lock = found->second;
  const std::int32_t index = index_of(statement.target, lock.size);
  if (statement.event == omnium::Kind::kSharedAcquire) {
    model_.has_shared_side.resize(model_.lock_names.size());
    for (std::uint32_t i = 0; i < std::max(1u, lock.size); ++i) {
      model_.has_shared_side[static_cast<std::size_t>(lock.first) + i] = true;
    }
  }
  Step& step = emit(kind, statement.at);
  step.event = statement.event;
  step.object = lock.first;
  step.length = lock.size;
  step.index = index;
  step.clear = used_temporaries_;
}

// The thread must be known without running the program: a constant index, or `me` and constants.
void Compiler::thread_operation(const Statement& statement, StepKind kind) {
  const Expression& target = statement.target;
  const auto found = scope_.threads.find(target.name);
  if (found == scope_.threads.end()) {
    return fail_at(target.at, unknown("thread", target.name, scope_.threads));
  }
  const ThreadMeaning& meaning = found->second;
  std::int64_t copy = 0;
  const std::int32_t index = index_of(target, meaning.copies);
  if (error_) return;
  if (index != kNone) {
    if (code_.nodes[index].kind != NodeKind::kConstant) {
      return fail_at(target.at, "the index of a thread must be a constant");
    }
    copy = code_.nodes[index].value;
    if (copy < 0 || copy >= meaning.copies) {
      return fail_at(target.at, fmt::format("'{}' has no copy {}", printable(target.name), copy));
    }
  }
  const auto other = meaning.first + static_cast<std::uint32_t>(copy);
  if (other == scope_.threads.at(thread_.name).first + me_) {
    return fail_at(target.at, "a thread cannot fork or join itself");
  }
  named_.insert(other);
  if (kind == StepKind::kFork) forked_.insert(other);
  emit(kind, statement.at).object = static_cast<std::int32_t>(other);
}

void Compiler::assume(const Statement& statement) {
  in_assume_ = true;
  reads_of_assume_ = 0;
  const std::int32_t value = condition(statement.value);
  in_assume_ = false;
  if (reads_of_assume_ > kMostReadsOfAssume) {
    return fail_at(statement.at,
                   fmt::format("an assume can read at most {} variables", kMostReadsOfAssume));
  }
  emit(StepKind::kAssume, statement.at).value = value;
}

std::uint32_t Compiler::branch_unless(const Expression& e) {
  used_temporaries_ = 0;
  const std::int32_t value = condition(e);
  Step& step = emit(StepKind::kBranch, e.at);
  step.value = value;
  step.clear = used_temporaries_;
  return here() - 1;
}

void Compiler::conditional(const Statement& statement) {
  const std::uint32_t unless = branch_unless(statement.value);
  body(statement.bodies[0]);
  if (statement.bodies.size() == 1) {
    code_.steps[unless].target = here();
    return;
  }
  emit(StepKind::kJump, statement.at);
  const std::uint32_t over = here() - 1;
  code_.steps[unless].target = here();
  body(statement.bodies[1]);
  code_.steps[over].target = here();
}

void Compiler::while_loop(const Statement& statement) {
  const std::uint32_t again = here();
  const std::uint32_t unless = branch_unless(statement.value);
  body(statement.bodies[0]);
  emit(StepKind::kJump, statement.at).target = again;
  code_.steps[unless].target = here();
}

void Compiler::while_maybe(const Statement& statement) {
  const std::uint32_t again = here();
  const auto first = static_cast<std::uint32_t>(code_.targets.size());
  Step& step = emit(StepKind::kChoose, statement.at);
  step.target = first;
  step.length = 2;
  code_.targets.insert(code_.targets.end(), {again + 1, 0});
  body(statement.bodies[0]);
  emit(StepKind::kJump, statement.at).target = again;
  code_.targets[first + 1] = here();
}

void Compiler::counted_loop(const Statement& statement) {
  const auto counter = static_cast<std::int32_t>(code_.slots.size());
  const auto count = static_cast<std::int32_t>(statement.count);
  code_.slots.push_back({0, count, 0});
  Step& set = emit(StepKind::kAssign, statement.at);
  set.slot = counter;
  const std::int32_t start = add({.kind = NodeKind::kConstant, .value = count, .at = statement.at});
  code_.steps.back().value = start;
  const std::uint32_t again = here();
  emit(StepKind::kBranch, statement.at).value =
      add({.kind = NodeKind::kOperation,
           .op = Operator::kGreater,
           .left = slot_node(counter, statement.at),
           .right = add({.kind = NodeKind::kConstant, .at = statement.at}),
           .at = statement.at});
  Step& down = emit(StepKind::kAssign, statement.at);
  down.slot = counter;
  down.value = add({.kind = NodeKind::kOperation,
                    .op = Operator::kSubtract,
                    .left = slot_node(counter, statement.at),
                    .right = add({.kind = NodeKind::kConstant, .value = 1, .at = statement.at}),
                    .at = statement.at});
  body(statement.bodies[0]);
  emit(StepKind::kJump, statement.at).target = again;
  code_.steps[again].target = here();
}

void Compiler::choose(const Statement& statement) {
  const auto first = static_cast<std::uint32_t>(code_.targets.size());
  const auto count = static_cast<std::uint32_t>(statement.bodies.size());
  Step& step = emit(StepKind::kChoose, statement.at);
  step.target = first;
  step.length = count;
  code_.targets.resize(code_.targets.size() + count);
  std::vector<std::uint32_t> jumps;
  for (std::uint32_t i = 0; i < count; ++i) {
    code_.targets[first + i] = here();
    body(statement.bodies[i]);
    emit(StepKind::kJump, statement.at);
    jumps.push_back(here() - 1);
  }
  for (const std::uint32_t jump : jumps) code_.steps[jump].target = here();
}

void Compiler::atomic(const Statement& statement) {
  const auto name = static_cast<std::int32_t>(label(statement.label));
  emit(StepKind::kBegin, statement.at).object = name;
  ++depth_;
  body(statement.bodies[0]);
  emit(StepKind::kEnd, statement.at).object = name;
  --depth_;
}

std::uint32_t Compiler::label(const std::string& name) {
  const auto found = std::find(model_.labels.begin(), model_.labels.end(), name);
  if (found == model_.labels.end()) {
    model_.labels.push_back(name);
    return static_cast<std::uint32_t>(model_.labels.size() - 1);
  }
  return static_cast<std::uint32_t>(found - model_.labels.begin());
}

std::int32_t Compiler::add(Node node) {
  code_.nodes.push_back(node);
  return static_cast<std::int32_t>(code_.nodes.size() - 1);
}

std::int32_t Compiler::slot_node(std::int32_t slot, Place at) {
  return add({.kind = NodeKind::kSlot, .first = slot, .at = at});
}

// A temporary is zero while it is not in use, so that equal states look equal.
std::int32_t Compiler::temporary(Range range) {
  const std::uint32_t number = used_temporaries_++;
  if (number == temporaries_.size()) temporaries_.push_back({});
  temporaries_[number].low = std::min(temporaries_[number].low, range.low);
  temporaries_[number].high = std::max(temporaries_[number].high, range.high);
  return kFirstTemporary + static_cast<std::int32_t>(number);
}

const Meaning* Compiler::look_up(const Expression& e) {
  const auto found = scope_.variables.find(e.name);
  if (found != scope_.variables.end()) return &found->second;
  fail_at(e.at, unknown("variable", e.name, scope_.variables));
  return nullptr;
}

std::int32_t Compiler::index_of(const Expression& reference, std::uint32_t size) {
  if (error_) return kNone;
  const std::string name = printable(reference.name);
  if (size == 0 && !reference.arguments.empty()) {
    fail_at(reference.at, fmt::format("'{}' is not an array and cannot be indexed", name));
  }
  if (size > 0 && reference.arguments.empty()) {
    fail_at(reference.at, fmt::format("'{}' is an array and needs an index", name));
  }
  if (error_ || size == 0) return kNone;
  const Value index = expression(reference.arguments[0]);
  if (index.is_bool) fail_at(reference.arguments[0].at, "an index must be an int, not a bool");
  return index.node;
}

std::int32_t Compiler::condition(const Expression& e) {
  const Value value = expression(e);
  if (!value.is_bool) fail_at(e.at, "a condition must be a bool, not an int");
  return value.node;
}

bool Compiler::reads_shared(const Expression& e) const {
  if (e.op == Operator::kName) {
    const auto found = scope_.variables.find(e.name);
    if (found != scope_.variables.end() && found->second.shared) return true;
  }
  return std::any_of(e.arguments.begin(), e.arguments.end(),
                     [&](const Expression& argument) { return reads_shared(argument); });
}

Value Compiler::expression(const Expression& e) {
  if (error_) return {};
  switch (e.op) {
    case Operator::kConstant:
      return {add({.kind = NodeKind::kConstant, .value = e.value, .at = e.at}), false};
    case Operator::kBoolConstant:
      return {add({.kind = NodeKind::kConstant, .value = e.value, .at = e.at}), true};
    case Operator::kMe:
      uses_me_ = true;
      return {add({.kind = NodeKind::kConstant, .value = me_, .at = e.at}), false};
    case Operator::kName: return variable(e);
    default: return operation(e);
  }
}

Value Compiler::variable(const Expression& e) {
  const Meaning* meaning = look_up(e);
  if (meaning == nullptr) return {};
  const std::int32_t index = index_of(e, meaning->size);
  if (updated_ != nullptr && meaning->shared && (e.name != *updated_ || meaning->size > 0)) {
    fail_at(e.at, "an update can read no variable but the one that it updates");
  }
  const bool direct = !meaning->shared || in_assume_ || updated_ != nullptr;
  if (direct) {
    reads_of_assume_ += meaning->shared;
    return {add({.kind = meaning->shared  ? NodeKind::kShared
                         : meaning->ghost ? NodeKind::kGhost
                                          : NodeKind::kSlot,
                 .left = index,
                 .first = meaning->first,
                 .length = meaning->size,
                 .at = e.at}),
            meaning->type.is_bool};
  }
  const std::int32_t slot = temporary({meaning->type.low, meaning->type.high});
  Step& step = emit(StepKind::kRead, e.at);
  step.event = omnium::Kind::kRead;
  step.slot = slot;
  step.object = meaning->first;
  step.length = meaning->size;
  step.index = index;
  return {slot_node(slot, e.at), meaning->type.is_bool};
}

Value Compiler::operation(const Expression& e) {
  const bool lazy = e.op == Operator::kAnd || e.op == Operator::kOr;
  if (lazy && !in_assume_ && updated_ == nullptr && reads_shared(e.arguments[1]))
    return lazy_operation(e);
  const Value left = expression(e.arguments[0]);
  const Value right = e.arguments.size() > 1 ? expression(e.arguments[1]) : Value{};
  if (error_) return {};
  const std::int32_t node = add({.kind = NodeKind::kOperation,
                                 .op = e.op,
                                 .left = left.node,
                                 .right = right.node,
                                 .at = e.at});
  return checked_types(e, left, right, node);
}

// `&&` and `||` look at their right side only if they must, and so do its reads.
Value Compiler::lazy_operation(const Expression& e) {
  const Value left = expression(e.arguments[0]);
  const std::int32_t slot = temporary({0, 1});
  Step& first = emit(StepKind::kAssign, e.at);
  first.slot = slot;
  first.value = left.node;
  std::int32_t test = slot_node(slot, e.at);
  if (e.op == Operator::kOr) {
    test = add({.kind = NodeKind::kOperation, .op = Operator::kNot, .left = test, .at = e.at});
  }
  emit(StepKind::kBranch, e.at).value = test;
  const std::uint32_t branch = here() - 1;
  const Value right = expression(e.arguments[1]);
  Step& second = emit(StepKind::kAssign, e.at);
  second.slot = slot;
  second.value = right.node;
  code_.steps[branch].target = here();
  return checked_types(e, left, right, slot_node(slot, e.at));
}

Value Compiler::checked_types(const Expression& e, Value left, Value right, std::int32_t node) {
  if (error_) return {};
  switch (e.op) {
    case Operator::kNot:
    case Operator::kAnd:
    case Operator::kOr:
      if (!left.is_bool || !right.is_bool) fail_at(e.at, "this operator needs bools");
      return {node, true};
    case Operator::kEqual:
    case Operator::kNotEqual:
      if (left.is_bool != right.is_bool) fail_at(e.at, "a bool and an int cannot be compared");
      return {node, true};
    case Operator::kLess:
    case Operator::kLessEqual:
    case Operator::kGreater:
    case Operator::kGreaterEqual:
      if (left.is_bool || right.is_bool) fail_at(e.at, "this operator needs ints");
      return {node, true};
    default:
      if (left.is_bool || (e.op != Operator::kNegate && right.is_bool)) {
        fail_at(e.at, "this operator needs ints");
      }
      return {node, false};
  }
}

void Compiler::renumber_temporaries() {
  code_.first_temporary = static_cast<std::uint32_t>(code_.slots.size());
  const std::int32_t shift = static_cast<std::int32_t>(code_.slots.size()) - kFirstTemporary;
  for (Step& step : code_.steps) {
    if (step.slot >= kFirstTemporary) step.slot += shift;
  }
  for (Node& node : code_.nodes) {
    if (node.kind == NodeKind::kSlot && node.first >= kFirstTemporary) node.first += shift;
  }
  code_.slots.insert(code_.slots.end(), temporaries_.begin(), temporaries_.end());
}

bool Compiler::has_ghosts(std::int32_t index) const {
  if (index == kNone) return false;
  const Node& node = code_.nodes[static_cast<std::size_t>(index)];
  return node.kind == NodeKind::kGhost || has_ghosts(node.left) || has_ghosts(node.right);
}

void Compiler::mark_ghosts() {
  for (Step& step : code_.steps) {
    const bool sets = step.kind == StepKind::kAssign && step.slot == kNone;
    step.ghosts = sets || has_ghosts(step.value) || has_ghosts(step.index);
  }
}

// All halts are one place, so that states are the same whichever it was.
void Compiler::end_thread() {
  if (!halts_.empty()) {
    emit(StepKind::kJump, thread_.at).target = here() + 2;
    for (const std::uint32_t halt : halts_) code_.steps[halt].target = here();
    emit(StepKind::kHalt, thread_.at);
  }
  emit(StepKind::kStop, thread_.at);
}

Result<Code> Compiler::run() {
  if (auto wrong = declare_locals(program_, thread_, scope_, code_)) {
    return tl::unexpected(std::move(*wrong));
  }
  body(thread_.body);
  end_thread();
  if (error_) return tl::unexpected(std::move(*error_));
  renumber_temporaries();
  mark_ghosts();
  return std::move(code_);
}

}  // namespace

Result<Model> compile(const Program& program) {
  Model model;
  model.file = program.file;
  Scope scope;
  if (auto wrong = declare_shared(program, scope, model)) return tl::unexpected(std::move(*wrong));
  std::set<std::uint32_t> named;
  std::uint32_t next = 0;
  for (const Thread& thread : program.threads) {
    const std::uint32_t copies = std::max(1u, thread.copies);
    const std::uint32_t first = next;
    bool alike = true;
    for (std::uint32_t me = 0; me < copies; ++me, ++next) {
      if (me > 0 && alike) {
        model.threads[next].code = model.threads[first].code;
        continue;
      }
      Compiler compiler(program, thread, me, scope, model);
      auto code = compiler.run();
      if (!code) return tl::unexpected(std::move(code.error()));
      alike = !compiler.uses_me();
      model.threads[next].code = static_cast<std::uint32_t>(model.codes.size());
      model.codes.push_back(std::move(*code));
      for (const std::uint32_t other : compiler.forked()) model.threads[other].forked = true;
      named.insert(compiler.named().begin(), compiler.named().end());
    }
    for (std::uint32_t t = first; t < next && alike && copies > 1; ++t) {
      model.threads[t].group = static_cast<std::int32_t>(first);
    }
  }
  for (const std::uint32_t t : named) model.threads[t].group = kNone;
  model.has_shared_side.resize(model.lock_names.size());
  return model;
}

}  // namespace omnium::model
