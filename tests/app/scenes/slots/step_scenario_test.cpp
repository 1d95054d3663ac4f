#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>

namespace slotscape {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TableSetup parse_steps(std::string const& steps)
{
  return test::parse_setup<TableSetup>(R"({ "version": 1, "steps": [ )" + steps + " ] }");
}

std::string error_in(std::string const& steps)
{
  return message_of<Error>([&] { parse_steps(steps); });
}

constexpr OnKey insert_77{Operation::insert, 77, 5};

TEST(StepScenario, StepsOnGivenKeys)
{
  TableSetup const scenario = parse_steps(R"({ "op": "insert", "key": 77, "value": 5 }, { "op": "insert", "key": 78 },
                                     { "op": "find", "key": 77 }, { "op": "erase", "key": 77 })");
  EXPECT_THAT(scenario.steps,
              ElementsAre(Action{insert_77}, Action{OnKey{Operation::insert, 78, 0}},
                          Action{OnKey{Operation::find, 77, 0}}, Action{OnKey{Operation::erase, 77, 0}}));
  EXPECT_FALSE(scenario.step_mode);
}

TEST(StepScenario, TheLastStepOpensStepMode)
{
  TableSetup const scenario = parse_steps(R"({ "op": "insert", "key": 1 },
    { "op": "step", "operation": "insert", "key": 77, "value": 5, "position": 3 })");
  EXPECT_EQ(scenario.steps.size(), 1u);
  EXPECT_EQ(scenario.step_mode, (StepRequest{insert_77, 3}));
  EXPECT_EQ(parse_steps(R"({ "op": "step", "operation": "erase", "key": 77 })").step_mode,
            (StepRequest{{Operation::erase, 77, 0}, 0}));
}

TEST(StepScenario, WritingGivesItBack)
{
  TableSetup scenario = parse_steps(R"({ "op": "insert", "count": 3 }, { "op": "insert", "key": 4, "value": 9 },
    { "op": "erase", "key": 3 }, { "op": "find", "key": 2 },
    { "op": "step", "operation": "find", "key": 77, "position": 2 })");
  for (Operation const operation : {Operation::insert, Operation::find, Operation::erase}) {
    scenario.step_mode->operation.operation = operation;
    auto const read = test::parse_setup<TableSetup>(format_scenario(test::slots_scenario(scenario)));
    EXPECT_EQ(read.steps, scenario.steps);
    EXPECT_EQ(read.step_mode, scenario.step_mode);
  }
}

TEST(StepScenario, WhatIsWrongIsNamed)
{
  std::string const step = R"({ "op": "step", "operation": "insert", "key": )";
  auto const reserved = std::to_string(std::numeric_limits<Key>::max());
  EXPECT_THAT(error_in(step + reserved + " }"),
              AllOf(HasSubstr("tour.json: steps[0]: key " + reserved), HasSubstr("reserved")));
  EXPECT_THAT(error_in(step + R"(1, "value": )" + reserved + " }"),
              AllOf(HasSubstr("steps[0]: value"), HasSubstr("reserved")));
  EXPECT_THAT(error_in(step + "4294967295 }"), AllOf(HasSubstr("steps[0]: key 4294967295"), HasSubstr("32-bit")));
  EXPECT_NO_THROW(test::parse_setup<TableSetup>(R"({ "version": 1, "table": { "key_bits": 64 }, "steps": [ )" + step +
                                                "4294967295 } ] }"));
  EXPECT_THAT(error_in(R"({ "op": "insert", "key": )" + reserved + " }"), HasSubstr("reserved"));
  EXPECT_THAT(error_in(step + "-1 }"), AllOf(HasSubstr("steps[0].key"), HasSubstr("64-bit")));
  EXPECT_THAT(error_in(step + "1.5 }"), HasSubstr("steps[0].key"));
  EXPECT_THAT(error_in(step + R"(1, "position": -1 })"), HasSubstr("steps[0].position"));
  EXPECT_THAT(error_in(step + R"(1, "count": 1 })"), HasSubstr("steps[0].count"));
  EXPECT_THAT(error_in(R"({ "op": "step", "operation": "mix", "key": 1 })"),
              AllOf(HasSubstr("steps[0].operation"), HasSubstr("insert")));
  EXPECT_THAT(error_in(R"({ "op": "step", "key": 1 })"), HasSubstr("operation"));
  EXPECT_THAT(error_in(R"({ "op": "step", "operation": "find" })"), HasSubstr("key"));
  EXPECT_THAT(error_in(R"({ "op": "step", "operation": "find", "key": 1, "value": 2 })"), HasSubstr("steps[0].value"));
  EXPECT_THAT(error_in(R"({ "op": "step", "operation": "find", "key": 1 }, { "op": "clear" })"),
              AllOf(HasSubstr("steps[1]"), HasSubstr("step mode")));
  EXPECT_THAT(error_in(R"({ "op": "insert", "key": 1, "count": 2 })"), HasSubstr("steps[0].count"));
  EXPECT_THAT(error_in(R"({ "op": "find", "key": 1, "value": 2 })"), HasSubstr("steps[0].value"));
}

}  // namespace
}  // namespace slotscape
