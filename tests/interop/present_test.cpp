// The three ways of presenting give the same picture to the pixel.

#include "app/gl/context.hpp"
#include "app/gl/image.hpp"
#include "app/gl/texture.hpp"
#include "app/table_map/slot_map.hpp"
#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/interop/presenter.hpp"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {
namespace {

constexpr int side = 256;

struct Shown {
  PresentPath path;
  gl::Image image;
  Statistics statistics;
};

/// Keys go in one by one, so that every backend puts them in the same slots.
std::unique_ptr<Engine> make_table(Backend backend)
{
  std::unique_ptr<Engine> engine = make_engine(backend, {.slots = 4096});
  engine->record_recent(true);
  engine->set_keys({}, 5);
  for (int i = 0; i < 2800; ++i) { engine->run(BatchRequest::inserts(1)); }
  for (int i = 0; i < 600; ++i) { engine->run(BatchRequest::erases(1)); }
  return engine;
}

void read_buffer(unsigned buffer, void* to, std::uint64_t bytes)
{
  glBindBuffer(GL_COPY_READ_BUFFER, buffer);
  void const* const content = glMapBufferRange(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT);
  ASSERT_NE(content, nullptr);
  std::memcpy(to, content, bytes);
  glUnmapBuffer(GL_COPY_READ_BUFFER);
}

class PresentTest : public testing::Test {
protected:
  Shown show(Engine& engine, PresentChoice choice, ViewSettings const& view, double zoom)
  {
    std::unique_ptr<Presenter> const presenter = make_presenter(engine.backend(), choice);
    SlotMap map;
    Camera camera(Grid::of(engine.table().slots, view.layout), side, side);
    camera.look({.zoom = zoom});
    PictureRequest const request = camera.request(view);
    Shown shown{presenter->path(), {}, engine.analyse(request, presenter->map(bytes_of(request)).texels()).statistics};
    presenter->unmap(bytes_of(request));
    glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
    map.draw(presenter->buffer(), request, camera.placement(request), {view.palette, view.log_scale, 64.0},
             {0, 0, side, side}, side);
    context_->present();
    shown.image = gl::read_pixels(context_->framebuffer(), 0, 0, side, side);
    return shown;
  }

  /// Every colouring, layout and reduction, near and far, by `choice` on CUDA against the CPU's picture.
  void expect_the_cpus_pictures(PresentChoice choice, PresentPath path)
  {
    std::unique_ptr<Engine> const cpu = make_table(Backend::cpu);
    std::unique_ptr<Engine> const cuda = make_table(Backend::cuda);
    for (ColorBy const color_by : {ColorBy::state, ColorBy::probe_length, ColorBy::cluster_length, ColorBy::recent}) {
      for (Layout const layout : {Layout::rows, Layout::hilbert}) {
        for (Reduce const reduce : {Reduce::mean, Reduce::max}) {
          for (double const zoom : {0.05, 0.3, 1.0, 7.0}) {
            ViewSettings const view{.layout = layout, .color_by = color_by, .reduce = reduce};
            Shown const wanted = show(*cpu, PresentChoice::automatic, view, zoom);
            Shown const shown = show(*cuda, choice, view, zoom);
            EXPECT_EQ(shown.path, path);
            EXPECT_EQ(shown.image.pixels, wanted.image.pixels) << "zoom " << zoom;
            EXPECT_EQ(shown.statistics.probe_length.histogram, wanted.statistics.probe_length.histogram);
            EXPECT_EQ(shown.statistics.clusters.histogram, wanted.statistics.clusters.histogram);
          }
        }
      }
    }
  }

  std::unique_ptr<gl::Context> context_ = gl::open_offscreen({side, side});
};

TEST_F(PresentTest, StagingShowsWhatTheCpuShowsOnCuda)
{
  if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  expect_the_cpus_pictures(PresentChoice::staging, PresentPath::staging);
}

TEST_F(PresentTest, InteropShowsWhatTheCpuShowsOnCuda)
{
  if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  if (make_presenter(Backend::cuda, PresentChoice::automatic)->path() != PresentPath::interop) {
    GTEST_SKIP() << make_presenter(Backend::cuda, PresentChoice::automatic)->reason();
  }
  expect_the_cpus_pictures(PresentChoice::interop, PresentPath::interop);
}

/// Says how long it takes: shaders of desktops read the buffer where it is.
TEST_F(PresentTest, ShowingAPictureToShadersIsShortOnCuda)
{
  if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  std::unique_ptr<Presenter> const presenter = make_presenter(Backend::cuda, PresentChoice::automatic);
  if (presenter->path() != PresentPath::interop) { GTEST_SKIP() << presenter->reason(); }
  constexpr std::uint64_t texels = std::uint64_t{1920} * 1080;
  presenter->map(texels * sizeof(Texel));
  presenter->unmap(texels * sizeof(Texel));
  unsigned const buffer = presenter->buffer();
  gl::TexelTexture texture(gl::four_words);
  double best = 1.0;
  for (int round = 0; round < 10; ++round) {
    constexpr int times = 100;
    glFinish();
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) { texture.show(buffer, texels); }
    glFinish();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times);
  }
  std::printf("a picture of 1920x1080 texels is shown to shaders in %.1f us\n", 1e6 * best);
  EXPECT_LT(best, 30e-6);
}

TEST_F(PresentTest, PicturesOfAFrameArriveTogetherOnCuda)
{
  if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  Presenters presenters(Backend::cuda, PresentChoice::automatic);
  PictureRequest const request = Camera(Grid::of(4096, Layout::rows), side, side).request({});
  std::uint64_t const bytes = bytes_of(request);
  std::vector<std::unique_ptr<Engine>> tables;
  for (std::uint64_t const keys : {0u, 1000u, 4000u}) {
    tables.push_back(make_engine(Backend::cuda, {.slots = 4096}));
    tables.back()->run(BatchRequest::inserts(keys));
  }
  auto const write = [&](std::size_t picture, Engine& table) {
    table.analyse(request, presenters[picture].map(bytes).texels());
    presenters[picture].unmap(bytes);
  };
  auto const live_in = [&](std::size_t picture) {
    std::vector<Texel> texels(request.texels());
    read_buffer(presenters[picture].buffer(), texels.data(), bytes);
    double live = 0.0;
    for (Texel const& texel : texels) { live += (texel.shares & 0xffffu) / 65535.0 * texel.slots; }
    return live;
  };
  for (int frame = 0; frame < 3; ++frame) {
    write(0, *tables[2]);  // written twice before it is shown
    for (std::size_t i = 0; i < tables.size(); ++i) { write(i, *tables[i]); }
    for (std::size_t i = 0; i < tables.size(); ++i) {
      double const live = static_cast<double>(tables[i]->counts().live);
      EXPECT_NEAR(live_in(i), live, 0.01 * live) << "picture " << i;
    }
  }
}

TEST_F(PresentTest, PathsThatNeedCudaAreRefusedOnTheCpu)
{
  EXPECT_EQ(make_presenter(Backend::cpu, PresentChoice::automatic)->path(), PresentPath::host);
  EXPECT_THROW(make_presenter(Backend::cpu, PresentChoice::interop), Error);
  EXPECT_THROW(make_presenter(Backend::cpu, PresentChoice::staging), Error);
}

TEST(TwoGpus, TheAdviceNamesBothVariablesUnlessItCannotHelp)
{
  for (char const* renderer : {"Mesa Intel(R) Xe Graphics (TGL GT2)", "AMD Radeon 780M (radeonsi)", "llvmpipe"}) {
    std::string const advice = advice_on_two_gpus(renderer, false);
    EXPECT_NE(advice.find("__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia"), std::string::npos);
    EXPECT_EQ(advice_on_two_gpus(renderer, true), "") << "it was followed already";
  }
  EXPECT_EQ(advice_on_two_gpus("NVIDIA GeForce RTX 4070/PCIe/SSE2", false), "") << "OpenGL is on NVIDIA's GPU";
}

TEST_F(PresentTest, TheBufferGrowsAndIsMadeAnewWhereMuchLessWillDo)
{
  std::unique_ptr<Presenter> const presenter = make_presenter(Backend::cpu, PresentChoice::automatic);
  std::uint64_t const first = presenter->map(50000).bytes;
  presenter->unmap(50000);
  unsigned const buffer = presenter->buffer();
  EXPECT_EQ(presenter->map(100).bytes, first);
  presenter->unmap(100);
  EXPECT_EQ(presenter->buffer(), buffer);
  EXPECT_GE(presenter->map(200000).bytes, 200000u);
  std::uint64_t const large = presenter->map(64u << 20).bytes;
  EXPECT_GE(large, 64u << 20);
  EXPECT_EQ(presenter->map(9u << 20).bytes, large);
  EXPECT_GE(presenter->map(1u << 20).bytes, 1u << 20);
  EXPECT_LT(presenter->map(1u << 20).bytes, 2u << 20);
}

TEST_F(PresentTest, BytesOfAnyKindArriveInTheBuffer)
{
  std::unique_ptr<Presenter> const presenter = make_presenter(Backend::cpu, PresentChoice::automatic);
  std::vector<std::uint8_t> read(5);
  for (std::uint64_t const bytes : {5ull, 100'003ull, 5ull}) {  // small, grown, small again
    MappedMemory const memory = presenter->map(bytes);
    auto* const written = static_cast<std::uint8_t*>(memory.data);
    for (std::uint64_t i = 0; i < bytes; ++i) { written[i] = static_cast<std::uint8_t>(i * 7 + bytes); }
    presenter->unmap(bytes);
    read.resize(bytes);
    read_buffer(presenter->buffer(), read.data(), bytes);
    EXPECT_EQ(read, std::vector<std::uint8_t>(written, written + bytes));
  }
}

TEST_F(PresentTest, APictureThatNoMemoryHoldsIsAnErrorAndSmallerOnesAreShownAfterIt)
{
  std::unique_ptr<Presenter> const presenter = make_presenter(Backend::cpu, PresentChoice::automatic);
  EXPECT_THROW(presenter->map(1ull << 50), Error);
  EXPECT_GE(presenter->map(1000).bytes, 1000u);
  presenter->unmap(1000);
}

}  // namespace
}  // namespace slotscape
