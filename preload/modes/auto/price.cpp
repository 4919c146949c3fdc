#include "preload/modes/auto/price.h"

#include <algorithm>

namespace memo::guest {

// Leaves alone what is left of the first credit: only what is saved up has a limit. Time that costs more than it earns earns
// nothing: else a second could take what was saved, and once more what was earned meanwhile.
void Price::account(std::int64_t recorder, std::int64_t process) {
  const std::int64_t spent = begun_ ? recorder - recorder_ : 0;
  const std::int64_t earned = begun_ ? std::max<std::int64_t>(0, process - process_ - spent) / kShare : 0;
  const std::int64_t kept = spent > earned ? 0 : earned;
  const std::int64_t saved = std::max(credit_, std::min(credit_ + kept, kMostSaved));
  __atomic_store_n(&credit_, saved - spent, __ATOMIC_RELAXED);
  recorder_ = recorder;
  process_ = process;
  begun_ = true;
}

void Price::end_stretch() {
  rest_ends_ = process_ + (kSecond << stretches_);
  if (stretches_ < kMostStretches) ++stretches_;
}

bool Price::may_begin_stretch() const {
  return !has_ended() && credit_ >= kMostSaved && process_ >= rest_ends_;
}

}  // namespace memo::guest
