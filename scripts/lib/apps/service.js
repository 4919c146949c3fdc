// service.js TURNS: JSON that is written, parsed, sorted and packed, as a server of Node does between two requests.
const { createHash } = require('crypto');
const { deflateSync, inflateSync } = require('zlib');

const digest = createHash('sha256');
for (let round = 0; round < Number(process.argv[2]); ++round) {
  const records = Array.from({ length: 3000 }, (_, i) => ({ id: (i * 7919 + round) % 3001, name: 'x'.repeat(i % 60) }));
  const text = inflateSync(deflateSync(JSON.stringify(records))).toString();
  const sorted = JSON.parse(text).sort((a, b) => a.id - b.id);
  digest.update(JSON.stringify(sorted.slice(0, 20)));
}
console.log(digest.digest('hex'));
