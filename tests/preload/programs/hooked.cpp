#include "tests/preload/programs/hooked.h"

extern "C" {

// The empty statement keeps the call from being the function's last act.
void hooked_pass(const std::function<void()>& body) {
  body();
  asm volatile("");
}

void hooked_scope(const std::function<void()>& body) {
  body();
  asm volatile("");
}

void hooked_jumping_scope(const std::function<void()>& body) {
  hooked_scope(body);
}

double hooked_scope_sums(long a, long b, long c, long d, long e, long f, long g, double h, double i, double j,
                         double k, double l, double m, double n, double o, double p) {
  return static_cast<double>(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g) + h + 2 * i + 3 * j + 4 * k +
         5 * l + 6 * m + 7 * n + 8 * o + 9 * p;
}

long hooked_scope_variadic(int count, ...) {
  va_list values;
  va_start(values, count);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(values, double);
  va_end(values);
  return static_cast<long>(sum);
}

hooked::Pair hooked_scope_pair(float a, long b) {
  return {static_cast<double>(a), static_cast<double>(b)};
}

hooked::Large hooked_scope_large(long seed) {
  hooked::Large large{};
  for (long& word : large.words) word = seed++;
  return large;
}

long double hooked_scope_extended(long double x) {
  return x * 2;
}

#if defined(__AVX__)
__m256d hooked_scope_wide(__m256d a, __m256d b) {
  return _mm256_add_pd(a, b);
}
#endif
}
