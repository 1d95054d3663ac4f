#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/shown_color.hpp"
#include "gpu/bench/memory_bench.hpp"
#include "gpu/bench/texels.hpp"
#include "gpu/engine/engine.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <cmath>

namespace slotscape {
namespace {

using bench::MemoryAccess;

constexpr std::uint32_t largest_side = 1024;  ///< texels along a side of a picture
constexpr std::uint64_t smallest_read = 128;  ///< bytes

/// Adapts a request so that its picture shows the whole table in at most `largest_side` columns.
PictureRequest whole_table(std::uint64_t slots, PictureRequest request)
{
  Grid const grid = Grid::of(slots, request.layout);
  while (grid.columns >> request.level > largest_side) { ++request.level; }
  request.width = grid.columns >> request.level;
  request.height = std::max(grid.rows >> request.level, 1u);
  return request;
}

/// Draws pictures of a filled table.
class FrameBench final : public CaseBench {
public:
  FrameBench(Backend backend, TableSettings const& settings, double load, std::vector<PictureRequest> const& pictures)
      : read_seconds_(read_seconds(backend, settings)),
        engine_(make_engine(backend, settings)),
        keys_(static_cast<std::uint64_t>(std::llround(load * static_cast<double>(engine_->table().slots))))
  {
    std::uint64_t most = 0;
    for (PictureRequest const& picture : pictures) {
      pictures_.push_back(whole_table(engine_->places(), picture));
      most = std::max(most, pictures_.back().texels());
    }
    texels_ = bench::make_texels(backend, most);
    engine_->record_recent(
        std::ranges::any_of(pictures_, [](auto const& picture) { return picture.color_by == ColorBy::recent; }));
  }

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    engine_->clear();
    engine_->set_keys({}, seed);
    for (std::uint64_t left = keys_; left != 0;) {
      if (progress.cancelled()) { return std::nullopt; }
      std::uint64_t const part = std::min(engine_->inserts_at_once(left), engine_->batch_limit());
      BatchReport const report = engine_->run(BatchRequest::inserts(part));
      require_right("insertions", report.outcomes[Outcome::inserted], part);
      left -= report.count;
    }
    std::vector<double> seconds;
    for (PictureRequest const& picture : pictures_) {
      if (progress.cancelled()) { return std::nullopt; }
      Snapshot const snapshot = engine_->analyse(picture, texels_->target());
      seconds.push_back(snapshot.seconds);
      check(snapshot.statistics, picture);
    }
    return seconds;
  }

  BenchRow facts(std::size_t part, double seconds) const override
  {
    return {{"load_factor", rounded(static_cast<double>(keys_) / static_cast<double>(engine_->table().slots))},
            {"texels", pictures_[part].texels()},
            {"table_bytes", engine_->memory_bytes()},
            {"read_ms", rounded(1e3 * read_seconds_)},
            {"percent_of_limit", rounded(100.0 * read_seconds_ / seconds, 4)}};
  }

private:
  /// The time to read the same number of bytes: a lower bound for a scan.
  static double read_seconds(Backend backend, TableSettings const& settings)
  {
    std::array const wanted{MemoryAccess::stream_read};
    std::uint64_t const bytes =
        std::max(bytes_of_pairs(settings, places_of(family_info(settings.family), settings)), smallest_read);
    bench::MemoryRates const rates = bench::measure_memory(backend, {bytes, 7, wanted}, {}).value();
    return static_cast<double>(bytes) / rates[static_cast<std::size_t>(MemoryAccess::stream_read)];
  }

  void check(Statistics const& statistics, PictureRequest const& picture) const
  {
    require_right("live slots in the statistics", statistics.live, keys_);
    require_right("measured keys", statistics.probe_length.count, keys_);
    std::uint64_t slots = 0;
    double live = 0.0;
    std::vector<Texel> const texels = texels_->read();
    for (std::uint64_t i = 0; i < picture.texels(); ++i) {
      slots += texels[i].slots;
      live += texels[i].slots * static_cast<double>(texels[i].shares & 0xffffu) / 0xffff;
    }
    std::uint64_t const all = engine_->places();
    require_right("slots in the picture", slots, all);
    double const rounding = static_cast<double>(all) / 0xffff + 1.0;  // the share in each texel is rounded
    bool const right = std::abs(live - static_cast<double>(keys_)) <= rounding;
    require_right("live slots in the picture", right ? keys_ : static_cast<std::uint64_t>(live), keys_);
  }

  double read_seconds_;
  std::unique_ptr<Engine> engine_;
  std::uint64_t keys_;
  std::vector<PictureRequest> pictures_;
  std::unique_ptr<bench::Texels> texels_;
};

/// Measures pictures of tables with all statistics.
class FrameMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "frame"; }
  std::string_view help() const override { return "from a table to its picture, against a plain read of the table"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("--families", typed_families_, "families, separated by commas: linear_probing")
        ->type_name("LIST");
    command.add_option("--slots", typed_slots_, "numbers of slots: 2^20,2^24")->type_name("LIST");
    command.add_option("--load", typed_loads_, "load factors: 0.5,0.9")->type_name("LIST");
    command
        .add_option("--colors", typed_colors_, "state,probe_length,cluster_length,recent,chain_length: probe_length")
        ->type_name("LIST");
    command.add_option("--layouts", typed_layouts_, "rows,hilbert: rows")->type_name("LIST");
    command.add_flag("--variants", variants_, "all colourings and layouts");
  }

  void interpret() override
  {
    families_ = read_names("--families", typed_families_, {"linear_probing"}, family_names());
    slots_ = read_counts("--slots", typed_slots_, {}, min_slots, max_slots);
    loads_ = read_loads(typed_loads_, {0.5, 0.9});
    colors_ = read_choices<ColorBy>("--colors", typed_colors_, usual<ColorBy>(ColorBy::probe_length));
    layouts_ = read_choices<Layout>("--layouts", typed_layouts_, usual<Layout>(Layout::rows));
  }

  BenchColumns columns() const override
  {
    return columns_of({"family", "slots", "asked_load", "color_by", "layout"},
                      {"load_factor", "texels", "table_bytes", "read_ms", "percent_of_limit"},
                      {"asked_load", "texels", "table_bytes"});
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<std::uint64_t> const usual_slots = backend == Backend::cuda
                                                       ? std::vector<std::uint64_t>{1u << 20, 1u << 24, 1u << 27}
                                                       : std::vector<std::uint64_t>{1u << 16, 1u << 20, 1u << 24};
    std::vector<BenchCase> cases;
    for (std::string const& family : families_) {
      FamilyInfo const& info = family_info(family);
      for (std::uint64_t const wanted : slots_.empty() ? usual_slots : slots_) {
        TableSettings const table{.family = family, .slots = suitable_slots(info.slot_counts, wanted)};
        for (double const load : loads_) { cases.push_back(case_of(backend, info, table, load)); }
      }
    }
    return cases;
  }

private:
  /// All values of an enum with --variants, otherwise only `one`.
  template <class Enum>
  std::vector<Enum> usual(Enum one) const
  {
    std::vector<Enum> all;
    for (auto const& name : enum_names<Enum>()) {
      if (variants_ || name.value == one) { all.push_back(name.value); }
    }
    return all;
  }

  BenchCase case_of(Backend backend, FamilyInfo const& info, TableSettings const& table, double load) const
  {
    BenchCase subject;
    subject.what = fmt::format("{}, {}, α {:.2f}", table.family, slots_text(table.slots), load);
    subject.identity = on_device(backend);
    subject.identity.update(BenchRow{{"family", table.family}, {"slots", table.slots}, {"asked_load", rounded(load)}});
    subject.work = static_cast<double>(table.slots);
    std::vector<PictureRequest> pictures;
    for (ColorBy const color : colors_) {
      if (!has_color(color, info, table)) { continue; }
      for (Layout const layout : layouts_) {
        pictures.push_back({.layout = layout, .color_by = color});
        subject.parts.push_back({{"color_by", to_text(color)}, {"layout", to_text(layout)}});
      }
    }
    double const safe = info.guarantees(table).safe_load;
    subject.obstacle = [=] {
      return load > safe ? fmt::format("random keys are guaranteed a slot only up to α {:.2f}", safe) : "";
    };
    subject.make = [=] { return std::make_unique<FrameBench>(backend, table, load, pictures); };
    return subject;
  }

  // options, as typed
  std::string typed_families_;
  std::string typed_slots_;
  std::string typed_loads_;
  std::string typed_colors_;
  std::string typed_layouts_;
  bool variants_ = false;

  std::vector<std::string> families_;
  std::vector<std::uint64_t> slots_;  ///< empty: the default sizes
  std::vector<double> loads_;
  std::vector<ColorBy> colors_;
  std::vector<Layout> layouts_;
};

}  // namespace

std::unique_ptr<Measurement> make_frame_measurement()
{
  return std::make_unique<FrameMeasurement>();
}

}  // namespace slotscape
