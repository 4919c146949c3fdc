// Holds nothing of its own: the archive that is linked whole is the library, and C++ is what its operators
// want.
