#include "planner/period/beginnings.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/formats/hash.h"

namespace memo::planner {
namespace {

constexpr std::size_t kModels = 8;      // stretches with which all others are compared
constexpr double kBytesOfAStep = 4096;  // bytes: serving so many is worth as much as serving one step

std::uint32_t length_of(const Stretch& stretch) {
  return stretch.end - stretch.begin;
}

Stretch beginning_of(const Stretch& stretch, std::uint32_t length) {
  return {
      .thread = stretch.thread, .begin = stretch.begin, .end = stretch.begin + length, .next = stretch.next};
}

bool begin_alike(const StepIndex& index, const Stretch& a, const Stretch& b, std::uint32_t steps) {
  return index.hash(beginning_of(a, steps)) == index.hash(beginning_of(b, steps));
}

// Returns how many steps two stretches have in common at their begin; 0 for fewer than a pass needs. Most
// stretches are alike from end to end or not at all, so these two cases are tested first.
std::uint32_t alike_steps(const StepIndex& index, const Stretch& a, const Stretch& b) {
  const std::uint32_t shorter = std::min(length_of(a), length_of(b));
  if (shorter < kLeastSteps || !begin_alike(index, a, b, kLeastSteps)) return 0;
  if (begin_alike(index, a, b, shorter)) return shorter;
  std::uint32_t alike = kLeastSteps;
  std::uint32_t differ = shorter;
  while (differ - alike > 1) {
    const std::uint32_t middle = alike + (differ - alike) / 2;
    (begin_alike(index, a, b, middle) ? alike : differ) = middle;
  }
  return alike;
}

// The beginning of one stretch, and how many steps all stretches with the whole of this beginning have in it
// together.
struct Beginning {
  Stretch model;
  std::uint64_t steps = 0;
};

Beginning best_beginning_of(const StepIndex& index, const Stretch& model,
                            const std::vector<Stretch>& stretches) {
  std::vector<std::uint32_t> alike;
  for (const Stretch& stretch : stretches) alike.push_back(alike_steps(index, model, stretch));
  std::sort(alike.begin(), alike.end(), std::greater<>());
  Beginning best{.model = model};
  for (std::size_t i = 1; i < alike.size() && alike[i] >= kLeastSteps; ++i) {
    const std::uint64_t steps = std::uint64_t{alike[i]} * (i + 1);
    if (steps > best.steps) best = {.model = beginning_of(model, alike[i]), .steps = steps};
  }
  return best;
}

// Tries models from all parts of the recording, since any single one may have a stray in its middle.
Beginning best_beginning(const StepIndex& index, const std::vector<Stretch>& stretches) {
  Beginning best;
  const std::size_t models = std::min(kModels, stretches.size());
  for (std::size_t i = 0; i < models; ++i) {
    const Stretch& model = stretches[(2 * i + 1) * stretches.size() / (2 * models)];
    const Beginning found = best_beginning_of(index, model, stretches);
    if (found.steps > best.steps) best = found;
  }
  return best;
}

std::vector<ContextId> contexts_of(const StepIndex& index, const Stretch& stretch) {
  std::vector<ContextId> contexts;
  for_each_own_step(stretch, [&](std::uint32_t step) {
    contexts.push_back(index.threads()[stretch.thread][step].context);
  });
  return contexts;
}

}  // namespace

std::vector<Stretch> begins_alike(const StepIndex& index, const std::vector<Stretch>& stretches) {
  std::vector<Stretch> passes;
  const Beginning best = best_beginning(index, stretches);
  if (best.steps == 0) return passes;
  const std::vector<ContextId> contexts = contexts_of(index, best.model);
  for (const Stretch& stretch : stretches) {
    Stretch pass = stretch;
    if (follow(index, contexts, pass)) passes.push_back(std::move(pass));
  }
  return passes;
}

namespace {

// Passes with the same contexts, and how much each of their steps is worth to a plan.
struct Alike {
  std::vector<Stretch*> passes;
  std::vector<double> worth;
};

std::uint64_t hash_of(const std::vector<ContextId>& contexts) {
  std::uint64_t hash = contexts.size();
  for (const ContextId context : contexts) hash = mixed(hash, context);
  return hash;
}

double worth_of(const Step& step, const Stretch& pass) {
  return outlives(step, pass) ? -1 : 1 + static_cast<double>(step.size) / kBytesOfAStep;
}

void add(const StepIndex& index, Stretch& pass, std::size_t steps, Alike& alike) {
  alike.passes.push_back(&pass);
  alike.worth.resize(steps, 0);
  std::size_t number = 0;
  for_each_own_step(pass, [&](std::uint32_t step) {
    alike.worth[number++] += worth_of(index.threads()[pass.thread][step], pass);
  });
}

// Returns the number of first steps that are worth most together.
std::size_t best_length(const std::vector<double>& worth) {
  double sum = 0;
  double most = 0;
  std::size_t best = worth.size();
  for (std::size_t number = 0; number < worth.size(); ++number) {
    sum += worth[number];
    if (sum >= most) {
      most = sum;
      best = number + 1;
    }
  }
  return best;
}

// Ends the pass after so many steps of its own.
void shorten(Stretch& pass, std::size_t steps) {
  std::size_t number = 0;
  std::uint32_t end = pass.begin;
  for_each_own_step(pass, [&](std::uint32_t step) {
    if (number++ < steps) end = step + 1;
  });
  pass.end = end;
  std::erase_if(pass.strays, [end](std::uint32_t stray) { return stray >= end; });
}

}  // namespace

void leave_out_what_stays(const StepIndex& index, std::vector<Stretch>& passes) {
  std::unordered_map<std::uint64_t, Alike> kinds;
  for (Stretch& pass : passes) {
    const std::vector<ContextId> contexts = contexts_of(index, pass);
    add(index, pass, contexts.size(), kinds[hash_of(contexts)]);
  }
  for (auto& [hash, alike] : kinds) {
    const std::size_t length = best_length(alike.worth);
    if (length < kLeastSteps) continue;
    for (Stretch* pass : alike.passes) shorten(*pass, length);
  }
}

}  // namespace memo::planner
