import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '#contract/errors';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { DRAFT_LIMITS } from '../../../src-main/scripting/scripts/script-rules.ts';
import { KEPT_BACKUPS } from '../../../src-main/storage/backups/backups.ts';

const text = readFileSync(resolve(import.meta.dirname, '../../../docs/operation/workspace.md'), 'utf8');
const counted = (count: number): string => count.toLocaleString('en');

test('docs/operation/workspace.md lists every reason why a workspace is rejected', () => {
  const codes = Object.keys(ERROR_CODES).filter((code) => /^WORKSPACE_|^STORAGE_/.test(code));
  expect(codes.filter((code) => !text.includes(`| \`${code}\` |`))).toEqual([]);
  expect(codes).toHaveLength(5);
});

test('docs/operation/workspace.md states the actual limits', () => {
  expect(KEPT_BACKUPS).toBe(5);
  expect(text).toContain(`required; ${SCRIPT_LIMITS.name} characters`);
  expect(text).toContain(`| Description | ${counted(SCRIPT_LIMITS.description)} characters |`);
  expect(text).toContain(`(${counted(SCRIPT_LIMITS.bodyBytes)} bytes)`);
  const draft = `${counted(DRAFT_LIMITS.name)} characters of a name, ${counted(DRAFT_LIMITS.description)} of the`;
  expect(text.replaceAll('\n', ' ')).toContain(draft);
  expect(text).toContain(`${DRAFT_LIMITS.bodyBytes / 2 ** 20} MiB of the body`);
});
