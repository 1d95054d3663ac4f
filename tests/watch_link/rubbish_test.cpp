// Whatever comes through the socket, neither side may crash or stop: thousands of packets from fixed seeds.

#include "gpu/watch/live_packets.hpp"
#include "tests/watch_link/program.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include <random>

namespace slotscape::watch::test {
namespace {

using live::Link;
using watch_link::Ask;
using watch_link::Descriptor;
using watch_link::Header;
using watch_link::Say;
using Bytes = std::vector<std::uint8_t>;
using Random = std::mt19937_64;

std::size_t open_descriptors()
{
  std::filesystem::directory_iterator const numbers("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(numbers), end(numbers)));
}

/// Sends bytes, and perhaps a descriptor with them.
void send_packet(int socket, Bytes const& bytes, std::vector<int> const& descriptors = {})
{
  iovec data{const_cast<std::uint8_t*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(8 * sizeof(int))> control{};
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size() * sizeof(int));
  }
  sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

Bytes random_bytes(Random& random, std::size_t size)
{
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) { byte = static_cast<std::uint8_t>(random()); }
  return bytes;
}

/// A few bytes changed, cut off or added.
void spoil(Bytes& bytes, Random& random)
{
  switch (random() % 4) {
    case 0: bytes.resize(random() % (bytes.size() + 1)); break;
    case 1: {
      Bytes const more = random_bytes(random, random() % 300);
      bytes.insert(bytes.end(), more.begin(), more.end());
      break;
    }
    default:
      for (std::uint64_t i = random() % 4 + 1; i != 0 && !bytes.empty(); --i) {
        bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      }
  }
}

class WatchRubbishInEitherLanguage : public testing::TestWithParam<Language> {};
INSTANTIATE_TEST_SUITE_P(WatchRubbish, WatchRubbishInEitherLanguage, testing::Values(Language::cpp, Language::python));

TEST_P(WatchRubbishInEitherLanguage, AProgramSurvivesItsViewers)
{
  RuntimeFolder const folder;
  Program program(GetParam());
  program.ask("watch table 65536 unreadable fast");
  program.ask("insert 1 100");
  auto const good = connect(find("table"));
  std::string const path = find("table").socket;
  Random random(1);
  for (int connection = 0; connection < 300; ++connection) {
    Link const link(path, 1000);
    Descriptor const event(eventfd(0, EFD_CLOEXEC));
    for (std::uint64_t i = random() % 30; i != 0; --i) {
      Header header;
      header.kind = static_cast<std::uint32_t>(random() % 8);
      header.generation = random() % 3;
      header.value = random() % 2 == 0 ? random() % 4 : random();
      Bytes bytes;
      watch_link::append(bytes, header);
      if (random() % 8 == 0) { spoil(bytes, random); }
      if (random() % 32 == 0) { bytes = random_bytes(random, random() % 2000); }
      send_packet(link.number(), bytes, random() % 16 == 0 ? std::vector<int>{event.number()} : std::vector<int>{});
    }
    if (connection % 10 == 0) {
      ASSERT_EQ(program.ask("mark still here"), "done");
      good->refresh();
    }
  }
  EXPECT_TRUE(comes_true([&] { return program.ask("viewers") == "1"; }));
  program.ask("insert 101 100");
  EXPECT_TRUE(comes_true([&] { return keys_of(*good) == 200; }));
  EXPECT_TRUE(good->alive());
  EXPECT_LT(std::stoi(program.ask("end")), 400);
  program.say("quit");
  EXPECT_EQ(program.wait(), 0);
}

TEST_P(WatchRubbishInEitherLanguage, AViewerThatFloodsIsDropped)
{
  RuntimeFolder const folder;
  Program program(GetParam());
  program.ask("watch table 65536");
  Link link(find("table").socket);
  auto const start = Clock::now();
  bool is_dropped = false;
  while (!is_dropped && seconds_since(start) < 5.0) {
    is_dropped = !link.ask(Ask::permission, 1) && errno == EPIPE;
    live::Packet packet;
    while (link.receive(packet) == Link::Received::packet) {}
  }
  EXPECT_TRUE(is_dropped);
  EXPECT_EQ(program.ask("viewers"), "0");
}

/// A program that says what a test wants, to one viewer at a time.
class FakeProgram {
public:
  explicit FakeProgram(RuntimeFolder const& folder) : path_(folder.sockets() + "/1-0.sock")
  {
    mkdir(folder.sockets().c_str(), 0700);
    listener_ = Descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    sockaddr_un address;
    watch_link::address_of(path_, address);
    if (bind(listener_.number(), reinterpret_cast<sockaddr const*>(&address), sizeof(address)) != 0 ||
        listen(listener_.number(), 8) != 0) {
      throw std::runtime_error("cannot listen at " + path_);
    }
  }
  Announced announced() const
  {
    return {.name = "fake", .program = "", .pid = 1, .description = {}, .socket = path_, .since = {}};
  }
  /// Accepts the next viewer, says all that, and hangs up.
  void serve(std::vector<std::pair<Bytes, std::vector<int>>> const& packets)
  {
    Descriptor const viewer(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    for (auto const& [bytes, descriptors] : packets) { send_packet(viewer.number(), bytes, descriptors); }
  }

private:
  std::string path_;
  Descriptor listener_;
};

Bytes header_of(Say kind, std::uint64_t generation, std::uint64_t value = 0)
{
  Header header;
  header.kind = static_cast<std::uint32_t>(kind);
  header.generation = generation;
  header.nanoseconds = watch_link::nanoseconds();
  header.value = value;
  Bytes bytes;
  watch_link::append(bytes, header);
  return bytes;
}

struct FakeArray {
  watch_link::Way way = watch_link::Way::file;
  std::uint64_t bytes = 4096;
  std::uint64_t offset = 0;
  std::uint64_t allocation = 4096;
  std::uint64_t address = 0;
};
Bytes table_of(std::uint64_t generation, std::vector<FakeArray> const& arrays, std::string const& name = "fake")
{
  Bytes bytes = header_of(Say::table, generation);
  std::string const description = "{\"slots\": 256}";
  watch_link::append(bytes, watch_link::TableRecord{1, 0, 10000, static_cast<std::uint32_t>(arrays.size()),
                                                    static_cast<std::uint32_t>(name.size()),
                                                    static_cast<std::uint32_t>(description.size()), 0, 0});
  watch_link::append(bytes, name);
  watch_link::append(bytes, description);
  std::int32_t descriptor = 0;
  for (FakeArray const& array : arrays) {
    watch_link::ArrayRecord record{};
    record.bytes = array.bytes;
    record.address = array.address;
    record.offset = array.offset;
    record.allocation = array.allocation;
    record.way = array.way;
    record.descriptor = array.way == watch_link::Way::file ? descriptor++ : -1;
    record.name_length = 6;
    watch_link::append(bytes, record);
    watch_link::append(bytes, "array" + std::to_string(&array - arrays.data()));
  }
  return bytes;
}
Bytes copies_of(std::uint64_t generation, std::uint64_t half_bytes, std::uint64_t offset)
{
  Bytes bytes = header_of(Say::copies, generation);
  watch_link::CopiesRecord record{};
  record.half_bytes = half_bytes;
  record.offsets.fill(offset);
  watch_link::append(bytes, record);
  return bytes;
}

/// Files that a program may send in bad faith: only the last one is as it should be.
class BadFiles {
public:
  BadFiles()
  {
    files_.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
    files_.emplace_back(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
    files_.emplace_back(eventfd(0, EFD_CLOEXEC));
    files_.push_back(memory_file(8192, 0));             // may shrink while it is mapped
    files_.push_back(memory_file(100, F_SEAL_SHRINK));  // too small
    files_.push_back(memory_file(8192, F_SEAL_SHRINK | F_SEAL_GROW));
  }
  int number(std::size_t i) const { return files_[i % files_.size()].number(); }
  std::size_t size() const { return files_.size(); }
  int good() const { return files_.back().number(); }

private:
  static Descriptor memory_file(off_t bytes, int seals)
  {
    Descriptor file(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (ftruncate(file.number(), bytes) != 0) { throw std::runtime_error("ftruncate"); }
    if (seals != 0) { fcntl(file.number(), F_ADD_SEALS, seals); }
    return file;
  }
  std::vector<Descriptor> files_;
};

/// Looks at what the fake program said until it hung up, and reads all of it.
void look(Announced const& table)
{
  try {
    auto const source = connect(table);
    std::uint64_t sum = 0;
    for (int i = 0; i < 10 && source->alive(); ++i) {
      source->refresh();
      for (Array const& array : source->arrays()) {
        for (std::uint64_t at = 0; at < array.bytes; at += 512) { sum += static_cast<std::uint64_t>(array.data[at]); }
      }
      source->take_events();
    }
    volatile std::uint64_t const keep = sum;
    (void)keep;
    (void)source->manner();
  } catch (Error const&) {
  }
}

TEST(WatchRubbish, AViewerSurvivesItsPrograms)
{
  RuntimeFolder const folder;
  FakeProgram program(folder);
  BadFiles const files;
  std::size_t const before = open_descriptors();
  Random random(2);
  constexpr int rounds = 3000;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::pair<Bytes, std::vector<int>>> packets;
    std::uint64_t generation = 1;
    for (std::uint64_t i = random() % 8 + 1; i != 0; --i) {
      Bytes bytes;
      switch (packets.empty() ? 0 : random() % 8) {
        case 0: {
          std::vector<FakeArray> arrays(random() % 3 + 1);
          for (FakeArray& array : arrays) {
            if (random() % 3 == 0) { array.way = static_cast<watch_link::Way>(random() % 7); }
            if (random() % 5 == 0) { array.bytes = random() >> (random() % 64); }
            if (random() % 5 == 0) { array.offset = random() >> (random() % 64); }
            if (random() % 5 == 0) { array.allocation = random() >> (random() % 64); }
            if (random() % 5 == 0) { array.address = random() >> (random() % 64); }
          }
          bytes = table_of(generation++, arrays);
          break;
        }
        case 1:
          bytes = copies_of(generation - 1, random() % 2 == 0 ? 4096 : random(), random() % 2 == 0 ? 0 : random());
          break;
        case 2: bytes = header_of(Say::copied, generation - 1, random()); break;
        case 3: bytes = header_of(Say::permission, generation - 1, random() % 2); break;
        default: bytes = header_of(static_cast<Say>(random() % 9), random() % 3, random());
      }
      if (random() % 6 == 0) { spoil(bytes, random); }
      std::vector<int> descriptors(random() % 4);
      for (int& number : descriptors) { number = random() % 2 == 0 ? files.good() : files.number(random()); }
      packets.emplace_back(std::move(bytes), std::move(descriptors));
    }
    std::thread other([&] { program.serve(packets); });
    look(program.announced());
    other.join();
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(WatchRubbish, FilesThatCouldShrinkAreNotMapped)
{
  RuntimeFolder const folder;
  FakeProgram program(folder);
  BadFiles const files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::thread other([&] { program.serve({{table_of(1, {FakeArray{}}), {files.number(i)}}}); });
    bool const is_good = files.number(i) == files.good();
    auto const source = connect(program.announced());
    other.join();
    EXPECT_EQ(source->arrays().size(), is_good ? 1u : 0u) << i;
  }
}

TEST(WatchRubbish, MessagesThatLieAreRefused)
{
  auto const is_taken = [](std::vector<FakeArray> const& arrays, std::size_t descriptors,
                           std::string const& name = "a") {
    live::Packet packet;
    packet.bytes = table_of(1, arrays, name);
    for (std::size_t i = 0; i < descriptors; ++i) { packet.descriptors.emplace_back(eventfd(0, EFD_CLOEXEC)); }
    return live::parse_table(packet).has_value();
  };
  using watch_link::Way;
  EXPECT_TRUE(is_taken({FakeArray{}}, 1));
  EXPECT_TRUE(is_taken({FakeArray{}, FakeArray{}}, 2));
  EXPECT_FALSE(is_taken({FakeArray{}}, 0));      // the descriptor is missing
  EXPECT_FALSE(is_taken({{.bytes = 4097}}, 1));  // beyond its file
  EXPECT_FALSE(is_taken({{.bytes = 4000, .offset = 100}}, 1));
  EXPECT_FALSE(is_taken({{.bytes = 4000, .offset = ~std::uint64_t{0} - 3000}}, 1));  // the sum overflows
  EXPECT_FALSE(is_taken({{.bytes = 0}}, 1));
  EXPECT_FALSE(is_taken({{.bytes = ~std::uint64_t{0}, .allocation = ~std::uint64_t{0}}}, 1));
  EXPECT_TRUE(is_taken({{.way = Way::process, .address = 1 << 20}}, 0));
  EXPECT_FALSE(is_taken({{.way = Way::process, .address = ~std::uint64_t{0} - 100}}, 0));
  EXPECT_FALSE(is_taken({{.way = static_cast<Way>(77)}}, 0));
  EXPECT_FALSE(is_taken(std::vector<FakeArray>(17, {.way = Way::copy}), 0));  // too many
  EXPECT_FALSE(is_taken({FakeArray{}}, 1, ""));
  EXPECT_FALSE(is_taken({FakeArray{}}, 1, std::string(300, 'x')));

  live::Packet packet;
  packet.bytes = table_of(1, {{.way = Way::copy}}, "na\x01me \xff \xc3\xa4 \xed\xa0\x80");
  EXPECT_EQ(live::parse_table(packet)->name, "na?me ? \xc3\xa4 ???");
  for (std::size_t size = 0; size < packet.bytes.size(); ++size) {
    live::Packet cut;
    cut.bytes.assign(packet.bytes.begin(), packet.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(live::parse_table(cut).has_value()) << size;
  }
}

TEST(WatchRubbish, ASilentProgramIsGivenUp)
{
  RuntimeFolder const folder;
  FakeProgram const program(folder);  // it never accepts
  auto start = Clock::now();
  EXPECT_TRUE(announced().empty());
  EXPECT_LT(seconds_since(start), 0.5);
  start = Clock::now();
  EXPECT_THROW(connect(program.announced()), Error);
  EXPECT_LT(seconds_since(start), 1.5);
}

TEST(WatchRubbish, AProgramThatFloodsDoesNotHoldUpAViewer)
{
  RuntimeFolder const folder;
  FakeProgram program(folder);
  BadFiles const files;
  std::thread other([&] {
    std::vector<std::pair<Bytes, std::vector<int>>> packets{{table_of(1, {FakeArray{}}), {files.good()}}};
    for (int i = 0; i < 20000; ++i) { packets.emplace_back(header_of(Say::mark, 1), std::vector<int>{}); }
    program.serve(packets);
  });
  auto const source = connect(program.announced());
  source->take_events();
  double longest = 0.0;
  while (source->alive()) {
    auto const start = Clock::now();
    source->refresh();
    longest = std::max(longest, seconds_since(start));
    EXPECT_LE(source->take_events().size(), 65u);
  }
  other.join();
  EXPECT_LT(longest, 0.1);
}

}  // namespace
}  // namespace slotscape::watch::test
