#include "app/gui/renderer.hpp"

#include "app/gl/texture.hpp"

#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include <cstddef>
#include <cstdint>

namespace slotscape {
namespace {

constexpr ImGuiBackendFlags abilities = ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_RendererHasTextures;

unsigned name_of(ImTextureData const& texture)
{
  return static_cast<unsigned>(texture.TexID);
}

void destroy(ImTextureData& texture)
{
  unsigned const name = name_of(texture);
  glDeleteTextures(1, &name);
  texture.SetTexID(ImTextureID_Invalid);
  texture.SetStatus(ImTextureStatus_Destroyed);
}

/// Uploads the pixels of a rectangle to the bound texture.
void upload(ImTextureData& texture, int x, int y, int width, int height)
{
  glPixelStorei(GL_UNPACK_ROW_LENGTH, texture.Width);
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, texture.GetPixelsAt(x, y));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

/// Creates, updates or destroys the texture, as ImGui requests.
void update(ImTextureData& texture)
{
  if (texture.Status == ImTextureStatus_WantCreate) {
    texture.SetTexID(gl::make_texture(gl::rgba8, {texture.Width, texture.Height}, GL_LINEAR));
    upload(texture, 0, 0, texture.Width, texture.Height);
    texture.SetStatus(ImTextureStatus_OK);
  } else if (texture.Status == ImTextureStatus_WantUpdates) {
    glBindTexture(GL_TEXTURE_2D, name_of(texture));
    for (ImTextureRect const& part : texture.Updates) { upload(texture, part.x, part.y, part.w, part.h); }
    texture.SetStatus(ImTextureStatus_OK);
  } else if (texture.Status == ImTextureStatus_WantDestroy && texture.UnusedFrames > 0) {
    destroy(texture);
  }
}

template <class Each>
void fill(GLenum target, ImVector<Each> const& from)
{
  glBufferData(target, static_cast<GLsizeiptr>(from.size_in_bytes()), from.Data, GL_STREAM_DRAW);
}

}  // namespace

Renderer::Renderer()
    : vertices_(gl::Vertices::Each::vertex, sizeof(ImDrawVert),
                {{.count = 2, .at = offsetof(ImDrawVert, pos)},
                 {.count = 2, .at = offsetof(ImDrawVert, uv)},
                 {GL_UNSIGNED_BYTE, 4, gl::Attribute::As::shares, offsetof(ImDrawVert, col)}})
{
  glGenBuffers(1, &corners_);
  glGenBuffers(1, &elements_);
  ImGui::GetIO().BackendFlags |= abilities;
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Renderer_TextureMaxWidth = platform.Renderer_TextureMaxHeight = largest;
}

Renderer::~Renderer()
{
  for (ImTextureData* const texture : ImGui::GetPlatformIO().Textures) {
    if (texture->RefCount == 1) { destroy(*texture); }
  }
  ImGui::GetIO().BackendFlags &= ~abilities;
  glDeleteBuffers(1, &corners_);
  glDeleteBuffers(1, &elements_);
}

void Renderer::draw(ImDrawData const& data) const
{
  auto const [width, height] = data.DisplaySize;
  if (width < 1.0f || height < 1.0f) { return; }
  if (data.Textures != nullptr) {
    for (ImTextureData* const texture : *data.Textures) { update(*texture); }
  }
  glViewport(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height));
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_SCISSOR_TEST);
  program_.use();
  glm::mat4 const projection = glm::ortho(0.0f, width, height, 0.0f);
  glUniformMatrix4fv(program_.uniform("projection"), 1, GL_FALSE, glm::value_ptr(projection));
  glUniform1i(program_.uniform("image"), 0);
  for (ImDrawList const* const list : data.CmdLists) { draw(*list, height); }
  gl::Vertices::unbind();
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
}

void Renderer::draw(ImDrawList const& list, float height) const
{
  static_assert(sizeof(ImDrawIdx) == 2);
  vertices_.bind(corners_);
  fill(GL_ARRAY_BUFFER, list.VtxBuffer);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements_);
  fill(GL_ELEMENT_ARRAY_BUFFER, list.IdxBuffer);
  unsigned first_corner = 0;
  for (ImDrawCmd const& command : list.CmdBuffer) {
    auto const [left, top, right, bottom] = command.ClipRect;
    if (command.UserCallback != nullptr || right <= left || bottom <= top) { continue; }
    if (command.VtxOffset != first_corner) {  // WebGL has no glDrawElementsBaseVertex
      first_corner = command.VtxOffset;
      vertices_.bind(corners_, std::uint64_t{first_corner} * sizeof(ImDrawVert));
    }
    glScissor(static_cast<int>(left), static_cast<int>(height - bottom), static_cast<int>(right - left),
              static_cast<int>(bottom - top));
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(command.GetTexID()));
    // NOLINTNEXTLINE(performance-no-int-to-ptr): to OpenGL, an offset is a pointer
    auto* const element = reinterpret_cast<void const*>(std::uintptr_t{command.IdxOffset} * sizeof(ImDrawIdx));
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount), GL_UNSIGNED_SHORT, element);
  }
}

}  // namespace slotscape
