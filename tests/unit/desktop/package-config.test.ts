import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { LINK_SCHEME } from '../../../src-main/desktop/deep-link.ts';
import { ROOT } from '../../support/product/product.ts';

const system = z.looseObject({ target: z.array(z.string()), icon: z.string() });
const config = z
  .looseObject({
    asar: z.boolean(),
    electronFuses: z.record(z.string(), z.boolean()),
    protocols: z.array(z.object({ name: z.string(), schemes: z.array(z.string()) })),
    publish: z.null(),
    extraResources: z.array(z.object({ from: z.string(), to: z.string() })),
    win: system,
    mac: system,
    linux: system,
    deb: z.object({ recommends: z.array(z.string()) }),
  })
  .parse(parse(readFileSync(join(ROOT, 'resources', 'package', 'electron-builder.yml'), 'utf8')));

test('packages set every fuse: no plain Node, no inspector, sealed cookies, archive', () => {
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
    resetAdHocDarwinSignature: true,
  });
  // The integrity check covers the archive.
  expect(config.asar).toBe(true);
});

test('programs for plain Node are next to the archive, with their modules', () => {
  expect(config.extraResources).toEqual([
    { from: 'out/package/beside', to: '.' },
    { from: 'out/package/beside/node_modules', to: 'node_modules' },
  ]);
});

test('each system has packages, an icon and our link scheme; nothing is published', () => {
  expect(config.win.target).toEqual(['nsis', 'portable']);
  expect(config.mac.target).toEqual(['dmg', 'zip']);
  expect(config.linux.target).toEqual(['AppImage', 'deb']);
  for (const { icon } of [config.win, config.mac, config.linux]) expect(existsSync(join(ROOT, icon))).toBe(true);
  expect(config.protocols).toEqual([{ name: 'Tagwright', schemes: [LINK_SCHEME] }]);
  expect(config.publish).toBeNull();
});

test('the Debian package recommends the programs that confine script hosts', () => {
  expect(config.deb.recommends).toContain('bubblewrap');
});
