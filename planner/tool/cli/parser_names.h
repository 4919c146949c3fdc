// Names the classes of the parser of command lines without its header: that one defines functions and objects in each file
// that includes it, which takes a fifth of the time to compile a verb.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): the parser's own name
class App;
class Option;
class ParseError;
}  // namespace CLI
