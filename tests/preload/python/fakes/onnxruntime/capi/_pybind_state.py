class SessionOptions:
    enable_cpu_mem_arena = True
    enable_mem_pattern = True


def get_default_session_options():
    return SessionOptions()


class InferenceSession:
    def __init__(self, options, path):
        if not isinstance(options, SessionOptions):
            raise TypeError("incompatible constructor arguments")
        if path == "broken":
            raise RuntimeError("no such model")
        self.has_arena = options.enable_cpu_mem_arena
        self.has_pattern = options.enable_mem_pattern
        if callable(path):
            path()  # meanwhile
