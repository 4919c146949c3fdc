// Functions of a shared library that the tests name as passes and scopes.
#pragma once

#include <cstdarg>
#include <functional>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace hooked {

struct Pair {
  double first;
  double second;
};
struct Large {
  long words[8];
};

}  // namespace hooked

extern "C" {

// Each calls `body` and comes back, unless the body throws or jumps.
void hooked_pass(const std::function<void()>& body);
void hooked_scope(const std::function<void()>& body);

// Its last act is a jump to hooked_scope.
void hooked_jumping_scope(const std::function<void()>& body);

// Signatures that use every kind of argument register.
double hooked_scope_sums(long a, long b, long c, long d, long e, long f, long g, double h, double i, double j,
                         double k, double l, double m, double n, double o, double p);
long hooked_scope_variadic(int count, ...);
hooked::Pair hooked_scope_pair(float a, long b);
hooked::Large hooked_scope_large(long seed);
long double hooked_scope_extended(long double x);
#if defined(__AVX__)
__m256d hooked_scope_wide(__m256d a, __m256d b);
#endif
}
