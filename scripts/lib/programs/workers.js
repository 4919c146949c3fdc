// Buffers outside the collected heap, JSON, a growing string, and worker threads that start and end.
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { createHash } = require('crypto');
const { deflateSync, inflateSync } = require('zlib');

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

if (!isMainThread) {
  const bytes = Buffer.alloc(3 << 20, workerData);
  parentPort.postMessage([workerData, digest(inflateSync(deflateSync(bytes)))]);
} else {
  const records = Array.from({ length: 50000 }, (_, i) => ({ id: i, name: 'x'.repeat(i % 50) }));
  console.log(digest(JSON.stringify(JSON.parse(JSON.stringify(records)))));
  let pending = 6;
  const answers = [];
  for (let i = 0; i < 6; ++i) {
    new Worker(__filename, { workerData: i }).on('message', (answer) => {
      answers.push(answer.join(' '));
      if (--pending === 0) console.log(answers.sort().join('\n'));
    });
  }
}
