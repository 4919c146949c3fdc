"""parallel_executor.py MODEL [arena]: a session of ONNX Runtime whose nodes run on two threads of a pool as they become ready, so that their order
varies. Makes a pass for each line of its input, on an image of 64 x 64, and prints a digest of its answer. With the word arena the session
keeps its own arena."""

import hashlib
import sys

import numpy
import onnxruntime


def main():
    options = onnxruntime.SessionOptions()
    options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
    options.intra_op_num_threads, options.inter_op_num_threads = 1, 3
    options.enable_cpu_mem_arena = "arena" in sys.argv
    session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
    image = numpy.random.default_rng(1).random((1, 3, 64, 64), numpy.float32)
    for _ in sys.stdin:
        answer = session.run(None, {"image": image})[0]
        print(hashlib.sha256(answer.tobytes()).hexdigest(), flush=True)


if __name__ == "__main__":
    main()
