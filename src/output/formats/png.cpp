// Pictures as PNG, drawn by Cairo, which is looked for when the first picture is drawn: a program that loads it at its
// start would load the X11 libraries behind it too. See docs/decisions/0005.
#include <dlfcn.h>

#include <memory>
#include <numbers>

#include "base/error.h"
#include "output/plots/picture.h"

namespace raak {
namespace {

constexpr double pixels_a_unit = 2.0;

// What cairo.h defines (version 1.0 and later).
struct Surface;
struct Context;
struct TextExtents {
  double x_bearing = 0.0, y_bearing = 0.0, width = 0.0, height = 0.0, x_advance = 0.0, y_advance = 0.0;
};
using Write = int (*)(void* closure, const unsigned char* bytes, unsigned count);
constexpr int rgb24 = 1, not_slanted = 0, normal_weight = 0, bold_weight = 1, round_join = 1, success = 0;

// The functions of the library that we call, found by name.
class Cairo {
 public:
  // Null where the library is not there.
  static const Cairo* find() {
    static const std::unique_ptr<const Cairo> found = open();
    return found.get();
  }

  Surface* (*image_surface_create)(int format, int width, int height) = nullptr;
  void (*surface_destroy)(Surface*) = nullptr;
  int (*surface_write_to_png_stream)(Surface*, Write, void* closure) = nullptr;
  Context* (*create)(Surface*) = nullptr;
  void (*destroy)(Context*) = nullptr;
  void (*save)(Context*) = nullptr;
  void (*restore)(Context*) = nullptr;
  void (*scale)(Context*, double, double) = nullptr;
  void (*translate)(Context*, double, double) = nullptr;
  void (*rotate)(Context*, double) = nullptr;
  void (*set_source_rgb)(Context*, double, double, double) = nullptr;
  void (*paint)(Context*) = nullptr;
  void (*set_line_join)(Context*, int) = nullptr;
  void (*set_line_width)(Context*, double) = nullptr;
  void (*set_dash)(Context*, const double*, int, double) = nullptr;
  void (*new_path)(Context*) = nullptr;
  void (*move_to)(Context*, double, double) = nullptr;
  void (*line_to)(Context*, double, double) = nullptr;
  void (*stroke)(Context*) = nullptr;
  void (*select_font_face)(Context*, const char*, int slant, int weight) = nullptr;
  void (*set_font_size)(Context*, double) = nullptr;
  void (*text_extents)(Context*, const char*, TextExtents*) = nullptr;
  void (*show_text)(Context*, const char*) = nullptr;

 private:
  static std::unique_ptr<const Cairo> open() {
    void* const library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    auto made = std::make_unique<Cairo>();
    bool complete = true;
    const auto find = [&]<class Function>(const char* name, Function*& function) {
      function = reinterpret_cast<Function*>(dlsym(library, name));
      complete = complete && function != nullptr;
    };
    find("cairo_image_surface_create", made->image_surface_create);
    find("cairo_surface_destroy", made->surface_destroy);
    find("cairo_surface_write_to_png_stream", made->surface_write_to_png_stream);
    find("cairo_create", made->create);
    find("cairo_destroy", made->destroy);
    find("cairo_save", made->save);
    find("cairo_restore", made->restore);
    find("cairo_scale", made->scale);
    find("cairo_translate", made->translate);
    find("cairo_rotate", made->rotate);
    find("cairo_set_source_rgb", made->set_source_rgb);
    find("cairo_paint", made->paint);
    find("cairo_set_line_join", made->set_line_join);
    find("cairo_set_line_width", made->set_line_width);
    find("cairo_set_dash", made->set_dash);
    find("cairo_new_path", made->new_path);
    find("cairo_move_to", made->move_to);
    find("cairo_line_to", made->line_to);
    find("cairo_stroke", made->stroke);
    find("cairo_select_font_face", made->select_font_face);
    find("cairo_set_font_size", made->set_font_size);
    find("cairo_text_extents", made->text_extents);
    find("cairo_show_text", made->show_text);
    if (!complete) return nullptr;
    return made;
  }
};

class Canvas {
 public:
  Canvas(const Cairo& cairo, const Picture& picture)
      : cairo_(cairo),
        surface_(cairo.image_surface_create(rgb24, static_cast<int>(pixels_a_unit * picture.width),
                                            static_cast<int>(pixels_a_unit * picture.height)),
                 cairo.surface_destroy),
        context_(cairo.create(surface_.get()), cairo.destroy) {
    cairo.scale(c(), pixels_a_unit, pixels_a_unit);
    cairo.set_source_rgb(c(), 1.0, 1.0, 1.0);
    cairo.paint(c());
    cairo.set_line_join(c(), round_join);
    for (const PictureLine& line : picture.lines) draw(line);
    for (const PictureText& word : picture.texts) draw(word);
  }

  std::string png() const {
    std::string bytes;
    const Write append = [](void* text, const unsigned char* more, unsigned count) {
      static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(more), count);
      return success;
    };
    if (cairo_.surface_write_to_png_stream(surface_.get(), append, &bytes) != success)
      throw Error(ErrorKind::internal, "Cairo could not draw the picture");
    return bytes;
  }

 private:
  Context* c() const { return context_.get(); }

  void use(Colour colour) {
    const std::string& code = colour_code(colour);
    const auto part = [&](std::size_t at) { return std::stoi(code.substr(at, 2), nullptr, 16) / 255.0; };
    cairo_.set_source_rgb(c(), part(1), part(3), part(5));
  }

  void draw(const PictureLine& line) {
    use(line.colour);
    cairo_.set_line_width(c(), line.width);
    const std::vector<double>& dashes = dash_lengths(line.dashes);
    cairo_.set_dash(c(), dashes.data(), static_cast<int>(dashes.size()), 0.0);
    cairo_.new_path(c());
    for (std::size_t i = 0; i < line.x.size(); ++i) cairo_.line_to(c(), line.x[i], line.y[i]);
    cairo_.stroke(c());
  }

  void draw(const PictureText& word) {
    use(word.colour);
    cairo_.select_font_face(c(), "sans-serif", not_slanted, word.bold ? bold_weight : normal_weight);
    cairo_.set_font_size(c(), word.size);
    TextExtents extents;
    cairo_.text_extents(c(), word.text.c_str(), &extents);
    const double share = word.anchor == PictureText::Anchor::start ? 0.0
                         : word.anchor == PictureText::Anchor::end ? 1.0
                                                                   : 0.5;
    cairo_.save(c());
    cairo_.translate(c(), word.x, word.y);
    if (word.upright) cairo_.rotate(c(), -0.5 * std::numbers::pi);
    cairo_.move_to(c(), -share * extents.x_advance, 0.0);
    cairo_.show_text(c(), word.text.c_str());
    cairo_.restore(c());
  }

  const Cairo& cairo_;
  std::unique_ptr<Surface, void (*)(Surface*)> surface_;
  std::unique_ptr<Context, void (*)(Context*)> context_;
};

}  // namespace

bool can_write_png() {
  return Cairo::find() != nullptr;
}

std::string png_of(const Picture& picture) {
  if (!can_write_png()) throw Error(ErrorKind::request, "PNG needs the Cairo library: apt-get install libcairo2");
  return Canvas(*Cairo::find(), picture).png();
}

}  // namespace raak
