import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../support/product/product.ts';

const icon = (name: string) => readFileSync(join(ROOT, 'resources', 'icon', name));
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

test('browser pages show the source drawing of the icons', () => {
  expect(readFileSync(join(ROOT, 'src-renderer', 'public', 'icon.svg'))).toEqual(icon('icon.svg'));
});

test('the window has a PNG of 512 px', () => {
  const png = icon('icon.png');
  expect(png.subarray(0, 8)).toEqual(PNG);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
});

test('Windows finds every size that it requests', () => {
  const ico = icon('icon.ico');
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1]);
  // The width is one byte; 0 represents 256.
  const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, n) => ico.readUInt8(6 + n * 16) || 256);
  expect(sizes).toEqual([16, 20, 24, 32, 40, 48, 64, 256]);
});

test('macOS finds every size that it requests, up to 1024 px', () => {
  const icns = icon('icon.icns');
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  const types: string[] = [];
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) types.push(icns.toString('latin1', at, at + 4));
  expect(types).toEqual(
    expect.arrayContaining(['ic04', 'ic05', 'ic07', 'ic08', 'ic09', 'ic10', 'ic11', 'ic12', 'ic13', 'ic14']),
  );
});
