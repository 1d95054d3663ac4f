// Three ranks, here threads, have a part of a log each. Together they count how often each page was visited, in a table
// that is divided among them; then each asks for pages of its own choice.

#include <slotscape/distributed_table.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <vector>

using Table = slotscape::CpuDistributedTable<slotscape::families::linear_probing, std::uint32_t>;

constexpr std::uint32_t ranks = 3;
constexpr std::uint32_t pages = 10'000;
constexpr std::uint32_t visits = 100'000;  // in each part of the log

int main()
{
  std::atomic<std::uint32_t> wrong = 0;
  slotscape::for_each_thread(ranks, [&](slotscape::ThreadCommunicator& communicator) {
    Table table({.slots = Table::slots_for(pages, ranks)}, communicator);
    std::vector<std::uint32_t> log(visits);
    std::vector<std::uint32_t> const once(visits, 1);
    for (std::uint32_t i = 0; i < visits; ++i) { log[i] = (i * 7 + communicator.rank()) % pages; }
    table.insert_or_add(log.data(), once.data(), visits).or_throw();

    std::vector<std::uint32_t> wanted;
    for (std::uint32_t page = communicator.rank(); page < pages; page += ranks) { wanted.push_back(page); }
    std::vector<std::uint32_t> counts(wanted.size());
    std::uint64_t const found = table.find(wanted.data(), counts.data(), wanted.size());  // by all ranks
    for (std::uint32_t const count : counts) { wrong += count == ranks * visits / pages ? 0 : 1; }
    wrong += found == pages ? 0 : 1;
    std::uint64_t const size = table.size();  // all ranks make the same calls
    if (communicator.rank() == 0) { std::printf("%lu pages were visited\n", static_cast<unsigned long>(size)); }
  });
  return wrong == 0 ? 0 : 1;
}
