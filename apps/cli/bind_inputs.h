// The files that `sinew bind` reads for methods that take more than numbers, and the field that it writes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session.h"
#include "sinew/bind.h"

namespace sinew::cli {

class BindInputFiles {
 public:
  BindInputFiles();
  ~BindInputFiles();

  void add_options(Command& command);

  // Throws Error(usage) when a file was given that the method does not take: before any work.
  void check(const std::string& method) const;
  // Reads the files into `options`, which refer to this object from then on.
  void load(const Character& character, BindOptions& options, Session& session);
  // Writes the field where --field and --embed-field say. `output`: the bound character.
  void save_field(const BindReport& report, const std::string& output) const;

 private:
  struct Loaded;
  std::string pins_, body_, poses_, reference_, softness_, model_, checkpoint_, field_;
  bool embed_field_ = false;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace sinew::cli
