#include "app/tuning/printed_rates.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape::tuning {
namespace {

constexpr double bytes_of_a_slot = 8.0;  ///< in all of these papers

PrintedRate of_time(PrintedPaper const& paper, PrintedNumber const& number, std::string_view table, bool insertion)
{
  return {&paper, &number, table, insertion, number.load, 0.0, number.keys / (1e-3 * number.value)};
}

void add_farrell(std::vector<PrintedRate>& rates)
{
  PrintedPaper const& paper = farrell_2020();
  for (PrintedNumber const& number : numbers_of(paper, "insert_at_load")) {
    if (number.load <= 0.0) { continue; }
    PrintedRate& rate = rates.emplace_back(of_time(paper, number, "linear probing", true));
    rate.bytes_per_key = bytes_of_a_slot / number.load;
  }
}

void add_alcantara(std::vector<PrintedRate>& rates)
{
  PrintedPaper const& paper = alcantara_2009();
  auto const numbers = numbers_of(paper, "random_pairs");
  double times_the_pairs = 0.0;
  for (PrintedNumber const& number : numbers) {
    if (number.quantity == "memory") { times_the_pairs = number.value; }
  }
  for (PrintedNumber const& number : numbers) {
    bool const build = number.quantity == "build";
    if (!build && number.quantity != "retrieve all") { continue; }
    PrintedRate& rate = rates.emplace_back(of_time(paper, number, "two-level cuckoo", build));
    rate.bytes_per_key = bytes_of_a_slot * times_the_pairs;
  }
}

void add_shortt(std::vector<PrintedRate>& rates)
{
  struct Named {
    std::string_view quantity;
    std::string_view table;
    bool insertion;
    bool plain;  ///< whether a slot takes 8 bytes, without any other memory
  };
  constexpr std::array named{Named{"slab: insert", "SlabHash", true, false},
                             Named{"slab: search", "SlabHash", false, false},
                             Named{"simple_hash: insert", "Simple Hash", true, true},
                             Named{"simple_hash: search", "Simple Hash", false, true},
                             Named{"hopscotch: search", "hopscotch", false, false}};
  PrintedPaper const& paper = shortt_2020();
  for (PrintedNumber const& number : numbers_of(paper, "rate")) {
    for (Named const& each : named) {
      if (each.quantity != number.quantity) { continue; }
      rates.push_back({&paper, &number, each.table, each.insertion, number.load,
                       each.plain ? bytes_of_a_slot / number.load : 0.0, 1e9 * number.value});
    }
  }
}

}  // namespace

std::vector<PrintedRate> printed_rates(Workload const& workload)
{
  std::vector<PrintedRate> rates;
  if (workload.join) { return rates; }  // papers print rates of operations, not of joins
  add_farrell(rates);
  add_alcantara(rates);
  add_shortt(rates);
  std::erase_if(rates,
                [&](PrintedRate const& rate) { return rate.insertion ? workload.insert <= 0.0 : workload.hit <= 0.0; });
  return rates;
}

std::string text_of(PrintedRate const& rate)
{
  std::string const keys = rate.number->keys > 0.0 ? tr(", {} keys", short_number(rate.number->keys)) : std::string();
  std::string const number = short_number(rate.rate);
  std::string const found =
      rate.insertion
          ? tr("{}: {} insertions/s at α {:.2f}{}, on {}.", rate.table, number, rate.load, keys, rate.paper->device)
          : tr("{}: {} hits/s at α {:.2f}{}, on {}.", rate.table, number, rate.load, keys, rate.paper->device);
  return fmt::format("{}\n{}", found, tr("Printed in {}: {}.", rate.paper->citation, rate.number->source));
}

std::string pictures_without_numbers()
{
  std::string text;
  for (PrintedPaper const* paper : {&farrell_2020(), &alcantara_2009(), &shortt_2020()}) {
    for (std::string_view const picture : paper->pictures) {
      text += fmt::format("{}{}, {}", text.empty() ? "" : "\n", paper->citation.substr(0, paper->citation.find(',')),
                          picture);
    }
  }
  return text;
}

}  // namespace slotscape::tuning
