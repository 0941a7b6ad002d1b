// What stands behind raak::Model: where it comes from, the values that were set, and what was made of them.
#pragma once
#include <raak/model.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/owned_mutex.h"
#include "api/results/columns.h"
#include "api/translate.h"
#include "base/parameters.h"
#include "kinematics/model.h"
#include "run/asked_start.h"
#include "run/kept_method.h"

namespace raak_v0::detail {

// A model with its values, shared by runs and results: changed by set() only while no other has it.
struct BuiltModel {
  std::shared_ptr<const core::ModelSource> source;
  core::Parameters parameters;
  core::Model model;
  core::State start;
  std::shared_ptr<const Columns> columns;
  std::shared_ptr<const BuiltModel> origin = {};  // whose system this is too, so that nobody changes it
  std::shared_ptr<core::KeptMethod> method = std::make_shared<core::KeptMethod>();
};

// Finds its start. `run`: the name of what will be run.
std::shared_ptr<BuiltModel> ready(std::shared_ptr<const core::ModelSource> source, core::Parameters parameters,
                                  core::Model model, const std::string& run);

std::vector<core::StartValue> start_values(const std::vector<Setting>& settings);

// The same with the start values among the options, if there are any.
std::shared_ptr<const BuiltModel> restarted(std::shared_ptr<const BuiltModel> built, const Options& options);

// Many may read a model at once; whoever changes it must be alone, and is refused to read it meanwhile.
class Use {
 public:
  void begin_reading();
  void end_reading() { --state_; }
  bool try_changing();
  void end_changing();

 private:
  std::atomic<int> state_ = 0;  // readers; -1: it is being changed
  std::atomic<std::thread::id> changing_;
};

using TextSettings = std::vector<std::pair<std::string, std::string>>;

// What copies of a model have built and left: the next copy changes its numbers, which takes a hundredth of recording
// and emitting it again. A copy never shows in its bits whether it has taken one: what it builds itself begins with the
// numbers of the model that it is a copy of.
class Spares {
 public:
  void leave(const std::string& key, std::shared_ptr<BuiltModel> built);
  // Null: there is none.
  std::shared_ptr<BuiltModel> take(const std::string& key);

 private:
  std::mutex leaving_;
  std::multimap<std::string, std::shared_ptr<BuiltModel>> left_;
};

class ModelData {
 public:
  // `file`: whose parameters these are, where the model adds something to what a file says; null: the source itself.
  explicit ModelData(core::ModelSource source, Elements elements = {},
                     std::shared_ptr<const core::ModelSource> file = {});
  ~ModelData();
  ModelData(const ModelData&) = delete;
  ModelData& operator=(const ModelData&) = delete;
  // With a life of its own.
  std::unique_ptr<ModelData> copy() const;

  const core::ModelSource& source() const { return *source_; }
  const Elements& elements() const { return elements_; }
  // Of its file, from the root, wherever the program goes later.
  const std::string& path() const { return path_; }
  // One of the catalogue, which its name stands for.
  bool is_built_in() const { return built_in_; }
  void be_built_in() { built_in_ = true; }

  // While it lives, nobody changes the model.
  class Reading {
   public:
    explicit Reading(const ModelData& data) : data_(&data) { data.use_.begin_reading(); }
    ~Reading() {
      if (data_ != nullptr) data_->use_.end_reading();
    }
    Reading(Reading&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    const ModelData* data_;
  };

  // As set; those of a run on top of the defaults, below what was set.
  core::Parameters parameters(const core::Run& run) const { return with(run, settings_); }
  const TextSettings& settings() const { return settings_; }
  // Of the first run; those that are defined by others follow them.
  core::Parameters values() const;
  // Made at the first request and kept. `form`: see core::ModelSource::build.
  std::shared_ptr<const BuiltModel> built(const core::Run& run, core::Form form) const;
  // All or none of them.
  void set(const TextSettings& values);

 private:
  core::Parameters with(const core::Run& run, const TextSettings& settings) const;
  // The one place where values become a model.
  std::shared_ptr<BuiltModel> build(const core::Run& run, core::Form form, const core::Parameters& parameters) const;
  // Without building anything; false: not possible.
  bool set_in_place(const TextSettings& values);
  std::string key_of(const core::Run& run, core::Form form) const;
  // Of the first run with these names set.
  std::string key_of_spare(const TextSettings& settings) const;
  // What was built before, where nobody has it any more; null: somebody has, or it cannot be changed.
  std::shared_ptr<BuiltModel> changed_earlier(const TextSettings& settings);
  // For a copy, of which others have what was built: changed from one that nobody else has; null: it must be built.
  std::shared_ptr<BuiltModel> changed_twin(const TextSettings& values, const TextSettings& settings) const;

  std::shared_ptr<const core::ModelSource> source_, file_;
  Elements elements_;
  std::string path_;
  std::shared_ptr<Spares> spares_ = std::make_shared<Spares>();
  bool is_copy_ = false, built_in_ = false;
  TextSettings settings_;
  mutable Use use_;
  mutable OwnedMutex building_{model_in_preparation};
  mutable std::map<std::string, std::shared_ptr<BuiltModel>> built_;  // by run and form
  // What results kept of earlier values: in a loop that holds the result of its last turn, two take turns.
  std::shared_ptr<BuiltModel> earlier_;
};

}  // namespace raak_v0::detail
