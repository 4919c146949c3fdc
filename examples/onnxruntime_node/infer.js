// infer.js [options] MODEL.onnx: runs the model on ONNX Runtime's CPU backend, pass after pass, and prints one JSON
// object: a digest of every output, and the median time of the later half of the passes.
//
//   --passes N      how many (30)
//   --batches A,B   batch sizes, in turn (1)
//   --side N        height and width of the images (128)
//   --threads N     of each operator (1)
//   --arena on|off  the runtime's own memory arena and memory patterns (on)
'use strict';

const crypto = require('crypto');
const { parseArgs } = require('util');
const ort = require('onnxruntime-node');

function readOptions() {
  const text = (value) => ({ type: 'string', default: value });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { passes: text('30'), batches: text('1'), side: text('128'), threads: text('1'), arena: text('on') },
  });
  if (positionals.length !== 1 || !['on', 'off'].includes(values.arena)) {
    console.error('usage: infer.js [--passes N] [--batches A,B] [--side N] [--threads N] [--arena on|off] MODEL.onnx');
    process.exit(2);
  }
  return { ...values, model: positionals[0] };
}

// The same pixels in every run: a linear congruential generator.
function image(batch, side) {
  const pixels = new Float32Array(batch * 3 * side * side);
  let state = 1;
  for (let i = 0; i < pixels.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    pixels[i] = state / 2 ** 32;
  }
  return new ort.Tensor('float32', pixels, [batch, 3, side, side]);
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function main() {
  const options = readOptions();
  const arena = options.arena === 'on';
  const session = await ort.InferenceSession.create(options.model, {
    intraOpNumThreads: Number(options.threads),
    enableCpuMemArena: arena,
    enableMemPattern: arena,
  });
  const images = options.batches.split(',').map((batch) => image(Number(batch), Number(options.side)));
  const passes = Number(options.passes);
  const digest = crypto.createHash('sha256');
  const times = [];
  for (let pass = 0; pass < passes; pass++) {
    const begin = performance.now();
    const outputs = await session.run({ [session.inputNames[0]]: images[pass % images.length] });
    times.push(performance.now() - begin);
    const { data } = outputs[session.outputNames[0]];
    digest.update(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }
  const milliseconds = median(times.slice(passes >> 1));
  console.log(JSON.stringify({ answer: digest.digest('hex'), milliseconds }));
}

main();
