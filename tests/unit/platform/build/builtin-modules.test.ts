import { expect, test } from 'vitest';
import { withoutImports } from '../../../../src-main/platform/build/builtin-modules.ts';

test('imports of modules of Node become look-ups, and all others stay', async () => {
  const text = [
    'import path, { join as joined } from "node:path";',
    'import os from "node:os";',
    'import { deepEqual } from "node:assert";',
    'import { other } from "./chunks/other.js";',
    'export const all = [path.join === joined, typeof os.cpus, typeof deepEqual];',
  ].join('\n');
  const plain = withoutImports(text);
  expect(plain.match(/^import .*/gm)).toEqual(['import { other } from "./chunks/other.js";']);
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(plain.replace(/^import .*/m, ''))}`);
  expect(module).toMatchObject({ all: [true, 'function', 'function'] });
});

test('lines that only look like an import stay', () => {
  const text = '  import { join } from "node:path";\nconst text = `import "x" from "node:os"`;';
  expect(withoutImports(text)).toBe(text);
});
