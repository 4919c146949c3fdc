// buffers.js TURNS: 200 buffers of 9,000 bytes a turn, as a server holds them for its answers.
const { createHash } = require('crypto');

const digest = createHash('sha256');
for (let turn = 0; turn < Number(process.argv[2]); ++turn) {
  const buffers = [];
  for (let i = 0; i < 200; ++i) {
    buffers.push(Buffer.alloc(9000));
    buffers[i][i] = (turn + i) % 251;
  }
  digest.update(buffers[turn % 200]);
}
console.log(digest.digest('hex'));
