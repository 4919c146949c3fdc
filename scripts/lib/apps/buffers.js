// buffers.js ROUNDS: 200 buffers of 9,000 bytes a round, as a server holds them for its answers.
const { createHash } = require('crypto');

const digest = createHash('sha256');
for (let round = 0; round < Number(process.argv[2]); ++round) {
  const buffers = [];
  for (let i = 0; i < 200; ++i) {
    buffers.push(Buffer.alloc(9000));
    buffers[i][i] = (round + i) % 251;
  }
  digest.update(buffers[round % 200]);
}
console.log(digest.digest('hex'));
