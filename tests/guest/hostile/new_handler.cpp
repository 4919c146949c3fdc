// operator new when there is no memory. The new-handler is called until there is some or it gives up by
// throwing; without one, bad_alloc is thrown; the nothrow forms return null whatever the handler throws.
// Exceptions travel through the allocator's own frames. Failure: terminate, a wrong exception, or a handler
// not asked.

#include <new>
#include <vector>

#include "hostile.h"

namespace {

constexpr std::size_t kTooBig = std::size_t{1} << 62;
int handler_calls;

void count_and_give_up_at_three() {
  if (++handler_calls == 3) std::set_new_handler(nullptr);
}

struct FromHandler {};
void throw_something() {
  throw std::bad_alloc();
}
void throw_something_else() {
  throw FromHandler();
}

template <typename Exception, typename Call>
bool throws(Call call) {
  try {
    call();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

void without_handler() {
  EXPECT(throws<std::bad_alloc>([] { ::operator new(kTooBig); }));
  EXPECT(throws<std::bad_alloc>([] { ::operator new[](kTooBig); }));
  EXPECT(throws<std::bad_alloc>([] { ::operator new (kTooBig, std::align_val_t{256}); }));
  EXPECT(throws<std::bad_alloc>([] { ::operator new[](kTooBig, std::align_val_t{256}); }));
  EXPECT(::operator new(kTooBig, std::nothrow) == nullptr);
  EXPECT(::operator new[](kTooBig, std::nothrow) == nullptr);
  EXPECT(::operator new (kTooBig, std::align_val_t{256}, std::nothrow) == nullptr);
  EXPECT(::operator new[](kTooBig, std::align_val_t{256}, std::nothrow) == nullptr);
}

template <typename Call>
void asks_handler_thrice(Call call) {
  handler_calls = 0;
  std::set_new_handler(count_and_give_up_at_three);
  EXPECT(throws<std::bad_alloc>(call));
  EXPECT(handler_calls == 3);
}

void with_handler() {
  asks_handler_thrice([] { ::operator new(kTooBig); });
  asks_handler_thrice([] { ::operator new[](kTooBig); });
  asks_handler_thrice([] { ::operator new (kTooBig, std::align_val_t{64}); });
  handler_calls = 0;
  std::set_new_handler(count_and_give_up_at_three);
  EXPECT(::operator new(kTooBig, std::nothrow) == nullptr);
  EXPECT(handler_calls == 3);
}

void handler_throws() {
  std::set_new_handler(throw_something_else);
  EXPECT(throws<FromHandler>([] { ::operator new(kTooBig); }));
  std::set_new_handler(throw_something);
  EXPECT(::operator new(kTooBig, std::nothrow) == nullptr);
  EXPECT(::operator new[](kTooBig, std::align_val_t{64}, std::nothrow) == nullptr);
  std::set_new_handler(nullptr);
}

void through_a_container() {
  EXPECT(throws<std::bad_alloc>([] { std::vector<char>(PTRDIFF_MAX).data()[0] = 1; }));
}

}  // namespace

int main() {
  expect_right_allocator();
  without_handler();
  with_handler();
  handler_throws();
  through_a_container();
}
