/* Many functions, so that the loader is busy with the slots of whoever calls them for as long as it takes to be disturbed. */
#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define SIXTY(X, n) TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4) TEN(X, n##5)
#define FUNCTIONS(X) SIXTY(X, f) SIXTY(X, g) SIXTY(X, h)
