import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openedDesktop as opened, startDesktop } from '../../support/product/desktop-on-double.ts';
import { builtProduct, tagwright } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const page = 'app://tagwright/';
const paths = ['Plant.Tag0.Value'];

describe('the desktop bundle', () => {
  test('opens a sandboxed window on our protocol, with the policy of the page', async () => {
    const desktop = await opened(temporaryFolder());
    expect(await desktop.send({ do: 'describe' })).toMatchObject({
      url: page,
      preferences: { contextIsolation: true, sandbox: true, nodeIntegration: false },
      schemes: [{ scheme: 'app', privileges: { standard: true, secure: true } }],
    });
    expect(await desktop.send({ do: 'fetch', url: page })).toMatchObject({
      status: 200,
      body: expect.stringContaining('<div id="root">'),
      headers: { 'content-security-policy': expect.stringContaining("default-src 'none'") },
    });
    expect(await desktop.send({ do: 'fetch', url: 'app://other/' })).toMatchObject({ status: 404 });
    expect(await desktop.send({ do: 'fetch', url: `${page}../../package.json` })).toMatchObject({ status: 404 });
  });

  test('RPC uses the port that the preload gets for the page', async () => {
    const desktop = await opened(temporaryFolder());
    expect(await desktop.send({ do: 'connect', from: page, frame: 'top' })).toBe(true);
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const input = { body: 'return 6 * 7', context, dryRun: false };
    expect(await desktop.send({ do: 'call', path: 'runs.execute', input })).toMatchObject({ status: 'ok', result: 42 });
    await expect(desktop.send({ do: 'call', path: 'tags.get', input: { paths: [5] } })).rejects.toThrow(/paths\[0\]/);
  });

  test('a port of another page or of an inner frame is rejected', async () => {
    const desktop = await opened(temporaryFolder());
    for (const from of ['https://evil.example/', 'app://other/', 'file:///etc/passwd', 'app://tagwright.evil/']) {
      expect([from, await desktop.send({ do: 'connect', from, frame: 'top' })]).toEqual([from, false]);
    }
    expect(await desktop.send({ do: 'connect', from: page, frame: 'inner' })).toBe(false);
    expect(desktop.said()).toContain('does not come from our page');
    expect(await desktop.send({ do: 'connect', from: page, frame: 'top' })).toBe(true);
  });

  test('a page that reloads is cleaned up, and reconnects', async () => {
    const desktop = await opened(temporaryFolder());
    const busyHosts = async () => {
      const first = await desktop.send({ do: 'first', path: 'app.status' });
      return z.object({ value: z.object({ hosts: z.object({ busy: z.number() }) }) }).parse(first).value.hosts.busy;
    };
    await desktop.send({ do: 'connect', from: page, frame: 'top' });
    expect(await desktop.send({ do: 'first', path: 'tags.watch', input: { paths } })).toMatchObject({ done: false });
    const input = {
      body: 'for (;;);',
      context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
      dryRun: false,
    };
    // So that it does not end by itself.
    const limits = { 'limits.scriptMs': 600_000, 'limits.totalMs': 600_000 };
    await desktop.send({ do: 'call', path: 'settings.update', input: limits });
    await desktop.send({ do: 'leave', path: 'runs.execute', input });
    await vi.waitFor(async () => expect(await busyHosts()).toBe(1));
    expect(await desktop.send({ do: 'reload' })).toBe(true);
    expect(await desktop.send({ do: 'connect', from: page, frame: 'top' })).toBe(true);
    await vi.waitFor(async () => expect(await busyHosts()).toBe(0));
  });

  test('the window navigates nowhere, opens nothing and gets no permissions', async () => {
    const desktop = await opened(temporaryFolder());
    expect(await desktop.send({ do: 'navigate', url: 'https://evil.example/' })).toBe(true);
    expect(await desktop.send({ do: 'navigate', url: 'file:///etc/passwd' })).toBe(true);
    expect(await desktop.send({ do: 'navigate', url: `${page}diagrams/Overview` })).toBe(false);
    expect(await desktop.send({ do: 'open', url: 'file:///etc/passwd' })).toEqual({ action: 'deny', opened: [] });
    const web = 'https://example.com/';
    expect(await desktop.send({ do: 'open', url: web })).toEqual({ action: 'deny', opened: [web] });
    expect(await desktop.send({ do: 'permission', name: 'media' })).toBe(false);
    expect(await desktop.send({ do: 'permission', name: 'clipboard-sanitized-write' })).toBe(true);
  });

  test('a Diagram opens in a separate window, which is served like the workbench', async () => {
    const desktop = await opened(temporaryFolder());
    expect(await desktop.send({ do: 'connect', from: page, frame: 'top' })).toBe(true);
    const diagram = `${page}diagrams/Line%20overview?workcenter=Line2`;
    expect(await desktop.send({ do: 'open', url: diagram })).toEqual({ action: 'deny', opened: [] });
    expect(await desktop.send({ do: 'open', url: `${page}other` })).toEqual({ action: 'deny', opened: [] });
    expect(await desktop.send({ do: 'windows' })).toEqual([page, diagram]);
    expect(await desktop.send({ do: 'fetch', url: diagram })).toMatchObject({ status: 200 });

    expect(await desktop.send({ do: 'connect', from: diagram, frame: 'top', window: 1 })).toBe(true);
    const input = { name: 'Line overview' };
    expect(await desktop.send({ do: 'call', path: 'diagrams.get', input })).toMatchObject({ name: 'Line overview' });
    // Its port survives that of the workbench, which is reopened on request.
    await desktop.send({ do: 'close' });
    expect(await desktop.send({ do: 'call', path: 'diagrams.get', input })).toMatchObject({ name: 'Line overview' });
    await desktop.send({ do: 'second-instance' });
    expect(await desktop.send({ do: 'windows' })).toEqual([diagram, page]);
  });

  test('the CLI connects; closing frees the workspace; a second start shows the window', async () => {
    const workspace = temporaryFolder();
    const desktop = await opened(workspace);
    const run = await tagwright(['run', '-', '--workspace', workspace, '--json'], { stdin: 'return 42' });
    expect([run.code, JSON.parse(run.out).result]).toEqual([0, 42]);
    const open = await tagwright(['open', '--workspace', workspace]);
    expect(open).toMatchObject({ code: 9, err: expect.stringContaining('it is the desktop window') });

    expect(await startDesktop(workspace).ended).toBe(0);
    await vi.waitFor(async () => expect(await desktop.send({ do: 'describe' })).toMatchObject({ focused: 1 }));

    await desktop.send({ do: 'quit' });
    expect(await desktop.ended).toBe(0);
    expect((await tagwright(['tags', 'list', '--workspace', workspace, '--json'])).code).toBe(0);
  });

  test('a workspace that cannot be opened is reported in a dialog', async () => {
    const workspace = temporaryFolder();
    await opened(workspace);
    // For example of another user, whose windows are separate.
    const second = startDesktop(workspace, { DOUBLE_APP_DATA: temporaryFolder() });
    expect(await second.ended).toBe(1);
    expect(second.said()).toContain('[box] Tagwright cannot open the workspace');
  });
});
