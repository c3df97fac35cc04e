// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/demangle.h"

#include <gtest/gtest.h>

namespace omnium::symbols {
namespace {

TEST(FunctionName, HasNeitherParametersNorReturnType) {
  const std::pair<const char*, const char*> cases[] = {
      {"main", "main"},
      {"transfer.part.0", "transfer"},
      {"_ZN7Account7depositEi", "Account::deposit"},
      {"_ZNK7Account7balanceEv", "Account::balance"},
      {"_ZNO7Account4moveEv", "Account::move"},
      {"_ZN7AccountC2Ev", "Account::Account"},
      {"_ZN7AccountD1Ev", "Account::~Account"},
      {"_ZN7Account7depositEi.cold", "Account::deposit"},
      {"_Z4pickIiEvT_", "pick<int>"},
      {"_ZN7Account4nameB5cxx11Ev", "Account::name"},
      {"_Z3logB5cxx11", "log"},
      {"_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()"},
      // What is local to a function with parameters.
      {"_ZZN2db7Version3GetERKNS_3KeyEEN5State5MatchEPvi", "db::Version::Get::State::Match"},
      {"_ZZNK2db7Version3GetEiEN5State5MatchEv", "db::Version::Get::State::Match"},
      {"_ZZ3addiENKUlvE_clEv", "add::{lambda()#1}::operator()"},
      {"_ZZ4pickIiEvT_EN5Local3runEv", "pick<int>::Local::run"},
      {"_ZZN12_GLOBAL__N_15auditEiEN5Local3runEv", "(anonymous namespace)::audit::Local::run"},
      {"_ZZN7AccountclEiENKUlvE_clEv", "Account::operator()::{lambda()#1}::operator()"},
      {"_ZN12_GLOBAL__N_15auditEv", "(anonymous namespace)::audit"},
      {"_ZlsRSoRK7Account", "operator<<"},
      {"_ZN7AccountcvbEv", "Account::operator bool"},
      {"_ZN7AccountclEv", "Account::operator()"},
      {"_ZltI7AccountEbRKT_S3_", "operator< <Account>"},
      {"_Z5countRKi._omp_fn.0", "count"},
      {".omp_outlined..3", ".omp_outlined"},
      // What the library cannot demangle.
      {"_Z3getIZZ6all_ofibENKUlT_E_clIZ6all_ofibEUlS0_E2_EEDaS0_EUlvE0_EPiS0_", "get"},
      {"_ZNK5Cache3getIZZ6all_ofibENKUlT_E_clIZ6all_ofibEUlS0_E2_EEDaS0_EUlvE0_EPiS0_",
       "Cache::get"},
  };
  for (const auto& [mangled, name] : cases) EXPECT_EQ(function_name(mangled), name) << mangled;
}

TEST(OutermostName, IsThatOfTheNamespaceOrClassOrFunction) {
  EXPECT_EQ(outermost_name("main"), "main");
  EXPECT_EQ(outermost_name("bank::Account::deposit"), "bank");
  EXPECT_EQ(outermost_name("Queue<int>::push"), "Queue");
  EXPECT_EQ(outermost_name("pick<bank::Account>"), "pick");
  EXPECT_EQ(outermost_name("scale::{lambda(int&)#1}::operator()"), "scale");
}

TEST(OpenMpEntry, StandsBetweenTheLibraryAndTheBody) {
  EXPECT_TRUE(is_openmp_entry(".omp_task_entry..5"));
  EXPECT_TRUE(is_openmp_entry(".omp_outlined._debug__.11"));
  EXPECT_FALSE(is_openmp_entry(".omp_outlined."));
  EXPECT_FALSE(is_openmp_entry("_Z5countRKi._omp_fn.0"));
}

TEST(ThreadBody, IsWhatTheThreadWasGiven) {
  EXPECT_EQ(thread_body("std::thread::_State_impl<std::thread::_Invoker<std::tuple<"
                        "main::{lambda(int)#1}, int> > >::_M_run"),
            "main::{lambda(int)#1}");
  EXPECT_EQ(thread_body("std::thread::_State_impl<std::thread::_Invoker<std::tuple<"
                        "void (*)(int), int> > >::_M_run"),
            "");
  EXPECT_EQ(thread_body("std::thread::_State_impl<std::thread::_Invoker<std::tuple<"
                        "void (Desk::*)(), Desk*> > >::_M_run"),
            "");
  EXPECT_EQ(thread_body("std::__future_base::_Async_state_impl<std::thread::_Invoker<std::tuple<"
                        "main::{lambda()#2}> >, int>::_M_run"),
            "main::{lambda()#2}");
  EXPECT_EQ(thread_body("worker"), "");
}

TEST(Demangle, FunctionsOfTheLibrary) {
  EXPECT_TRUE(is_library_function("std::vector<int>::push_back"));
  EXPECT_TRUE(is_library_function("__gthread_mutex_lock"));
  EXPECT_FALSE(is_library_function("main::{lambda()#1}::operator()"));
  EXPECT_FALSE(is_library_function("stdin_reader"));
}

TEST(Demangle, LambdasAndWhatCallsThem) {
  EXPECT_EQ(called_lambda("main::{lambda()#1}::operator()"), "main::{lambda()#1}");
  EXPECT_EQ(called_lambda("main::$_0::operator()"), "main::$_0");
  EXPECT_EQ(called_lambda("Less::operator()"), "");
  EXPECT_EQ(started_lambda("std::thread::_State_impl<std::thread::_Invoker<std::tuple<"
                           "main::{lambda()#1}> > >::_M_run"),
            "main::{lambda()#1}");
  EXPECT_EQ(started_lambda("std::_Function_handler<void (int, int), main::{lambda(int, int)#2}>"
                           "::_M_invoke"),
            "main::{lambda(int, int)#2}");
  EXPECT_EQ(started_lambda("std::thread::_State_impl<std::thread::_Invoker<std::tuple<"
                           "void (*)(int), int> > >::_M_run"),
            "");
  EXPECT_EQ(started_lambda("std::sort<int*, main::{lambda()#1}>"), "");
  EXPECT_EQ(started_lambda("std::thread::_State_impl<std::thread::_Invoker<std::tuple<"
                           "main::{lambda()#1}> > >::~_State_impl"),
            "");
  EXPECT_EQ(started_lambda("std::_Function_handler<void (), main::{lambda()#2}>::_M_manager"), "");
}

}  // namespace
}  // namespace omnium::symbols
