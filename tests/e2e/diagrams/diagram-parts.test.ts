import { describe, expect, test } from 'vitest';
import { sampled } from '../../support/run/scale.ts';
import { diagramsWindow } from './diagrams-window.ts';
import { dialogGone, dialogThere, focusIn, pickInPalette, placeOf } from '../steps.ts';

describe('parts of a Diagram', () => {
  const diagrams = diagramsWindow();

  test('a part is dragged and made larger by its corner, on the grid', async () => {
    const page = await diagrams.open('Manager');
    await page.keyboard.press('F2');
    const part = page.getByRole('option', { name: /Value Bottles filled/ });
    // Waits until it stops moving.
    await part.hover({ position: { x: 40, y: 20 } });
    const from = await part.boundingBox();
    if (!from) throw new Error('the part is not seen');
    await page.mouse.down();
    const [x = 0, y = 0] = await placeOf(part);
    await page.mouse.move(from.x + 65, from.y + 61, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => placeOf(part)).toEqual([x + 24, y + 40]);
    await page.keyboard.press('Control+Z');
    await expect.poll(() => placeOf(part)).toEqual([x, y]);
    await page.keyboard.press('F2');
  });

  test('a part behind another is marked, reached, and brought to the front', async () => {
    const page = await diagrams.open('Manager');
    await page.keyboard.press('F2');
    const editor = page.getByRole('listbox', { name: 'Parts of Manager' });
    const marks = editor.locator('[data-covered]');
    const part = editor.getByRole('option', { name: /Value Bottles filled/ });
    await part.focus();
    await focusIn(part);
    const before = await marks.count();
    await page.keyboard.press('Control+C');
    await page.keyboard.press('Control+V');
    const copy = editor.getByRole('option', { name: /Value Bottles filled/, selected: true });
    await copy.waitFor();
    await expect.poll(() => marks.count()).toBe(before + 1);
    const behind = editor.getByRole('option', { name: /Value Bottles filled.*behind another part/ });
    const box = await behind.boundingBox();
    if (!box) throw new Error('the part is not seen');
    // The first click leads from the selected copy to the part behind it.
    await page.keyboard.down('Alt');
    await page.mouse.click(box.x + 60, box.y + 40);
    await page.keyboard.up('Alt');
    const reached = editor.getByRole('option', { name: /Value Bottles filled.*behind another part/, selected: true });
    await focusIn(reached);
    const id = await reached.getAttribute('data-part');
    const order = () => editor.locator('[data-part]').last().getAttribute('data-part');
    await page.keyboard.press('Control+Shift+ArrowUp');
    await expect.poll(order).toBe(id);
    await page.getByRole('button', { name: 'Send to back' }).click();
    await expect.poll(order).not.toBe(id);
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+Z');
    await expect.poll(() => marks.count()).toBe(before);
    await page.keyboard.press('F2');
  });

  test('parts are collected, copied to another Diagram and cut by keyboard', async () => {
    const page = await diagrams.open('Manager');
    const { keyboard } = page;
    await keyboard.press('F2');
    const parts = page.getByRole('listbox', { name: 'Parts of Manager', exact: true });
    const first = parts.getByRole('option', { name: /^Text / }).first();
    await first.focus();
    await keyboard.press('Space');
    await keyboard.press('Tab');
    const second = parts.locator('[data-part]:focus');
    await second.waitFor();
    await keyboard.press('Space');
    await page.getByText('2 parts are selected').waitFor();
    await keyboard.press('Control+C');
    const count = await parts.locator('[data-part]').count();
    await keyboard.press('Control+X');
    await expect.poll(() => parts.locator('[data-part]').count()).toBe(count - 2);
    await keyboard.press('Control+Z');
    await expect.poll(() => parts.locator('[data-part]').count()).toBe(count);
    // Unchanged since the save: there is nothing to save.
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();

    await keyboard.press('Alt+N');
    const dialog = page.getByRole('dialog', { name: 'New Diagram' });
    await dialogThere(dialog);
    await dialog.getByRole('textbox').fill('Copied');
    await keyboard.press('Enter');
    await dialogGone(dialog);
    await page.getByText('This page is empty').waitFor();
    await page.getByRole('button', { name: 'Arrange', exact: true, pressed: true }).press('Control+V');
    await expect
      .poll(() => page.getByRole('listbox', { name: 'Parts of Copied' }).locator('[data-part]').count())
      .toBe(2);
    await page.getByText('2 parts are selected').waitFor();
    await keyboard.press('Control+S');
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  });

  test('a trend and a gauge are added by keyboard, stored, and live', async () => {
    const SPEED = 'Bottling.Line1.Filler.Speed.Value';
    const page = await diagrams.open('Manager');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New Diagram' });
    await dialogThere(dialog);
    await dialog.getByRole('textbox').fill('Live');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await page.getByText('This page is empty').waitFor();
    const form = page.getByRole('form', { name: 'Properties of the part' });
    await pickInPalette(page, 'add trend', /Add: Trend/);
    // Without its list, Escape would leave the part.
    const fillTag = async (name: string) => {
      await form.getByRole('combobox', { name, exact: true }).fill(SPEED);
      await page.getByRole('option', { name: SPEED, exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('option', { name: SPEED, exact: true }).waitFor({ state: 'detached' });
    };
    await fillTag('Tag 1');
    await form.getByLabel('Time', { exact: true }).selectOption('1 min');
    await pickInPalette(page, 'add gauge', /Add: Gauge/);
    await fillTag('Tag');
    await form.getByLabel('Maximum').fill('-5');
    await form.getByText('The minimum must be less than the maximum').waitFor();
    await form.getByLabel('Maximum').fill('500');
    await form.getByLabel('High limit').fill('20');
    await page.keyboard.press('Control+S');
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    const client = await diagrams.workbench.client();
    const { parts } = await client.diagrams.get({ name: 'Live' });
    expect(parts).toMatchObject([
      { kind: 'trend', trend: { tags: [SPEED], spanMs: 60_000 } },
      { kind: 'gauge', tag: SPEED, gauge: { min: 0, max: 500, low: null, high: 20 } },
    ]);
    expect((await client.tags.usage({ path: SPEED })).diagrams.map(({ name }) => name)).toContain('Live');

    await page.keyboard.press('F2');
    const shown = page.getByRole('region', { name: 'Live', exact: true });
    const meter = shown.getByRole('meter', { name: SPEED });
    await expect.poll(() => meter.getAttribute('aria-valuetext')).toMatch(/^\d{3}.* bottles\/min, above 20$/);
    // Computed from the signal: the line is there although nobody has watched it.
    const plot = shown.getByRole('img', { name: /^Trend: Filler.Speed from \d{3}/ });
    await plot.waitFor();
    await shown.getByLabel('Time of Trend').selectOption('15 min');
    await plot.waitFor();
  });

  test('parts are selected by a rubber band, aligned and distributed, with undo', async () => {
    const page = await diagrams.open('Manager');
    await page.keyboard.press('F2');
    const parts = page.getByRole('listbox', { name: 'Parts of Manager', exact: true });
    const first = parts.getByRole('option', { name: /Value Bottles filled/ });
    // Waits until it stops moving.
    await first.hover();
    const box = await parts.boundingBox();
    if (!box) throw new Error('the page is not seen');
    const scale = box.width / (await (await diagrams.workbench.client()).diagrams.get({ name: 'Manager' })).width;
    await page.mouse.move(box.x + 8 * scale, box.y + 80 * scale);
    await page.mouse.down();
    await page.mouse.move(box.x + 700 * scale, box.y + 200 * scale, { steps: 5 });
    await page.mouse.up();
    await page.getByText('6 parts are selected').waitFor();
    const topOf = async (name: RegExp) => (await parts.getByRole('option', { name }).boundingBox())?.y;
    const before = await topOf(/Button Set point to 400/);
    await page.getByRole('button', { name: 'Align bottom edges' }).click();
    await expect.poll(() => topOf(/Button Set point to 400/)).not.toBe(before);
    await page.keyboard.press('Control+Z');
    await expect.poll(() => topOf(/Button Set point to 400/)).toBe(before);
    await page.keyboard.down('Shift');
    await first.click();
    await page.keyboard.up('Shift');
    await page.getByText('5 parts are selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('form', { name: 'Properties of the page' }).waitFor();
    await page.keyboard.press('F2');
  });

  test.for(sampled([50, 100, 200], 1))('parts are arranged at a zoom of %i %', async (percent) => {
    const page = await diagrams.open('Manager');
    await page.getByRole('button', { name: /^Zoom: / }).press('Enter');
    await page.getByRole('menuitemradio', { name: `${percent} %`, exact: true }).press('Enter');
    await page.keyboard.press('F2');
    const scale = percent / 100;
    const parts = page.getByRole('listbox', { name: 'Parts of Manager', exact: true });
    const part = parts.getByRole('option', { name: /Value Bottles filled/ });
    await part.hover({ position: { x: 30 * scale, y: 20 * scale } });
    const from = await part.boundingBox();
    const [x = 0, y = 0] = await placeOf(part);
    if (!from) throw new Error('the part is not seen');
    await page.mouse.down();
    await page.mouse.move(from.x + (30 + 40) * scale, from.y + (20 + 24) * scale, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => placeOf(part)).toEqual([x + 40, y + 24]);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => placeOf(part)).toEqual([x + 48, y + 24]);
    // By its corner, which is as large as at any other zoom.
    const corner = part.locator('span[aria-hidden]').last();
    const handle = await corner.boundingBox();
    expect(handle?.width).toBeGreaterThan(8);
    expect(handle?.width).toBeLessThan(16);
    const form = page.getByRole('form', { name: 'Properties of the part' });
    const size = async () => Number(await form.getByLabel('Width (px)').inputValue());
    const wide = await size();
    await corner.hover();
    const grip = { x: (handle?.x ?? 0) + 4, y: (handle?.y ?? 0) + 4 };
    await page.mouse.move(grip.x, grip.y);
    await page.mouse.down();
    await page.mouse.move(grip.x + 32 * scale, grip.y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(size).toBe(wide + 32);

    // A rectangle around exactly this part.
    await page.keyboard.press('Escape');
    const sheet = await parts.boundingBox();
    const now = await part.boundingBox();
    if (!sheet || !now) throw new Error('the page is not seen');
    await page.mouse.move(sheet.x + 4 * scale, now.y + now.height / 2);
    await page.mouse.down();
    await page.mouse.move(now.x + 10 * scale, now.y + now.height / 2 + 5, { steps: 4 });
    await page.mouse.up();
    await form.waitFor();
    await expect.poll(size).toBe(wide + 32);
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+Z');
    await expect.poll(() => placeOf(part)).toEqual([x, y]);
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+0');
  });
});
