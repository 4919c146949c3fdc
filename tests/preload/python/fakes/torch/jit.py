from torch.nn import Module


class ScriptModule(Module):
    pass
