#include "app/base/text.hpp"
#include "app/scenes/tune/gui.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/check.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr float button_height = 30.0f;
constexpr float chart_height = 84.0f;
constexpr std::size_t max_bins = 16;  ///< number of bars in a histogram of keys per home slot

/// Explains a sentence's figures and how they were measured.
std::string basis_of(tuning::Topic topic, tuning::Results const& results, tuning::Measured const& winner)
{
  using tuning::Topic;
  switch (topic) {
    case Topic::risk:
      return tr(
          "Builds of the table, each with different random keys; a build fails if any key gets no slot. The family "
          "guarantees builds up to the safe load.");
    case Topic::churn:
      return tr("All keys are replaced twice, the oldest first; lookups are timed before and after each round.");
    case Topic::keys:
      return tr(
          "How many of up to 2^20 keys share each home slot, and how many slots linear probing reads with them, "
          "compared with random homes.");
    default: break;
  }
  std::string const mix = mix_text(results.workload, results.match);
  std::string const rates =
      results.workload.join ? tr("Rows of both sides per second ({}), and bytes of the whole table per key.", mix)
                            : tr("Operations of the mix per second ({}), and bytes of the whole table per key.", mix);
  return fmt::format("{} {}", rates, what_was_timed(results, winner));
}

void sentence(Look const& look, tuning::Sentence const& sentence, std::string const& basis)
{
  bool const main = sentence.topic == tuning::Topic::choice;
  ImGui::PushStyleColor(ImGuiCol_Text, sentence.warns ? theme::warning : main ? theme::text : theme::text_dim);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(unbroken(sentence.text).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  if (!basis.empty()) { hint(look, basis); }
  ImGui::Dummy({0.0f, look(1.0f)});
}

void use_buttons(Look const& look, TuneState& state)
{
  std::optional<std::size_t> const winner = state.choice.winner;
  if (!winner) { return; }
  float const gap = ImGui::GetStyle().ItemSpacing.x;
  ImVec2 const size{(ImGui::GetContentRegionAvail().x - gap) / 2.0f, look(button_height)};
  if (primary_button("Use this", size)) {
    state.selected.reset();
    state.settings.view = TuneView::code;
  }
  hint(look, "The table as code: for this program's library, plain CUDA, cuCollections or WarpCore (U).");
  std::optional<std::size_t> const own = state.choice.own;  // tables of other libraries have no slots to show
  if (!own) { return; }
  ImGui::SameLine();
  if (text_button(own == winner ? "Open in slots" : "Open our best", size)) { state.ask(OpenInSlots{*own}); }
  hint(look, own == winner ? "Shows this table slot by slot, filled with these keys (Enter)."
                           : "Shows the best table of this program slot by slot, filled with these keys (Enter).");
}

void check_command(Look const& look, TuneState& state, tuning::Check const& check)
{
  if (check.command.empty()) { return remark(look, check.remark); }
  remark(look, "To check it:");
  ImGui::PushFont(look.font, look.small);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(check.command.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  hint(look, "Click to copy.");
  bool const clicked = ImGui::IsItemClicked();
  if (ImGui::SmallButton(translated_label("Copy").c_str()) || clicked) {
    ImGui::SetClipboardText(check.command.c_str());
    state.notice = tr("Copied the command.");
  }
  remark(look,
         fmt::format("{} {}", tr("It should report this {}: {}.", tuning::nearness_of(check), tuning::text_of(check)),
                     check.remark));
}

Chart uniformity_chart(tuning::HashUniformity const& hash, std::vector<std::uint32_t> const& homes)
{
  std::size_t const bins = std::min(homes.size(), max_bins);
  std::uint32_t const most = *std::ranges::max_element(homes);
  std::string const name(to_text(hash.hash));
  Chart chart{.id = "homes of " + name,
              .title = tr("{}: keys per home slot", name),
              .x = {translatable("keys per home slot"), {-0.5, static_cast<double>(bins) - 0.5}},
              .y = count_axis(translatable("homes"), most)};
  chart.series.push_back({translatable("home slots"), hash.bad() ? theme::warning : theme::accent, Bars{homes}});
  Line expected{.points = {}, .dots = true};
  for (std::size_t k = 0; k < std::min(bins, hash.expected.size()); ++k) {
    if (hash.expected[k] >= 0.5) { expected.points.push_back({static_cast<double>(k), hash.expected[k]}); }
  }
  chart.series.push_back({"Poisson", theme::theory, std::move(expected)});
  chart.reading = [&hash](Chart const&, ChartCursor const& cursor) {
    double const near = std::clamp(std::round(cursor.x), 0.0, static_cast<double>(hash.homes.size()) - 1.0);
    auto const k = static_cast<std::size_t>(near);
    double const wanted = k < hash.expected.size() ? hash.expected[k] : 0.0;
    bool const last = k + 1 == hash.homes.size();
    std::string const homes_of_k = grouped(hash.homes[k]);
    std::string const random = short_number(wanted);
    return last ? tr("{} keys or more: {} home slots\nrandom homes: {}", k, homes_of_k, random)
                : tr_plural("{} key: {} home slots\nrandom homes: {}", "{} keys: {} home slots\nrandom homes: {}", k, k,
                            homes_of_k, random);
  };
  return chart;
}

std::string uniformity_text(tuning::HashUniformity const& hash)
{
  std::string const slots = grouped(hash.slots);
  std::string const groups = grouped(hash.groups);
  std::string const chi_square =
      hash.z < 0.0
          ? tr("In a table of {} slots at α {:.2f}: χ² is {:.1f} standard deviations below that of random homes, "
               "over {} groups.",
               slots, hash.load(), -hash.z, groups)
          : tr("In a table of {} slots at α {:.2f}: χ² is {:.1f} standard deviations above that of random homes, "
               "over {} groups.",
               slots, hash.load(), hash.z, groups);
  return fmt::format("{} {}", chi_square,
                     tr("The fullest home has {} keys. The longest run of homes in use: {} slots; with random homes, "
                        "about {:.0f}. {} of the keys share their home; with random homes, {}.",
                        grouped(hash.fullest), grouped(hash.longest_run), hash.expected_longest_run,
                        percent(hash.shared), percent(hash.expected_shared)));
}

}  // namespace

void answer_panel(Look const& look, TuneState& state)
{
  heading(look, "ANSWER");
  if (!state.results || state.results->measured.empty()) {
    remark(look, state.sweeping ? translatable("Nothing has been measured yet.")
                                : translatable("Choose a preset or describe your workload, and press Start (Space)."));
    return;
  }
  if (state.sweeping) { remark(look, "Results so far:"); }
  if (!state.sweeping && !state.up_to_date()) {
    remark(look, tr("The settings of '{}' have changed since these results were measured. Start again to measure the "
                    "current ones.",
                    translated(state.results->workload.name)));
  }
  tuning::Measured const* const winner = state.measured(state.choice.winner);
  for (tuning::Sentence const& each : state.answer) {
    sentence(look, each, winner == nullptr ? "" : basis_of(each.topic, *state.results, *winner));
  }
  use_buttons(look, state);
  if (winner == nullptr || state.sweeping) { return; }
  check_command(look, state, tuning::check_of(*state.results, *winner));
}

void skipped_panel(Look const& look, TuneState const& state)
{
  if (!state.results || state.results->skipped.empty()) { return; }
  std::vector<tuning::Skipped> const& skipped = state.results->skipped;
  if (!disclosure(look, "WHAT WAS LEFT OUT, AND WHY")) { return; }
  ImGui::PushFont(look.font, look.small);
  if (ImGui::BeginTable("skipped", 2, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg)) {
    for (tuning::Skipped const& each : skipped) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextWrapped("%s", tuning::title_of(each.candidate).c_str());
      ImGui::TableNextColumn();
      ImGui::PushStyleColor(ImGuiCol_Text, theme::text_dim);
      ImGui::TextWrapped("%s", each.why.text().c_str());
      ImGui::PopStyleColor();
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void hashes_panel(Look const& look, TuneState const& state, Charts& charts)
{
  if (!state.results || state.results->hashes.empty()) { return; }
  heading(look, "YOUR KEYS UNDER EACH HASH");
  ImVec2 const size{ImGui::GetContentRegionAvail().x, look(chart_height)};
  for (std::size_t i = 0; i < state.results->hashes.size(); ++i) {
    tuning::HashUniformity const& hash = state.results->hashes[i];
    if (state.homes[i].empty()) { continue; }
    charts.draw(look, uniformity_chart(hash, state.homes[i]), size);
    std::string const verdict = tuning::verdict_of(hash);
    if (hash.bad()) {
      ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
      ImGui::TextWrapped("%s", verdict.c_str());
      ImGui::PopStyleColor();
    } else {
      remark(look, verdict);
    }
    hint(look, uniformity_text(hash));
  }
}

}  // namespace slotscape
