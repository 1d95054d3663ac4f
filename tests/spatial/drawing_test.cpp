// What kernels draw, against lines of sight followed one by one in double precision.

#include "gpu/spatial/drawing.hpp"
#include "tests/spatial/spatial_fixture.hpp"

#if SLOTSCAPE_HAS_CUDA
#include "gpu/execution/cuda_error.hpp"
#endif

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace slotscape::spatial::testing {
namespace {

constexpr std::uint32_t width = 240;
constexpr std::uint32_t height = 160;
constexpr VoxelGrid drawn_grid{64, 2.0f};

/// `Drawing`: an engine or a painter.
template <class Drawing>
std::vector<CanvasTexel> drawn(Drawing& drawing, Backend backend, DrawingRequest const& request)
{
  std::vector<CanvasTexel> texels(request.texels());
  if (backend == Backend::cpu) {
    drawing.draw(request, texels.data());
    return texels;
  }
#if SLOTSCAPE_HAS_CUDA
  CanvasTexel* device = nullptr;
  std::size_t const bytes = texels.size() * sizeof(CanvasTexel);
  SLOTSCAPE_CUDA_CHECK(cudaMalloc(&device, bytes));
  drawing.draw(request, device);
  SLOTSCAPE_CUDA_CHECK(cudaMemcpy(texels.data(), device, bytes, cudaMemcpyDeviceToHost));
  SLOTSCAPE_CUDA_CHECK(cudaFree(device));
#endif
  return texels;
}

/// Looks at the origin from there.
DrawingRequest seen_from(Vector eye)
{
  Vector const forward = normalized(-1.0f * eye);
  Vector const right = normalized(cross(forward, {0.0f, 0.0f, 1.0f}));
  DrawingRequest request;
  request.sight = {.eye = eye,
                   .right = right,
                   .up = cross(right, forward),
                   .forward = forward,
                   .pixels_per_unit = 420.0f,
                   .near = 0.01f,
                   .width = width,
                   .height = height};
  request.colors.paint_by = PaintBy::model;
  request.colors.models = {Vector{1.0f, 0.0f, 0.0f}, Vector{0.0f, 0.0f, 1.0f}};
  request.colors.key_light = right;
  request.voxel = drawn_grid.voxel();
  return request;
}

std::vector<Instance> random_voxels(std::size_t count, Model model, unsigned seed)
{
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::uint32_t> at(0, drawn_grid.side - 1);
  auto const middle = [&] { return static_cast<float>(at(random)) + 0.5f; };
  std::vector<Instance> voxels;
  for (std::size_t i = 0; i < count; ++i) {
    voxels.push_back({drawn_grid.to_world({middle(), middle(), middle()}), model == Model::b ? Paint::model_b : 0u, 0});
  }
  return voxels;
}

/// The depth at which the line of sight through the middle of a pixel enters a cube from outside; infinite if it does
/// not.
double entry(Sight const& sight, std::uint32_t column, std::uint32_t row, Vector center, double half)
{
  double const across = (column + 0.5 - width / 2.0) / static_cast<double>(sight.pixels_per_unit);
  double const down = (row + 0.5 - height / 2.0) / static_cast<double>(sight.pixels_per_unit);
  double enters = -std::numeric_limits<double>::infinity();
  double leaves = std::numeric_limits<double>::infinity();
  for (float Vector::*axis : {&Vector::x, &Vector::y, &Vector::z}) {
    double const direction = static_cast<double>(sight.forward.*axis) +
                             across * static_cast<double>(sight.right.*axis) -
                             down * static_cast<double>(sight.up.*axis);
    double const from_eye = static_cast<double>(center.*axis) - static_cast<double>(sight.eye.*axis);
    double const a = (from_eye - half) / direction;
    double const b = (from_eye + half) / direction;
    enters = std::max(enters, std::min(a, b));
    leaves = std::min(leaves, std::max(a, b));
  }
  bool const meets = enters <= leaves && enters >= static_cast<double>(sight.near);
  return meets ? enters : std::numeric_limits<double>::infinity();
}

class DrawingTest : public SpatialTest {
protected:
  void SetUp() override
  {
    SpatialTest::SetUp();
    if (!IsSkipped()) { painter_ = make_instance_painter(GetParam()); }
  }
  void set(std::vector<Instance> const& a, std::vector<Instance> const& b)
  {
    painter_->set(Model::a, a, a.size());
    painter_->set(Model::b, b, b.size());
  }
  std::vector<CanvasTexel> draw(DrawingRequest const& request) { return drawn(*painter_, GetParam(), request); }

  std::unique_ptr<InstancePainter> painter_;
};

/// From afar, where a thread draws a voxel (but none of them is so small that it becomes a square), to among them,
/// where one can fill the canvas and takes a block.
TEST_P(DrawingTest, EachPixelShowsTheNearestVoxelOnItsLineOfSight)
{
  std::vector<Instance> const a = random_voxels(300, Model::a, 1);
  std::vector<Instance> const b = random_voxels(300, Model::b, 2);
  set(a, b);
  for (Vector const eye : {Vector{2.1f, -1.2f, 0.9f}, Vector{0.9f, 0.7f, -0.6f}, Vector{0.11f, 0.23f, 0.05f}}) {
    DrawingRequest const request = seen_from(eye);
    std::vector<CanvasTexel> const texels = draw(request);
    int differ = 0;
    int covered = 0;
    for (std::uint32_t row = 0; row < height; ++row) {
      for (std::uint32_t column = 0; column < width; ++column) {
        double nearest = std::numeric_limits<double>::infinity();
        bool of_b = false;
        for (auto const* voxels : {&a, &b}) {
          for (Instance const& voxel : *voxels) {
            double const distance = static_cast<double>(dot(voxel.position - eye, request.sight.forward));
            double const pixels = static_cast<double>(drawn_grid.voxel() * request.sight.pixels_per_unit) / distance;
            double const t = std::clamp((pixels - 10.0) / 20.0, 0.0, 1.0);
            double const gap = 0.05 * t * t * (3.0 - 2.0 * t);
            double const half = 0.5 * static_cast<double>(drawn_grid.voxel()) * (1.0 - gap);
            double const at = entry(request.sight, column, row, voxel.position, half);
            if (at < nearest) {
              nearest = at;
              of_b = voxels == &b;
            }
          }
        }
        CanvasTexel const texel = texels[std::size_t{row} * width + column];
        bool const hit = nearest < std::numeric_limits<double>::infinity();
        covered += hit ? 1 : 0;
        double const depth = static_cast<double>(request.sight.near) / nearest;
        bool const blue = (texel.color >> 16 & 0xffu) > (texel.color & 0xffu);
        bool const same = (texel.color >> 24 == (hit ? 255u : 0u)) &&
                          (!hit || (blue == of_b && std::abs(static_cast<double>(texel.depth) - depth) < 1e-4 * depth));
        differ += same ? 0 : 1;
      }
    }
    EXPECT_GT(covered, 2000);
    EXPECT_LE(differ, covered / 500) << "of " << covered;  // whose line touches an edge
  }
}

TEST_P(DrawingTest, SmoothPicturesCoverPartsOfPixels)
{
  set(random_voxels(200, Model::a, 3), {});
  DrawingRequest request = seen_from({1.6f, 1.2f, 0.4f});
  auto const coverage = [&] {
    double sum = 0.0;
    int parts = 0;
    for (CanvasTexel const& texel : draw(request)) {
      sum += static_cast<double>(texel.color >> 24) / 255.0;
      parts += texel.color >> 24 != 0 && texel.color >> 24 != 255 ? 1 : 0;
      EXPECT_EQ(texel.depth > 0.0f, texel.color >> 24 != 0);
    }
    return std::pair(sum, parts);
  };
  auto const [rough, rough_parts] = coverage();
  request.smooth = true;
  auto const [smooth, smooth_parts] = coverage();
  EXPECT_EQ(rough_parts, 0);
  EXPECT_GT(smooth_parts, 300);
  EXPECT_NEAR(smooth, rough, 0.02 * rough);
}

TEST_P(DrawingTest, GhostsAreLaidOverWhatIsBehindThem)
{
  Instance const near{{0.3f, 0.0f, 0.0f}, 0, 0};
  Instance const far{{-0.3f, 0.0f, 0.0f}, Paint::model_b, 0};
  DrawingRequest request = seen_from({2.0f, 0.0f, 0.0f});
  request.kind = InstanceKind::points;
  request.diameter = 0.2f;
  request.ghost_alpha = 0.5f;
  auto const middle = [&] { return draw(request)[std::size_t{height / 2} * width + width / 2]; };
  auto const channel = [](CanvasTexel texel, int shift) { return static_cast<int>(texel.color >> shift & 0xffu); };
  painter_->set(Model::a, std::array{near}, 0);
  painter_->set(Model::b, std::array{far}, 1);
  CanvasTexel const before = middle();
  EXPECT_EQ(channel(before, 24), 255);
  EXPECT_NEAR(channel(before, 0), channel(before, 16), 40) << "half of each colour";
  EXPECT_GT(channel(before, 0), 40);
  painter_->set(Model::b, {}, 0);
  EXPECT_NEAR(channel(middle(), 24), 128, 1);
  EXPECT_EQ(middle().depth, 0.0f);
  painter_->set(Model::a, std::array{near}, 1);
  painter_->set(Model::b, std::array{far}, 0);
  EXPECT_EQ(channel(middle(), 16), 0) << "a ghost behind what is shown is hidden";
}

TEST_P(DrawingTest, NothingIsDrawnBehindTheEyeOrWithoutACanvas)
{
  set({{{3.0f, 0.0f, 0.0f}, 0, 0}}, {});
  DrawingRequest request = seen_from({2.0f, 0.0f, 0.0f});
  for (InstanceKind const kind : {InstanceKind::voxels, InstanceKind::points}) {
    request.kind = kind;
    for (CanvasTexel const& texel : draw(request)) { ASSERT_EQ(texel.color, 0u); }
  }
  request.sight.width = 0;
  EXPECT_TRUE(draw(request).empty());
}

/// What the engine shows of two models: its own picture, and its instances.
struct Shown {
  std::vector<CanvasTexel> picture;
  PerModel<std::vector<Instance>> instances;
  PerModel<std::uint64_t> shown;
};

DrawingRequest request_of_probes()
{
  DrawingRequest request = seen_from({1.6f, 1.2f, 0.7f});
  request.smooth = true;
  request.ghost_alpha = 0.1f;
  request.colors.paint_by = PaintBy::points;
  request.colors.log_scale = true;
  request.colors.scale_max = 30.0f;
  for (std::uint32_t i = 0; i < 256; ++i) { request.colors.palette[i] = i | (255 - i) << 8; }
  return request;
}

Shown shown_by_cpu()
{
  auto const engine = make_spatial_engine(Backend::cpu);
  engine->set_model(Model::a, torus(60'000, 0.6f, 0.2f).view());
  engine->set_model(Model::b, sphere(40'000, 0.5f).view());
  engine->update({.grid = drawn_grid}, {}, Boolean::a_minus_b);
  InstanceRequest const what{InstanceKind::voxels, PaintBy::points, Boolean::a_minus_b};
  engine->show_instances(what);
  Shown shown{drawn(*engine, Backend::cpu, request_of_probes()), {}, {}};
  for (Model const model : {Model::a, Model::b}) {
    shown.instances[model].resize(engine->instances(model, what.kind));
    shown.shown[model] = engine->write_instances(model, what, shown.instances[model].data());
  }
  return shown;
}

/// How many texels differ; colours by more than their last bit, because logarithms do that.
int differing(std::vector<CanvasTexel> const& first, std::vector<CanvasTexel> const& second)
{
  int differ = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    bool same = first[i].depth == second[i].depth;
    for (int shift = 0; shift < 32; shift += 8) {
      int const a = static_cast<int>(first[i].color >> shift & 0xffu);
      int const b = static_cast<int>(second[i].color >> shift & 0xffu);
      same = same && std::abs(a - b) <= 1;
    }
    differ += same ? 0 : 1;
  }
  return differ;
}

/// Both backends compute the same numbers, so they draw the same picture.
TEST_P(DrawingTest, AnEnginesPictureIsThatOfItsInstances)
{
  Shown const shown = shown_by_cpu();
  for (Model const model : {Model::a, Model::b}) {
    ASSERT_GT(shown.shown[model], 100u);
    ASSERT_LT(shown.shown[model], shown.instances[model].size());
    painter_->set(model, shown.instances[model], shown.shown[model]);
  }
  EXPECT_EQ(differing(draw(request_of_probes()), shown.picture), 0);
}

SLOTSCAPE_SPATIAL_ON_EVERY_BACKEND(DrawingTest);

}  // namespace
}  // namespace slotscape::spatial::testing
