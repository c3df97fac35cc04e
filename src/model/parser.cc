// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Recursive descent. The first mistake is kept and turns every later word into the end of the text,
// so that no loop needs to look for it.
#include "model/parser.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "model/lexer.h"
#include "model/procedure.h"
#include "support/suggestion.h"

namespace omnium::model {

namespace {

constexpr std::array<std::string_view, 24> kKeywords = {
    "shared",  "local", "bool",   "int",    "lock",   "thread", "atomic", "acquire",
    "release", "fork",  "join",   "assume", "assert", "skip",   "if",     "else",
    "while",   "loop",  "choose", "or",     "true",   "false",  "me",     "halt"};
constexpr std::uint32_t kDeepest = 100;  // of nested statements and expressions
constexpr std::size_t kMostCalled = 100'000;  // statements that calls may be replaced by
constexpr std::int64_t kLargestArray = 4096;
constexpr std::int64_t kLargestCopies = 32;
constexpr std::int64_t kWidestRange = 65'536;

class Parser {
 public:
  Parser(std::string_view text, std::string file) : lexer_(text) {
    program_.file = std::move(file);
    advance();
  }

  Result<Program> run();

 private:
  // Words.
  void advance();
  bool at_word(std::string_view word) const;
  bool take(std::string_view word);
  void expect(std::string_view word);
  void expect_semicolon();
  bool at_end() const { return token_.kind == Token::Kind::kEnd; }
  void fail_here(std::string_view expected);
  void fail_at(Place at, std::string message);

  // Parts of declarations.
  std::string name(std::string_view what);
  std::int64_t number(std::string_view what, std::int64_t low, std::int64_t high);
  std::uint32_t optional_size(std::string_view what, std::int64_t high);
  Type type();
  void initial(Variable& variable);
  Variable variable();
  std::vector<Variable> locals();
  void declaration();
  void procedure();
  Thread thread();

  // Statements.
  Statement::Body body();
  Statement statement();
  bool simple_statement(Statement& out);
  void assignment(Statement& out);
  bool operation(Statement& out);
  bool call(Statement& out);
  void lock_statement(Statement& out, Kind exclusive, Kind shared);
  bool name_follows() const;
  void compound_statement(Statement& out);
  void conditional(Statement& out);
  Expression reference(std::string_view what);

  // Expressions, loosest binding first.
  Expression expression() { return binary(0); }
  Expression binary(std::size_t level);
  Expression unary();
  Expression primary();

  Lexer lexer_;
  Token token_;
  Place last_end_;  // behind the word before
  std::optional<Error> error_;
  std::uint32_t depth_ = 0;
  Program program_;
  std::map<std::string, Procedure> procedures_;
  std::vector<Variable> locals_;  // of the thread or procedure that is being read
  std::size_t calls_size_ = 0;    // statements that calls were replaced by
};

struct BinaryOperator {
  std::string_view word;
  Operator op;
};
constexpr std::size_t kLevels = 5;
constexpr std::array<std::array<BinaryOperator, 6>, kLevels> kBinaryOperators = {{
    {{{"||", Operator::kOr}}},
    {{{"&&", Operator::kAnd}}},
    {{{"==", Operator::kEqual},
      {"!=", Operator::kNotEqual},
      {"<", Operator::kLess},
      {"<=", Operator::kLessEqual},
      {">", Operator::kGreater},
      {">=", Operator::kGreaterEqual}}},
    {{{"+", Operator::kAdd}, {"-", Operator::kSubtract}}},
    {{{"*", Operator::kMultiply}, {"/", Operator::kDivide}, {"%", Operator::kRemainder}}},
}};

// Words that begin a statement only if a name follows, so that variables may be called like them.
struct Operation {
  std::string_view word;
  Statement::Kind kind;
  Kind event;
  std::string_view what;  // the name that follows
};
constexpr std::array<Operation, 9> kOperations = {{
    {"load", Statement::Kind::kLook, Kind::kAtomicRead, "a variable's name"},
    {"store", Statement::Kind::kAssign, Kind::kAtomicWrite, "a variable's name"},
    {"update", Statement::Kind::kAssign, Kind::kUpdate, "a variable's name"},
    {"retry", Statement::Kind::kLook, Kind::kRetry, "a variable's name"},
    {"wait", Statement::Kind::kRelease, Kind::kWait, "a lock's name"},
    {"resume", Statement::Kind::kAcquire, Kind::kResume, "a lock's name"},
    {"signal", Statement::Kind::kSignal, Kind::kSignal, "a channel's name"},
    {"await", Statement::Kind::kAwait, Kind::kAwait, "a channel's name"},
    {"busy", Statement::Kind::kBusy, Kind::kBusy, "a lock's name"},
}};

void Parser::advance() {
  if (error_) return;
  last_end_ = lexer_.at();
  token_ = lexer_.next();
  if (token_.kind == Token::Kind::kBad) fail_at(token_.at, token_.text);
}

void Parser::fail_at(Place at, std::string message) {
  if (!error_) error_ = Error{{program_.file, at.line, at.column}, std::move(message)};
  token_ = Token{Token::Kind::kEnd, at, {}, 0};
}

void Parser::fail_here(std::string_view expected) {
  const std::string got = at_end() ? "the end" : fmt::format("'{}'", printable(token_.text));
  fail_at(token_.at, fmt::format("expected {}, got {}", expected, got));
}

bool Parser::at_word(std::string_view word) const {
  return (token_.kind == Token::Kind::kName || token_.kind == Token::Kind::kSymbol) &&
         token_.text == word;
}

bool Parser::take(std::string_view word) {
  if (!at_word(word)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view word) {
  if (!take(word)) fail_here(fmt::format("'{}'", word));
}

// What is missing is missing behind the word before, not where the next one stands.
void Parser::expect_semicolon() {
  if (!take(";")) fail_at(last_end_, "expected ';'");
}

std::string Parser::name(std::string_view what) {
  const bool plain = token_.kind == Token::Kind::kName && !is_keyword(token_.text);
  if (!plain && token_.kind != Token::Kind::kQuotedName) {
    fail_here(what);
    return {};
  }
  std::string text = token_.text;
  advance();
  return text;
}

std::int64_t Parser::number(std::string_view what, std::int64_t low, std::int64_t high) {
  const Place at = token_.at;
  const bool negative = take("-");
  if (token_.kind != Token::Kind::kNumber) {
    fail_here(what);
    return low;
  }
  const std::int64_t value = negative ? -token_.number : token_.number;
  advance();
  if (value >= low && value <= high) return value;
  fail_at(at, fmt::format("{} must be {} to {}, got {}", what, low, high, value));
  return low;
}

// "[N]" after a name; 0 if there is none.
std::uint32_t Parser::optional_size(std::string_view what, std::int64_t high) {
  if (!take("[")) return 0;
  const std::int64_t size = number(what, 1, high);
  expect("]");
  return static_cast<std::uint32_t>(size);
}

Type Parser::type() {
  if (take("bool")) return {};
  constexpr std::int64_t kFar = 1'000'000'000;
  if (!at_word("int")) {
    fail_here("'bool' or 'int[LOW..HIGH]'");
    return {};
  }
  const Place at = token_.at;
  advance();
  expect("[");
  const std::int64_t low = number("the lowest value", -kFar, kFar);
  expect("..");
  const std::int64_t high = number("the highest value", -kFar, kFar);
  expect("]");
  if (high < low) fail_at(at, fmt::format("the range {}..{} is empty", low, high));
  if (high - low >= kWidestRange) {
    fail_at(at, fmt::format("a range can have at most {} values", kWidestRange));
  }
  return {false, static_cast<std::int32_t>(low), static_cast<std::int32_t>(high)};
}

// "= VALUE" or "= *"; without it false, or the value of the range that is nearest to zero.
void Parser::initial(Variable& variable) {
  const Type& type = variable.type;
  variable.initial = std::clamp(0, type.low, type.high);
  if (!take("=")) return;
  if (take("*")) {
    variable.starts_anyhow = true;
  } else if (!type.is_bool) {
    variable.initial = static_cast<std::int32_t>(number("the first value", type.low, type.high));
  } else if (take("true")) {
    variable.initial = 1;
  } else if (!take("false")) {
    fail_here("'true', 'false' or '*'");
  }
}

Variable Parser::variable() {
  Variable variable;
  variable.type = type();
  variable.at = token_.at;
  variable.name = name("a variable's name");
  variable.size = optional_size("an array's size", kLargestArray);
  initial(variable);
  expect_semicolon();
  return variable;
}

void Parser::declaration() {
  if (at_word("shared") || at_word("ghost")) {
    const bool ghost = take("ghost");
    if (!ghost) advance();
    program_.shared.push_back(variable());
    program_.shared.back().ghost = ghost;
  } else if (take("channel")) {
    const Place at = token_.at;
    program_.channels.push_back({at, name("a channel's name")});
    expect_semicolon();
  } else if (take("lock")) {
    Lock lock;
    lock.at = token_.at;
    lock.name = name("a lock's name");
    lock.size = optional_size("an array's size", kLargestArray);
    expect_semicolon();
    program_.locks.push_back(std::move(lock));
  } else if (take("thread")) {
    program_.threads.push_back(thread());
  } else if (at_word("procedure") && name_follows()) {
    advance();
    procedure();
  } else {
    constexpr std::array<std::string_view, 6> kStarts = {"shared", "lock",    "thread",
                                                         "ghost",  "channel", "procedure"};
    const std::string_view meant =
        token_.kind == Token::Kind::kName ? support::nearest(token_.text, kStarts) : "";
    if (meant.empty()) {
      return fail_here("'shared', 'lock', 'thread', 'ghost', 'channel' or 'procedure'");
    }
    fail_at(token_.at,
            fmt::format("unknown word '{}'; did you mean '{}'?", printable(token_.text), meant));
  }
}

std::vector<Variable> Parser::locals() {
  std::vector<Variable> locals;
  while (take("local")) {
    locals.push_back(variable());
    if (locals.back().starts_anyhow) {
      fail_at(locals.back().at, "only shared variables and ghosts can start with any value");
    }
  }
  return locals;
}

// A procedure is known below its end, so that it cannot call itself.
void Parser::procedure() {
  const Place at = token_.at;
  Procedure procedure(name("a procedure's name"));
  if (procedures_.contains(procedure.name())) fail_at(at, "this procedure is declared twice");
  expect("{");
  locals_ = locals();
  const std::size_t own = locals_.size();
  Statement::Body statements;
  while (!at_word("}") && !at_end()) statements.push_back(statement());
  expect("}");
  procedure.define(std::move(locals_), own, std::move(statements));
  procedures_.emplace(procedure.name(), std::move(procedure));
}

// What the procedure does takes the place of the call; its locals become locals of the caller.
bool Parser::call(Statement& out) {
  if (!at_word("call") || !name_follows()) return false;
  advance();
  const Place at = token_.at;
  const auto found = procedures_.find(name("a procedure's name"));
  if (found == procedures_.end()) {
    fail_at(at, "no such procedure above; a procedure cannot call itself");
    return true;
  }
  for (const Variable& local : found->second.locals()) {
    if (std::ranges::find(locals_, local.name, &Variable::name) == locals_.end()) {
      locals_.push_back(local);
    }
  }
  calls_size_ += found->second.size();
  if (calls_size_ > kMostCalled) fail_at(at, "the procedures that are called become too long");
  if (depth_ + found->second.depth() > kDeepest) fail_at(at, "calls are nested too deeply");
  out.kind = Statement::Kind::kChoose;
  out.bodies.push_back(found->second.body());
  return true;
}

Thread Parser::thread() {
  Thread thread;
  thread.at = token_.at;
  thread.name = name("a thread's name");
  thread.copies = optional_size("the number of copies", kLargestCopies);
  expect("{");
  locals_ = locals();
  while (!at_word("}") && !at_end()) thread.body.push_back(statement());
  expect("}");
  thread.locals = std::move(locals_);
  return thread;
}

Statement::Body Parser::body() {
  Statement::Body statements;
  if (++depth_ > kDeepest) fail_at(token_.at, "statements are nested too deeply");
  expect("{");
  while (!at_word("}") && !at_end()) statements.push_back(statement());
  expect("}");
  --depth_;
  return statements;
}

Statement Parser::statement() {
  Statement out;
  out.at = token_.at;
  if (at_word("local")) {
    fail_at(token_.at, "locals are declared at the beginning of a thread");
  } else if (simple_statement(out)) {
    expect_semicolon();
  } else {
    compound_statement(out);
  }
  return out;
}

Expression Parser::reference(std::string_view what) {
  Expression out;
  out.op = Operator::kName;
  out.at = token_.at;
  out.name = name(what);
  if (take("[")) {
    out.arguments.push_back(expression());
    expect("]");
  }
  return out;
}

bool Parser::name_follows() const {
  Lexer ahead = lexer_;
  const Token next = ahead.next();
  return next.kind == Token::Kind::kQuotedName ||
         (next.kind == Token::Kind::kName && !is_keyword(next.text));
}

// One of the operations that traces have and that have no keyword.
bool Parser::operation(Statement& out) {
  if (token_.kind != Token::Kind::kName) return false;
  const auto found = std::ranges::find(kOperations, token_.text, &Operation::word);
  if (found == kOperations.end() || !name_follows()) return false;
  advance();
  out.kind = found->kind;
  out.event = found->event;
  out.target = reference(found->what);
  if (found->kind == Statement::Kind::kAssign) {
    expect("=");
    out.value = expression();
  }
  return true;
}

void Parser::lock_statement(Statement& out, Kind exclusive, Kind shared) {
  out.kind = exclusive == Kind::kAcquire ? Statement::Kind::kAcquire : Statement::Kind::kRelease;
  out.event = take("shared") ? shared : exclusive;
  out.target = reference("a lock's name");
}

// Words that begin a statement.
constexpr std::array<std::string_view, 22> kStatements = {
    "acquire", "release", "fork",   "join", "assume", "assert", "skip", "if",
    "while",   "loop",    "choose", "call", "atomic", "halt",   "load", "store",
    "update",  "retry",   "wait",   "busy", "signal", "await"};

// A name that is no keyword. If no assignment follows, it may be a keyword that was misspelt.
void Parser::assignment(Statement& out) {
  const Token first = token_;
  out.target = reference("a variable's name");
  if (error_) return;
  const std::string_view meant =
      first.kind == Token::Kind::kName ? support::nearest(first.text, kStatements) : "";
  if (!at_word("=") && !meant.empty()) {
    return fail_at(first.at, fmt::format("unknown statement '{}'; did you mean '{}'?",
                                         printable(first.text), meant));
  }
  expect("=");
  out.value = expression();
}

bool Parser::simple_statement(Statement& out) {
  using Kind = Statement::Kind;
  if (take("skip") || call(out) || operation(out)) return true;
  if (take("acquire")) {
    lock_statement(out, omnium::Kind::kAcquire, omnium::Kind::kSharedAcquire);
  } else if (take("release")) {
    lock_statement(out, omnium::Kind::kRelease, omnium::Kind::kSharedRelease);
  } else if (take("halt")) {
    out.kind = Kind::kHalt;
  } else if (take("fork")) {
    out.kind = Kind::kFork;
    out.target = reference("a thread's name");
  } else if (take("join")) {
    out.kind = Kind::kJoin;
    out.target = reference("a thread's name");
  } else if (at_word("assume") || at_word("assert")) {
    out.kind = at_word("assume") ? Kind::kAssume : Kind::kAssert;
    advance();
    expect("(");
    out.value = expression();
    expect(")");
  } else if (token_.kind == Token::Kind::kQuotedName ||
             (token_.kind == Token::Kind::kName && !is_keyword(token_.text))) {
    out.kind = Kind::kAssign;
    out.event = omnium::Kind::kWrite;
    assignment(out);
  } else {
    return false;
  }
  return true;
}

void Parser::compound_statement(Statement& out) {
  using Kind = Statement::Kind;
  if (take("if")) return conditional(out);
  if (take("while")) {
    out.kind = Kind::kWhile;
    expect("(");
    if (take("*")) {
      out.kind = Kind::kWhileMaybe;
    } else {
      out.value = expression();
    }
    expect(")");
  } else if (take("loop")) {
    out.kind = Kind::kLoop;
    out.count = static_cast<std::uint32_t>(number("how often to loop", 0, kWidestRange - 1));
  } else if (take("choose")) {
    out.kind = Kind::kChoose;
    out.bodies.push_back(body());
    while (take("or")) out.bodies.push_back(body());
    return;
  } else if (take("atomic")) {
    out.kind = Kind::kAtomic;
    if (!at_word("{")) out.label = name("a label or '{'");
  } else {
    return fail_here("a statement");
  }
  out.bodies.push_back(body());
}

void Parser::conditional(Statement& out) {
  out.kind = Statement::Kind::kIf;
  expect("(");
  out.value = expression();
  expect(")");
  out.bodies.push_back(body());
  if (!take("else")) return;
  if (!at_word("if")) {
    out.bodies.push_back(body());
    return;
  }
  if (++depth_ > kDeepest) fail_at(token_.at, "statements are nested too deeply");
  Statement inner;
  inner.at = token_.at;
  advance();
  conditional(inner);
  out.bodies.emplace_back();
  out.bodies.back().push_back(std::move(inner));
  --depth_;
}

Expression Parser::binary(std::size_t level) {
  if (level == kLevels) return unary();
  Expression left = binary(level + 1);
  const std::uint32_t depth = depth_;
  for (;;) {
    const auto& operators = kBinaryOperators[level];
    const auto found = std::find_if(operators.begin(), operators.end(), [&](const auto& candidate) {
      return !candidate.word.empty() && at_word(candidate.word);
    });
    if (found == operators.end()) {
      depth_ = depth;
      return left;
    }
    if (++depth_ > kDeepest) fail_at(token_.at, "this expression is too long");
    Expression out;
    out.op = found->op;
    out.at = token_.at;
    advance();
    out.arguments.push_back(std::move(left));
    out.arguments.push_back(binary(level + 1));
    left = std::move(out);
  }
}

Expression Parser::unary() {
  Expression out;
  out.at = token_.at;
  if (take("!")) {
    out.op = Operator::kNot;
  } else if (take("-")) {
    out.op = Operator::kNegate;
  } else {
    return primary();
  }
  if (++depth_ > kDeepest) fail_at(out.at, "this expression is nested too deeply");
  out.arguments.push_back(unary());
  --depth_;
  return out;
}

Expression Parser::primary() {
  Expression out;
  out.at = token_.at;
  if (token_.kind == Token::Kind::kNumber) {
    out.value = token_.number;
    advance();
  } else if (at_word("true") || at_word("false")) {
    out.op = Operator::kBoolConstant;
    out.value = at_word("true");
    advance();
  } else if (take("me")) {
    out.op = Operator::kMe;
  } else if (take("(")) {
    if (++depth_ > kDeepest) fail_at(out.at, "this expression is nested too deeply");
    out = expression();
    expect(")");
    --depth_;
  } else {
    if (++depth_ > kDeepest) fail_at(out.at, "this expression is nested too deeply");
    out = reference("an expression");
    --depth_;
  }
  return out;
}

Result<Program> Parser::run() {
  while (!at_end()) declaration();
  if (!error_ && program_.threads.empty()) fail_at(token_.at, "the program has no thread");
  if (error_) return tl::unexpected(std::move(*error_));
  return std::move(program_);
}

}  // namespace

bool is_keyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

Result<Program> parse(std::string_view text, std::string file) {
  return Parser(text, std::move(file)).run();
}

}  // namespace omnium::model
