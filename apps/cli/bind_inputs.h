// The files that `sinew bind` reads for methods that take more than numbers, and the field that it writes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session.h"
#include "sinew/bind.h"
#include "sinew/io.h"

namespace sinew::cli {

// Of the weight methods, for completion.
std::vector<std::string> method_names();

class BindInputFiles {
 public:
  BindInputFiles();
  ~BindInputFiles();

  void add_options(Command* command, Session& session);

  // Throws Error(usage) when a file was given that the method does not take: before any work.
  void check(const std::string& method) const;
  // Reads the files into `options`, which refer to this object from then on.
  void load(const Character& character, BindOptions& options, Session& session);
  // Writes the bound character, and the field where --field and --embed-field say. Returns what the format cannot hold.
  Warnings save(const Character& character, const BindReport& report, const std::string& output,
                const SaveOptions& options, const Session& session) const;

 private:
  struct Loaded;
  std::string pins_, body_, poses_, reference_, softness_, model_, checkpoint_, field_;
  bool embed_field_ = false;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace sinew::cli
