import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Desktop } from '../../support/product/desktop-on-double.ts';
import { openedDesktop, startDesktop } from '../../support/product/desktop-on-double.ts';
import { commandOf, isRunning } from '../../support/product/processes.ts';
import { builtProduct } from '../../support/product/product.ts';
import { clientOf, reopened } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const page = 'app://tagwright/';
const commands = [
  { id: 'scripts.save', title: 'Save', section: 'Scripts', keys: 'Ctrl+S', enabled: true },
  { id: 'scripts.run', title: 'Run & show', section: 'Scripts', keys: 'Ctrl+Enter', enabled: false },
  { id: 'theme.dark', title: 'Theme: dark', section: 'Workbench', keys: '', enabled: true },
];
const offer = (desktop: Desktop) => desktop.send({ do: 'offer', from: page, commands });

const seen = z.object({
  sent: z.array(z.tuple([z.string(), z.looseObject({ kind: z.string() })])),
  done: z.array(z.string()),
  boxes: z.array(z.looseObject({ message: z.string(), buttons: z.array(z.string()) })),
  menu: z.array(z.tuple([z.string(), z.array(z.array(z.unknown()))])),
  place: z.looseObject({}),
});
const holder = z.object({ pid: z.int() });
const named = z.object({ name: z.string() });
const look = async (desktop: Desktop) => seen.parse(await desktop.send({ do: 'seen' }));
const requests = async (desktop: Desktop) => (await look(desktop)).sent.map(([, request]) => request);

describe('the desktop shell', () => {
  test('the menu has the commands that the page reports, and runs them in the page', async () => {
    const desktop = await openedDesktop(temporaryFolder());
    await offer(desktop);
    const menu = new Map((await look(desktop)).menu);
    expect(menu.get('Scripts')).toEqual([
      ['Save', true, 'CmdOrCtrl+S'],
      ['Run && show', false, 'CmdOrCtrl+Enter'],
    ]);
    expect(menu.get('Workbench')).toEqual([['Theme: dark', true, null]]);
    expect(await desktop.send({ do: 'menu', label: 'Save' })).toBe(true);
    expect(await requests(desktop)).toEqual([{ kind: 'command', id: 'scripts.save' }]);
  });

  test('invalid commands, and those of another page, change nothing', async () => {
    const desktop = await openedDesktop(temporaryFolder());
    const before = (await look(desktop)).menu;
    await desktop.send({ do: 'offer', from: 'https://evil.example/', commands });
    await desktop.send({ do: 'offer', from: page, commands: [{ id: 5 }] });
    await desktop.send({ do: 'offer', from: page, commands: 'all' });
    expect((await look(desktop)).menu).toEqual(before);
    expect(desktop.said()).toContain('rejected commands');
    // Requests from before the page listens wait for it, but not everything that a browser can send.
    for (let at = 0; at < 30; at += 1) {
      await desktop.send({ do: 'second-instance', args: [`tagwright://tag/Not.There${at}.Value`] });
    }
    expect(await requests(desktop)).toEqual([]);
    await offer(desktop);
    const notices = (await requests(desktop)).map(({ body }) => String(body));
    expect(notices).toHaveLength(20);
    expect(notices.at(-1)).toContain('Not.There29.Value');
  });

  test('a link shows its target, even before the page loads; invalid ones do not', async () => {
    const link = 'tagwright://tag/Line1.Count.Value';
    const desktop = await openedDesktop(temporaryFolder(), {}, [link]);
    await offer(desktop);
    await vi.waitFor(async () => expect(await requests(desktop)).toHaveLength(1));
    const links = [
      'tagwright://script/Nothing/Here',
      'tagwright://run/everything',
      'tagwright://script/a/b/../../../c',
      'tagwright://tag/%E0%A4%A',
      'tagwright://event/1e9',
    ];
    for (const each of links) await desktop.send({ do: 'second-instance', args: ['tagwright', each] });
    const responses = await requests(desktop);
    expect(responses.slice(1).map(({ kind, title }) => [kind, title])).toEqual([
      ['notice', 'The target of the link does not exist'],
      ['notice', 'This link is not valid'],
      ['notice', 'This link is not valid'],
      ['notice', 'This link is not valid'],
      ['notice', 'This link is not valid'],
    ]);
    await desktop.send({ do: 'connect', from: page, frame: 'top' });
    const { scripts } = z
      .object({ scripts: z.array(z.object({ id: z.number(), group: z.string(), name: z.string() })) })
      .parse(await desktop.send({ do: 'call', path: 'scripts.list' }));
    const script = scripts[0];
    if (!script) throw new Error('the sample has scripts');
    await offer(desktop);
    const there = `tagwright://script/${encodeURIComponent(script.group)}/${encodeURIComponent(script.name)}`;
    await desktop.send({ do: 'second-instance', args: [there] });
    expect((await requests(desktop)).at(-1)).toEqual({ kind: 'show', view: 'scripts', what: String(script.id) });
    await desktop.send({ do: 'second-instance', args: ['tagwright://diagram/line%20overview'] });
    expect(await desktop.send({ do: 'windows' })).toEqual([page, `${page}diagrams/Line%20overview`]);
    // However often a web page opens the same link.
    for (let again = 0; again < 5; again += 1) {
      await desktop.send({ do: 'second-instance', args: ['tagwright://diagram/LINE%20overview'] });
    }
    expect(await desktop.send({ do: 'windows' })).toEqual([page, `${page}diagrams/Line%20overview`]);
  });

  test('a window opens at its last position, on an existing screen', async () => {
    const workspace = temporaryFolder();
    const bounds = { x: 2000, y: 50, width: 1200, height: 800 };
    const first = await openedDesktop(workspace);
    await desktopEnds(first, () => first.send({ do: 'place', bounds, maximized: true }));
    const second = await openedDesktop(workspace);
    expect((await look(second)).place).toEqual({ ...bounds, maximized: true });
    await desktopEnds(second);
    const without = await openedDesktop(workspace, { DOUBLE_ONE_SCREEN: '1' });
    expect((await look(without)).place).toMatchObject({ x: 100, width: 1200, height: 800 });
  });

  test('a crashed page is reloaded on request; the user can wait for one that hangs', async () => {
    const desktop = await openedDesktop(temporaryFolder());
    const details = { reason: 'crashed', exitCode: 139 };
    await desktop.send({ do: 'happens', to: 'page', event: 'render-process-gone', details, answer: 0 });
    await vi.waitFor(async () => expect((await look(desktop)).done).toEqual(['reload']));
    await desktop.send({ do: 'happens', to: 'window', event: 'unresponsive', answer: 0 });
    await desktop.send({ do: 'happens', to: 'window', event: 'unresponsive' });
    // The page responds again: the dialog is closed, and nothing is done.
    await desktop.send({ do: 'happens', to: 'window', event: 'responsive' });
    const { boxes, done } = await look(desktop);
    expect(boxes.map(({ buttons }) => buttons)).toEqual([
      ['Reload', 'Close the window'],
      ['Wait', 'Reload'],
      ['Wait', 'Reload'],
    ]);
    expect(done).toEqual(['reload']);
    await desktop.send({ do: 'connect', from: page, frame: 'top' });
    await desktop.send({ do: 'happens', to: 'window', event: 'unresponsive', answer: 1 });
    await vi.waitFor(async () => expect((await look(desktop)).done).toEqual(['reload', 'crash', 'reload']));
    // After a requested end, there is no second dialog because the process has ended.
    expect((await look(desktop)).boxes).toHaveLength(4);
    expect(await desktop.send({ do: 'windows' })).toEqual([page]);
  });

  test('the workspace is exported to a folder and imported from one by the menu', async () => {
    const desktop = await openedDesktop(temporaryFolder());
    await offer(desktop);
    await desktop.send({ do: 'menu', label: '&Export to a Folder…' });
    const folder = join(temporaryFolder(), 'exported');
    await desktop.send({ do: 'folder', path: folder });
    await desktop.send({ do: 'menu', label: '&Export to a Folder…' });
    await vi.waitFor(async () => expect(await requests(desktop)).toHaveLength(1));
    expect(await requests(desktop)).toMatchObject([{ title: 'The workspace was exported' }]);
    expect(existsSync(join(folder, 'tagwright.json'))).toBe(true);
    await desktop.send({ do: 'menu', label: '&Import from a Folder…' });
    await vi.waitFor(async () => expect(await requests(desktop)).toHaveLength(2));
    expect((await requests(desktop))[1]).toMatchObject({ title: 'The folder was imported' });
    await desktop.send({ do: 'folder', path: temporaryFolder() });
    await desktop.send({ do: 'menu', label: '&Import from a Folder…' });
    await vi.waitFor(async () => expect(await requests(desktop)).toHaveLength(3));
    expect((await requests(desktop))[2]).toMatchObject({ title: 'The folder was not imported' });
  });

  test('a second start passes on its link and ends', async () => {
    const workspace = temporaryFolder();
    const first = await openedDesktop(workspace);
    await offer(first);
    const second = startDesktop(workspace, {}, ['tagwright://tag/Not.There.Value']);
    expect(await second.ended).toBe(0);
    await vi.waitFor(async () => expect(await requests(first)).toHaveLength(1));
    expect(await requests(first)).toMatchObject([{ title: 'The target of the link does not exist' }]);
    expect(await first.send({ do: 'describe' })).toMatchObject({ focused: 1 });
  });

  test('a start during closing reopens it afterwards, with the link of that start', async () => {
    const workspace = temporaryFolder();
    const link = 'tagwright://tag/Line1.Count.Value';
    const first = await openedDesktop(workspace, {}, ['tagwright://tag/Not.There.Value']);
    const pid = () => holder.parse(JSON.parse(readFileSync(join(workspace, 'instance.json'), 'utf8'))).pid;
    const before = pid();
    await first.send({ do: 'quit', again: ['tagwright', link] });
    expect(await first.ended).toBe(0);
    const after = await vi.waitFor(
      () => {
        const found = pid();
        if (found === before) throw new Error('not yet');
        return found;
      },
      { interval: 50 },
    );
    const command = commandOf(after);
    process.kill(after, 'SIGTERM');
    expect(command.split('\0').slice(-4)).toEqual(['--workspace', workspace, link, '']);
    await vi.waitFor(() => expect(isRunning(after)).toBe(false));
  });

  test('the window works again after a restore, and links in between wait', async () => {
    const workspace = temporaryFolder();
    const desktop = await openedDesktop(workspace);
    await desktop.send({ do: 'connect', from: page, frame: 'top' });
    await offer(desktop);
    const { startedAt } = await (await clientOf(workspace)).app.info();
    const input = named.parse(await desktop.send({ do: 'call', path: 'backups.create' }));
    expect(await desktop.send({ do: 'call', path: 'backups.restore', input })).toMatchObject(input);
    await desktop.send({ do: 'second-instance', args: ['tagwright://tag/Not.There.Value'] });
    const { restored } = await reopened(workspace, startedAt);
    expect(restored).toMatchObject({ backup: input.name, problem: null });
    expect(await desktop.send({ do: 'connect', from: page, frame: 'top' })).toBe(true);
    expect(await desktop.send({ do: 'call', path: 'app.info' })).toMatchObject({ restored });
    await vi.waitFor(async () => expect(await requests(desktop)).toMatchObject([{ kind: 'notice' }]));
    await desktopEnds(desktop);
  });
});

async function desktopEnds(desktop: Desktop, before?: () => Promise<unknown>): Promise<void> {
  await before?.();
  await desktop.send({ do: 'quit' });
  expect(await desktop.ended).toBe(0);
}
