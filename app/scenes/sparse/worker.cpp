#include "app/scenes/sparse/worker.hpp"

#include <chrono>
#include <utility>

namespace slotscape {
namespace {

constexpr double loading_share = 0.5;

template <class T>
bool ended(std::future<T> const& work)
{
  return work.valid() && work.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

SparseWorker::SparseWorker(Backend backend)
    : engine_(sparse::make_sparse_engine(backend)), second_engine_(sparse::make_sparse_engine(backend))
{
}

SparseWorker::~SparseWorker()
{
  cancel();
  if (growth_.valid()) { growth_.wait(); }
  if (work_.valid()) { work_.wait(); }
}

void SparseWorker::start(Wish const& wish)
{
  growth_progress_.cancel();
  next_ = wish;
  if (busy()) { return progress_.cancel(); }  // `take_result` goes on with the next one
  next_.reset();
  progress_ = Progress::tracked();
  work_ = std::async(std::launch::async, [this, wish, progress = progress_] { return run(wish, progress); });
}

void SparseWorker::cancel()
{
  next_.reset();
  progress_.cancel();
  growth_progress_.cancel();
}

void SparseWorker::wait(std::optional<double> seconds)
{
  if (!work_.valid()) { return; }
  if (seconds) {
    work_.wait_for(std::chrono::duration<double>(*seconds));
  } else {
    work_.wait();
  }
}

void SparseWorker::wait_for_growth()
{
  if (growth_.valid()) { growth_.wait_for(std::chrono::milliseconds(50)); }
}

SparseWorker::Result SparseWorker::run(Wish const& wish, Progress const& progress)
{
  Result result{.wish = wish, .sites = nullptr, .snapshot = {}, .error = nullptr};
  try {
    bool const loads = loaded_ != wish.source;
    if (loads) {
      sparse::validate(wish.convolution);
      auto sites = std::make_shared<Sites const>(load_sites(wish.source, progress.part(0.0, loading_share)));
      repeated_ = engine_->set_sites(sites->sites, sites->extents);
      sites_ = std::move(sites);
      loaded_ = wish.source;
    }
    result.snapshot = engine_->update(wish.convolution, progress.part(loads ? loading_share : 0.0, 1.0));
    if (!result.snapshot) { throw Cancelled(); }
    result.sites = sites_;
    result.repeated = repeated_;
  } catch (...) {
    result.error = std::current_exception();
  }
  return result;
}

std::optional<SparseWorker::Result> SparseWorker::take_result()
{
  if (!ended(work_)) { return std::nullopt; }
  Result result = work_.get();
  if (next_) {
    start(*std::exchange(next_, std::nullopt));
    return std::nullopt;
  }
  if (!result.error) { count_layers(result.wish); }
  return result;
}

void SparseWorker::count_layers(Wish const& wish)
{
  growth_progress_.cancel();
  if (growth_.valid()) { growth_.wait(); }
  if (wish.layers == 0) {
    growth_ = {};
    return;
  }
  growth_progress_ = Progress::tracked();
  growth_ = std::async(std::launch::async, [this, wish, sites = sites_, progress = growth_progress_] {
    LayerGrowth growth;
    sparse::SparseSettings settings = wish.convolution;
    settings.search = sparse::Search::each;
    settings.stride = 1;
    try {
      second_engine_->set_sites(sites->sites, sites->extents);
      settings.mode = sparse::Mode::submanifold;
      auto const layer = second_engine_->layers(settings, 1, progress);
      progress.require();  // a cancelled count has no layer
      growth.submanifold.assign(static_cast<std::size_t>(wish.layers), layer.front());  // each is like the first
      settings.mode = sparse::Mode::sparse;
      growth.full = second_engine_->layers(settings, wish.layers, progress);
      progress.require();
    } catch (Cancelled const&) {
      return std::optional<LayerGrowth>();
    } catch (Error const&) {
      // The layers that fit are told, and the rest is not.
    }
    return std::optional(std::move(growth));
  });
}

std::optional<LayerGrowth> SparseWorker::take_growth()
{
  if (!ended(growth_)) { return std::nullopt; }
  return growth_.get();
}

}  // namespace slotscape
