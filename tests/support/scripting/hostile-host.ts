/**
 * The beginning of a program that replaces a host: `frame`, `send`, `read` (one frame from main), `say` and `pause`.
 */
export const HOST_PROGRAM = `
  const fs = require('node:fs');
  const frame = (type, text) => {
    const payload = Buffer.from(text);
    const header = Buffer.alloc(5);
    header.writeUInt32LE(payload.length);
    header[4] = type;
    return Buffer.concat([header, payload]);
  };
  const send = (bytes) => { for (let at = 0; at < bytes.length;) at += fs.writeSync(3, bytes, at); };
  const exactly = (length) => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length;) {
      const got = fs.readSync(3, bytes, at, length - at, null);
      if (got === 0) process.exit(0);
      at += got;
    }
    return bytes;
  };
  const read = () => exactly(exactly(5).readUInt32LE(0));
  const say = (type, text) => send(frame(type, text));
  const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
`;
