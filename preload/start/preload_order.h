// The order of the libraries in LD_PRELOAD.
#pragma once

namespace memo::guest {

// Puts this library first in this process's LD_PRELOAD, so that programs which the process starts get it first. The
// others keep their order. Rewrites the text where the kernel put it, at the same length. Returns false, and changes
// nothing, where the variable does not name this library or does not come from the start of the process.
bool put_library_first();

// Moves `word` to the beginning of a list that colons or spaces separate. Returns false, and changes nothing, if the
// list has no such word.
bool move_to_beginning(char* list, const char* word);

}  // namespace memo::guest
