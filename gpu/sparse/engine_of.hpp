#pragma once

#include "gpu/base/device_lost.hpp"
#include "gpu/sparse/convolution.hpp"
#include "gpu/sparse/layer_work.hpp"
#include "gpu/sparse/ordering.hpp"

namespace slotscape::sparse {

template <exec::Executor Exec>
class SparseEngineOf final : public SparseEngine {
public:
  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return exec_.name(); }

  std::uint64_t set_sites(std::span<Site const> sites, Extents const& extents) override
  {
    require_sites(sites, extents);
    given_ = without_repetitions(sites, extents);
    tensor_ = {};
    tensor_.extents = extents;
    convolution_.reset();
    return sites.size() - given_.size();
  }
  Extents const& extents() const override { return tensor_.extents; }

  std::optional<SparseSnapshot> update(SparseSettings const& settings, Progress const& progress) override
  {
    convolution_.reset();
    bring_into_order(settings);
    auto convolution = convolve(tensor_, settings);
    if (!convolution->run(progress)) { return std::nullopt; }
    convolution_ = std::move(convolution);
    return convolution_->snapshot();
  }

  std::vector<SparseSnapshot> layers(SparseSettings const& settings, int count, Progress const& progress) override
  {
    convolution_.reset();
    bring_into_order(settings);
    std::vector<SparseSnapshot> layers;
    LayerWork work(settings, count);
    Tensor<Exec> reached;
    try {
      while (static_cast<int>(layers.size()) < count) {
        auto const layer = convolve(layers.empty() ? tensor_ : reached, settings);
        if (!layer->run(progress.part(work.done(), work.after_next()))) { break; }
        layers.push_back(layer->snapshot());
        work.add(layer->snapshot());
        if (settings.mode != Mode::submanifold) { reached = layer->take_reached(); }
        if (settings.mode == Mode::submanifold && reached.sites.empty()) { reached = copy_of(tensor_); }
      }
    } catch (DeviceLost const&) {
      throw;
    } catch (Error const&) {  // the tensor has grown too large
      if (layers.empty()) { throw; }
    }
    return layers;
  }

  InspectedTable& table() override { return result().table(); }
  std::vector<Site> const& inputs() const override { return result().input().sites; }
  std::vector<Site> const& outputs() const override { return result().output().sites; }
  Extents const& input_extents() const override { return result().input().extents; }
  Extents const& output_extents() const override { return result().output().extents; }
  Kernel const& kernel() const override { return result().kernel(); }
  std::vector<std::uint32_t> neighbours(std::uint32_t output) override
  {
    if (output >= result().output().sites.size()) { throw std::out_of_range("no such output"); }
    return result().neighbours(output);
  }
  std::vector<RowPair> pairs(std::uint32_t offset) override
  {
    if (offset >= result().kernel().offsets()) { throw std::out_of_range("no such offset"); }
    return result().pairs(offset);
  }

private:
  Convolution<Exec>& result() const
  {
    if (!convolution_) { throw std::logic_error("no results before the first update"); }
    return *convolution_;
  }

  void bring_into_order(SparseSettings const& settings)
  {
    validate(settings);
    if (given_.empty()) { throw Error("There are no sites: open a file, or choose a built-in shape."); }
    if (!tensor_.sites.empty() && order_ == settings.order) { return; }
    tensor_.sites = in_order(given_, tensor_.extents, settings.order);
    order_ = settings.order;
    upload(tensor_);
  }
  void upload(Tensor<Exec>& tensor)
  {
    tensor.on_device = typename Exec::template Buffer<Site>(exec_, tensor.sites.size());
    exec_.upload(tensor.on_device.data(), std::span<Site const>(tensor.sites));
  }
  Tensor<Exec> copy_of(Tensor<Exec> const& tensor)
  {
    Tensor<Exec> copy{tensor.sites, tensor.extents, {}};
    upload(copy);
    return copy;
  }

  std::unique_ptr<Convolution<Exec>> convolve(Tensor<Exec> const& tensor, SparseSettings const& settings)
  {
    Extents const& inputs = tensor.extents;
    Extents const outputs =
        settings.mode == Mode::submanifold ? inputs : kernel_of(settings, inputs).outputs_of(inputs);
    require_extents(outputs);
    if (fits_narrow(inputs) && fits_narrow(outputs)) {
      return std::make_unique<ConvolutionOf<Exec, Narrow>>(exec_, tensor, settings);
    }
    return std::make_unique<ConvolutionOf<Exec, Wide>>(exec_, tensor, settings);
  }

  Exec exec_;
  std::vector<Site> given_;
  Tensor<Exec> tensor_;
  Order order_ = Order::given;
  std::unique_ptr<Convolution<Exec>> convolution_;
};

}  // namespace slotscape::sparse
