/* Lies in a folder that only plugin.c's RUNPATH names. */
int plugin_inner(void) {
  return 42;
}
