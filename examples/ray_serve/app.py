"""A network on Ray Serve, whose replicas share the plan that one of them has learned (docs/fleet.md).

    serve run --working-dir examples/ray_serve app:application network=narrow version=1

MEMOMALLOC_STORE, where it is set for the command, names the store; PLANS, where it is set for `ray start`, the folder of a
machine's plans.
"""

import os
import subprocess
import time

from ray import serve

LONGEST_WARM_UP = 60  # seconds, until a replica goes to work without a plan
HANDED_ON = ("MEMOMALLOC_STORE", "MEMOMALLOC_STORE_KEY_FILE", "MEMOMALLOC_LOG", "MEMOMALLOC_ASIDE")  # if set, as they are


def environment_of_replicas(network, version):
    """What makes a replica a program under MemoMalloc: none of it is seen by Ray's own processes. The plan is called after the
    model and its version, so that each has its own. Ray puts a variable of the machine in the place of ${PLANS}."""
    library = subprocess.run(["memomalloc", "--print-preload"], capture_output=True, text=True, check=True).stdout.strip()
    python_side = os.path.join(os.path.dirname(library), "memomalloc", "python", "bootstrap")
    handed_on = {name: os.environ[name] for name in HANDED_ON if name in os.environ}
    return {"LD_PRELOAD": library, "PYTHONPATH": python_side, "MEMOMALLOC_MODE": "auto",
            "MEMOMALLOC_PLAN": "${PLANS}/%s-%s.plan" % (network, version), **handed_on}


@serve.deployment(health_check_period_s=2)
class Network:
    def __init__(self, name):
        import memomalloc  # where the replica runs, the bootstrap finds it
        import networks
        self._memomalloc, self._networks = memomalloc, networks
        self._network = networks.make(name)
        networks.digest(self._network, 0)
        self._at_first = memomalloc.stats()
        self._warm_up()

    def _warm_up(self):
        """Comes back once passes are served, and the plan has gone to the store. Ray starts the next replica of a rolling update
        then, and that one is served from its first pass."""
        end = time.monotonic() + LONGEST_WARM_UP
        while not self._memomalloc.is_serving() and time.monotonic() < end:
            self._networks.digest(self._network, 0)

    async def answer(self, seed):
        """On the thread of the replica's loop: in a pool of threads, PyTorch would prepare itself anew on each of them."""
        return {"answer": self._networks.digest(self._network, seed), "replica": os.getpid()}

    def statistics(self):
        """Of this replica, after its first pass and now."""
        return {"replica": os.getpid(), "at first": self._at_first, "now": self._memomalloc.stats()}

    async def __call__(self, request):
        return await self.answer(int(request.query_params.get("seed", 0)))


def application(arguments):
    network, version = arguments.get("network", "narrow"), arguments.get("version", "1")
    options = {"num_cpus": 0.5, "runtime_env": {"env_vars": environment_of_replicas(network, version)}}
    deployment = Network.options(ray_actor_options=options, num_replicas=int(arguments.get("replicas", 1)), max_replicas_per_node=1)
    return deployment.bind(network)
