import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DesktopWorkbench } from '../../support/product/desktop-workbench.ts';
import { startDesktopWorkbench } from '../../support/product/desktop-workbench.ts';
import { dialogGone, dialogThere } from '../steps.ts';

const TAG = 'Bottling.Line1.Filler.Speed.Value';
const PLACE = { x: 200, y: 120, width: 1200, height: 800 };

/** Real second starts of the built application, as the system starts it for a link, with pages of a real Chromium. */
describe('links and starts of the desktop application', () => {
  let workbench: DesktopWorkbench;
  let page: Page;
  beforeAll(async () => {
    workbench = await startDesktopWorkbench();
    page = await workbench.windowAt('/');
  });
  afterAll(() => workbench.close());

  const follow = async (link: string) => expect(await workbench.secondStart(link)).toBe(0);
  const focused = async () =>
    z.object({ focused: z.number() }).parse(await workbench.desktop().send({ do: 'describe' })).focused;

  test('a link to a script, a tag, a rule or an event shows it in the open window', async () => {
    const client = await workbench.client();
    const before = await focused();
    await follow('tagwright://script/Line%201/OEE%20of%20the%20shift');
    await page.getByRole('tab', { name: 'OEE of the shift', selected: true }).waitFor();
    await expect.poll(focused).toBe(before + 1);

    await follow(`tagwright://tag/${TAG}`);
    await page.getByRole('main', { name: 'Tags' }).getByRole('heading', { name: TAG }).waitFor();

    await follow('tagwright://rule/line%20REPORT');
    const form = page.getByRole('main', { name: 'Aggregations' }).getByRole('form', { name: 'Rule' });
    await expect.poll(() => form.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Line report');

    const rule = await client.rules.get({ name: 'Fill volume check' });
    await client.rules.save({ ...rule, enabled: false });
    const { firstEvent } = await client.rules.fire({ name: 'Fill volume check' });
    await follow(`tagwright://event/${firstEvent}`);
    const events = page.getByRole('main', { name: 'Events' });
    await events.getByRole('gridcell', { name: String(firstEvent), exact: true }).waitFor();
  });

  test('a link to a Diagram opens a separate window', async () => {
    await follow('tagwright://diagram/line%20overview');
    const window = await workbench.windowAt('/diagrams/Line%20overview');
    await window
      .getByRole('main', { name: 'Diagram Line overview' })
      .getByText('Line overview', { exact: true })
      .last()
      .waitFor();
    await expect.poll(() => workbench.desktop().send({ do: 'windows' })).toHaveLength(2);
    await window.close();
  });

  test('links without a target, and hostile links, are only reported', async () => {
    const client = await workbench.client();
    const kept = async () => JSON.stringify([await client.scripts.list(), await client.settings.get()]);
    const before = await kept();
    const gone = [
      'tagwright://script/No/Such',
      'tagwright://rule/none',
      'tagwright://event/999999999',
      'tagwright://tag/Not.There.Value',
    ];
    const hostile = [
      'tagwright://run/Line%201/OEE%20of%20the%20shift',
      'tagwright://script/../../../etc/passwd',
      'tagwright://tag/%00%ff',
      'tagwright://rule/<img src=x onerror=alert(1)>/more',
      'tagwright://javascript:alert(1)/x',
      `tagwright://tag/${'A'.repeat(50_000)}`,
      'tagwright://event/1;DROP TABLE events',
    ];
    const args = (link: string) => ['/usr/bin/tagwright', '--allow-file-access-from-files', link];
    for (const link of [...gone, ...hostile]) {
      await workbench.desktop().send({ do: 'second-instance', args: args(link) });
    }
    await page.keyboard.press('Alt+Shift+N');
    const notices = await dialogThere(page.getByRole('dialog').filter({ hasText: 'This link is not valid' }));
    await expect.poll(() => notices.getByText('The target of the link does not exist').count()).toBe(gone.length);
    await expect.poll(() => notices.getByText('This link is not valid').count()).toBe(hostile.length);
    await page.keyboard.press('Escape');
    await dialogGone(notices);
    expect(await kept()).toBe(before);
  });

  test('a start by a link opens the window at its last position, with the target', async () => {
    await workbench.desktop().send({ do: 'place', bounds: PLACE, maximized: false });
    await workbench.desktop().send({ do: 'quit' });
    expect(await workbench.desktop().ended).toBe(0);
    await workbench.start('tagwright://rule/Line%20report');
    page = await workbench.windowAt('/');
    const form = page.getByRole('main', { name: 'Aggregations' }).getByRole('form', { name: 'Rule' });
    await expect.poll(() => form.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Line report');
    expect(await workbench.desktop().send({ do: 'seen' })).toMatchObject({ place: PLACE });
    expect(page.viewportSize()).toBeNull();
    await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([PLACE.width, PLACE.height]);
  });
});
