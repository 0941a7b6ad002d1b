// Pictures as PNG, drawn by Cairo. See docs/decisions/0005.
#include "output/plots/picture.h"

#ifdef RAAK_CAIRO
#include <cairo.h>
#endif

#include <memory>

#include "base/error.h"

namespace raak {

#ifdef RAAK_CAIRO

namespace {

constexpr double pixels_a_unit = 2.0;

void use(cairo_t* c, Colour colour) {
  const std::string& code = colour_code(colour);
  const auto part = [&](std::size_t at) { return std::stoi(code.substr(at, 2), nullptr, 16) / 255.0; };
  cairo_set_source_rgb(c, part(1), part(3), part(5));
}

void draw(cairo_t* c, const PictureLine& line) {
  use(c, line.colour);
  cairo_set_line_width(c, line.width);
  const std::vector<double>& dashes = dash_lengths(line.dashes);
  cairo_set_dash(c, dashes.data(), static_cast<int>(dashes.size()), 0.0);
  cairo_new_path(c);
  for (std::size_t i = 0; i < line.x.size(); ++i) cairo_line_to(c, line.x[i], line.y[i]);
  cairo_stroke(c);
}

void draw(cairo_t* c, const PictureText& word) {
  use(c, word.colour);
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         word.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(c, word.size);
  cairo_text_extents_t extents{};
  cairo_text_extents(c, word.text.c_str(), &extents);
  const double share = word.anchor == PictureText::Anchor::start ? 0.0
                       : word.anchor == PictureText::Anchor::end ? 1.0
                                                                 : 0.5;
  cairo_save(c);
  cairo_translate(c, word.x, word.y);
  if (word.upright) cairo_rotate(c, -1.5707963267948966);
  cairo_move_to(c, -share * extents.x_advance, 0.0);
  cairo_show_text(c, word.text.c_str());
  cairo_restore(c);
}

cairo_status_t append(void* text, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

bool can_write_png() {
  return true;
}

std::string png_of(const Picture& picture) {
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(pixels_a_unit * picture.width),
                                 static_cast<int>(pixels_a_unit * picture.height)),
      cairo_surface_destroy);
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> context(cairo_create(surface.get()), cairo_destroy);
  cairo_t* const c = context.get();
  cairo_scale(c, pixels_a_unit, pixels_a_unit);
  cairo_set_source_rgb(c, 1.0, 1.0, 1.0);
  cairo_paint(c);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
  for (const PictureLine& line : picture.lines) draw(c, line);
  for (const PictureText& word : picture.texts) draw(c, word);
  std::string bytes;
  if (cairo_surface_write_to_png_stream(surface.get(), append, &bytes) != CAIRO_STATUS_SUCCESS) {
    throw Error(ErrorKind::internal, "Cairo could not draw the picture");
  }
  return bytes;
}

#else

bool can_write_png() {
  return false;
}

std::string png_of(const Picture&) {
  throw Error(ErrorKind::request, "this raak was built without Cairo and writes no PNG");
}

#endif

}  // namespace raak
