#include "app/scenes/sparse/convolver.hpp"

#include "gpu/base/device_lost.hpp"

#include <utility>

namespace slotscape {

SparseResult Convolver::compute(SparseQuery const& query, Progress const& progress)
{
  constexpr double loading_share = 0.5;
  bool const loads = loaded_ != query.source;
  if (loads) {
    sparse::validate(query.convolution);
    auto sites = std::make_shared<Sites const>(load_sites(query.source, progress.part(0.0, loading_share)));
    repeated_ = engine_->set_sites(sites->sites, sites->extents);
    sites_ = std::move(sites);
    loaded_ = query.source;
  }
  auto snapshot = engine_->update(query.convolution, progress.part(loads ? loading_share : 0.0, 1.0));
  if (!snapshot) { throw Cancelled(); }
  return {sites_, repeated_, *std::move(snapshot)};
}

LayerGrowth count_layers(sparse::SparseEngine& engine, LayersQuery const& query, Progress const& progress)
{
  constexpr double submanifold_share = 0.05;  // all its layers equal the first, the smallest of all
  LayerGrowth growth;
  sparse::SparseSettings settings = query.convolution;
  settings.search = sparse::Search::each;
  try {
    engine.set_sites(query.sites->sites, query.sites->extents);
    settings.mode = sparse::Mode::submanifold;
    settings.stride = 1;
    auto const layer = engine.layers(settings, 1, progress.part(0.0, submanifold_share));
    if (layer.empty()) { throw Cancelled(); }
    growth.submanifold.assign(static_cast<std::size_t>(query.layers), layer.front());
    settings.mode = sparse::Mode::sparse;
    settings.stride = query.convolution.stride;
    growth.full = engine.layers(settings, query.layers, progress.part(submanifold_share, 1.0));
  } catch (Cancelled const&) {
    throw;
  } catch (DeviceLost const&) {
    throw;
  } catch (Error const&) {
    // Reports only the layers that fit.
  }
  return growth;
}

}  // namespace slotscape
