import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Preloaded into a program to watch its event loop. A message starts the observation; the next one ends it and gets the
 * result. A block is a turn of the loop that lasts longer than `BLOCK_MS`, split into the time the thread worked, the
 * time it was ready but the machine ran other processes, and the rest, when it waited, for example for fsync.
 */
const BLOCK_MS = 15;
const LOOK_EVERY_MS = 2;
const SAMPLE_EVERY_US = 1_000;

export interface Block {
  ms: number;
  workMs: number;
  queuedMs: number;
  waitMs: number;
  /** The stack that was active for most of it, innermost function first. */
  what: string;
}

export interface LoopSeen {
  p50: number;
  p99: number;
  max: number;
  blocks: Block[];
}

interface Look {
  at: number;
  worked: number;
  queued: number;
}

/** All in ms. How long the thread waited for a processor is known only on Linux. */
function look(): Look {
  const { user, system } = process.threadCpuUsage();
  let queued = 0;
  try {
    queued = Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {}
  return { at: performance.now(), worked: (user + system) / 1e3, queued };
}

const delay = monitorEventLoopDelay({ resolution: 1 });
const session = new Session();
session.connect();
let timer: NodeJS.Timeout | undefined;
let found: { from: number; to: number; workMs: number; queuedMs: number }[] = [];

async function begin(): Promise<void> {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
  await session.post('Profiler.start');
  found = [];
  delay.reset();
  delay.enable();
  let before = look();
  timer = setInterval(() => {
    const now = look();
    if (now.at - before.at > BLOCK_MS + LOOK_EVERY_MS) {
      const workMs = now.worked - before.worked;
      found.push({ from: before.at, to: now.at, workMs, queuedMs: now.queued - before.queued });
    }
    before = now;
  }, LOOK_EVERY_MS);
}

async function end(): Promise<LoopSeen> {
  clearInterval(timer);
  timer = undefined;
  delay.disable();
  const { profile } = await session.post('Profiler.stop');
  const blocks = found.map(({ from, to, workMs, queuedMs }): Block => {
    const ms = to - from;
    return { ms, workMs, queuedMs, waitMs: Math.max(0, ms - workMs - queuedMs), what: atWork(profile, from, to) };
  });
  return { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, blocks };
}

/** The most frequent stack between two times of `performance.now()`, limited to frames of the program. */
function atWork(profile: Profiler.Profile, from: number, to: number): string {
  const parents = new Map<number, number>();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const { id, children = [] } of profile.nodes) for (const child of children) parents.set(child, id);
  const stackOf = (id: number) => {
    const names: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const name = nodes.get(at)?.callFrame.functionName ?? '';
      if (name !== '' && name !== '(root)' && names.at(-1) !== name) names.push(name);
    }
    return names.slice(0, 6).join(' < ');
  };
  // The profile counts from the start of the machine, `performance.now()` from the start of the process.
  const origin = Number(process.hrtime.bigint() / 1_000n) / 1e3 - performance.now();
  const counts = new Map<string, number>();
  let at = profile.startTime / 1e3 - origin;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    at += (profile.timeDeltas?.[index] ?? 0) / 1e3;
    if (at < from || at > to) continue;
    const stack = stackOf(id);
    if (stack !== '(idle)') counts.set(stack, (counts.get(stack) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'unknown';
}

process.on('message', () => {
  if (timer) void end().then((seen) => process.send?.(seen));
  else void begin().then(() => process.send?.('began'));
});
