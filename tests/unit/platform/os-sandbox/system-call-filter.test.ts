import { describe, expect, test } from 'vitest';
import { systemCallFilter } from '../../../../src-main/platform/os-sandbox/system-call-filter.ts';

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 };
const VERDICTS: Readonly<Record<number, string>> = {
  0x7fff0000: 'allowed',
  0x80000000: 'killed',
  0x00050001: 'EPERM',
  0x00050026: 'ENOSYS',
};

/** The decision of the kernel for a call, by running the filter as the kernel does. */
function verdict(filter: Buffer, call: { audit: number; number: number; flags?: number; second?: number }): string {
  const fields: Readonly<Record<number, number>> = {
    0: call.number,
    4: call.audit,
    16: call.flags ?? 0,
    24: call.second ?? 0,
  };
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, yes, no] = [filter.readUInt16LE(at * 8), filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)];
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return VERDICTS[value] ?? String(value);
    if (code === 0x20) accumulator = fields[value] ?? Number.NaN;
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else if (code === 0x45) at += (accumulator & value) !== 0 ? yes : no;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error('the filter ended without a verdict');
}

describe.each(['x64', 'arm64'] as const)('the filter of system calls on %s', (architecture) => {
  const filter = systemCallFilter(architecture) ?? Buffer.alloc(0);
  const x64 = architecture === 'x64';
  const of = (number: number, flags = 0) => verdict(filter, { audit: AUDIT[architecture], number, flags });

  test('denies connections, debugging, mounts and namespaces', () => {
    const calls = x64
      ? [41, 42, 101, 310, 165, 272, 308, 321, 298, 57, 58]
      : [198, 203, 117, 270, 40, 97, 268, 280, 241];
    expect(calls.map((number) => of(number))).toEqual(calls.map(() => 'EPERM'));
    expect([425, 427, 434, 442].map((number) => of(number))).toEqual(['EPERM', 'EPERM', 'EPERM', 'EPERM']);
  });

  test('denies new names of files, and sockets to other processes', () => {
    const calls = x64 ? [88, 86, 133, 83, 82, 266, 259, 264, 316, 53] : [36, 37, 33, 34, 38, 276, 199];
    expect(calls.map((number) => of(number))).toEqual(calls.map(() => 'EPERM'));
  });

  test('denies signals by descriptors', () => {
    const second = (number: number, value: number) =>
      verdict(filter, { audit: AUDIT[architecture], number, second: value });
    const [fcntl, ioctl] = x64 ? [72, 16] : [25, 29];
    expect([8, 10, 15].map((value) => second(fcntl, value))).toEqual(['EPERM', 'EPERM', 'EPERM']);
    expect([1, 2, 3, 4, 6].map((value) => second(fcntl, value))).toEqual(Array<string>(5).fill('allowed'));
    expect([0x8901, 0x8902, 0x5421].map((value) => second(ioctl, value))).toEqual(['EPERM', 'EPERM', 'allowed']);
  });

  test('allows threads but no processes', () => {
    const clone = x64 ? 56 : 220;
    expect(of(clone, 0x3d0f00)).toBe('allowed');
    expect(of(clone, 17)).toBe('EPERM');
    expect(of(435)).toBe('ENOSYS');
  });

  test('allows reads, writes, memory and exiting', () => {
    const calls = x64 ? [0, 1, 9, 10, 202, 231, 257, 59] : [63, 64, 222, 226, 98, 94, 56, 221];
    expect(calls.map((number) => of(number))).toEqual(calls.map(() => 'allowed'));
  });

  test('denies what Landlock allows: signals, file modes, limits of other processes', () => {
    const withLandlock = systemCallFilter(architecture, 'Landlock') ?? Buffer.alloc(0);
    const verdictOf = (number: number, first = 0) =>
      verdict(withLandlock, { audit: AUDIT[architecture], number, flags: first });
    const calls = x64 ? [62, 234, 424, 90, 92, 188, 76, 280, 203] : [129, 131, 424, 53, 54, 5, 45, 88, 122];
    expect(calls.map((number) => verdictOf(number))).toEqual(calls.map(() => 'EPERM'));
    expect(calls.map((number) => of(number))).toEqual(calls.map(() => 'allowed'));
    const prlimit = x64 ? 302 : 261;
    expect([verdictOf(prlimit), verdictOf(prlimit, 4711)]).toEqual(['allowed', 'EPERM']);
    // Allowed: the signal that ends it with main, and the name of a thread.
    const prctl = x64 ? 157 : 167;
    expect([verdictOf(prctl, 1), verdictOf(prctl, 15)]).toEqual(['EPERM', 'allowed']);
    const clone = x64 ? 56 : 220;
    expect([verdictOf(clone, 0x3d0f00), verdictOf(clone, 17)]).toEqual(['allowed', 'EPERM']);
    const needed = x64 ? [0, 1, 9, 10, 202, 231, 257, 59, 77] : [63, 64, 222, 226, 98, 94, 56, 221, 46];
    expect(needed.map((number) => verdictOf(number))).toEqual(needed.map(() => 'allowed'));
  });

  test('ends a program that makes calls of another architecture', () => {
    expect(verdict(filter, { audit: 0x40000003, number: 1 })).toBe('killed');
    if (x64) expect(of(0x40000000 + 41)).toBe('EPERM');
  });
});

describe('another architecture', () => {
  test('has no filter', () => {
    expect(systemCallFilter('riscv64')).toBeNull();
  });
});
