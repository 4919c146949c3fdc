/* Linked in front of jemalloc's own thread-local state (scripts/cmake/PrivateJemalloc.cmake), so that it begins 48 bytes into
 * a cache line whatever thread-local variables come before it. Where it begins shows: on the paths that miss the
 * first-level cache of small blocks, 32 bytes into a line took 6 % longer than 48 (docs/benchmarks-malloc.md). */

.section .tdata, "awT", %progbits
.p2align 6
.skip 48

.section .note.GNU-stack, "", %progbits
