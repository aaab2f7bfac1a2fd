// Feeds the reader of SkinCells fields arbitrary bytes; what it accepts must evaluate without harm.
#include <span>

#include "sinew/base/error.h"
#include "sinew/weights/skincells_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sinew::SkinCellField field = sinew::read_field(std::as_bytes(std::span(data, size)));
    if (field.cell_count() <= 256) sinew::evaluate_field(field, {sinew::Vec3f(0, 0, 0), sinew::Vec3f(1, 2, 3)});
  } catch (const sinew::Error& error) {
    if (error.kind() != sinew::ErrorKind::bad_input) throw;
  }
  return 0;
}
