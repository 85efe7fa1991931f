import { Socket } from 'node:net';
import { readSync, writeSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { encodeFrame, FrameReader } from '../../../src-main/platform/host-pipe/frames.ts';
import type { Peer } from './peer.ts';

/**
 * The minimum cost of a request from a host to main: one frame each way over the same kind of pipe, blocking in the
 * host and event-driven in main. By default a frame has the size of a Get of two tags and is not processed; a parameter
 * can replace the response.
 */
const PIPE = 3;
const QUESTION = encodeFrame(18, '["get",1,["Bench.Line.A.Value","Bench.Line.B.Value"],null,null]');
const ANSWER = encodeFrame(2, '{"value":{"values":[1.5,2.5],"qualities":["Good","Good"],"types":["Double","Double"]}}');
const ROUND = 1;
const RATE = 2;
const ANSWERED = 2;

/** @param answer creates the text of each response; without it, the response is constant */
export function startPingPong(response?: () => Promise<string>): Peer {
  const child = spawn(process.execPath, [import.meta.filename], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: { TAGWRIGHT_PING_PONG: '1' },
  });
  const pipe = child.stdio[PIPE];
  if (!(pipe instanceof Socket)) throw new Error('the pipe of the ping-pong is not there');
  let round = Promise.withResolvers<number>();
  const reader = new FrameReader(() => 1_024);
  pipe.on('data', (chunk: Buffer) =>
    reader.push(chunk, (type, text) => {
      if (type === RATE) round.resolve(Number(text));
      else if (response === undefined) pipe.write(ANSWER);
      else response().then((made) => pipe.write(encodeFrame(ANSWERED, made)), round.reject);
      return true;
    }),
  );
  return {
    side(ms) {
      round = Promise.withResolvers();
      pipe.write(encodeFrame(ROUND, String(ms)));
      return round.promise;
    },
    close: () => {
      pipe.destroy();
      child.kill();
    },
  };
}

function ping(): void {
  const buffer = Buffer.alloc(65_536);
  for (;;) {
    const length = readSync(PIPE, buffer, 0, buffer.length, null);
    if (length === 0) return;
    const ms = Number(buffer.toString('utf8', 5, length));
    const start = performance.now();
    let runs = 0;
    while (performance.now() - start < ms) {
      writeSync(PIPE, QUESTION);
      readSync(PIPE, buffer, 0, buffer.length, null);
      runs += 1;
    }
    writeSync(PIPE, encodeFrame(RATE, String((runs * 1_000) / (performance.now() - start))));
  }
}

if (process.env['TAGWRIGHT_PING_PONG'] === '1') ping();
