import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { sampled } from '../support/scale.ts';
import { chooseTheme, dialogGone, dialogThere, focusIn, nextTurn, pickInPalette, THEMES, undo } from './steps.ts';

/** A position where no tooltip of the activity bar covers a row. */
const BESIDE_TOOLTIP = { x: 220, y: 13 };
const LIMIT = 'Bottling.Settings.Limits.SpeedLow.Value';

describe('Diagrams', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    window = await workbench.open({ view: 'diagrams', reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  const openView = async () => {
    const { page } = window;
    await page
      .getByRole('button', { name: 'Diagrams' })
      .or(page.getByRole('tab', { name: 'Diagrams' }))
      .first()
      .click();
    await page.getByRole('grid', { name: 'Diagrams' }).waitFor();
    return page;
  };
  const open = async (name: string) => {
    const page = await openView();
    await page.getByRole('grid', { name: 'Diagrams' }).getByRole('row', { name }).click({ position: BESIDE_TOOLTIP });
    await page.getByRole('region', { name, exact: true }).waitFor();
    return page;
  };

  test('a Diagram shows the values of its location, and writes for it', async () => {
    const page = await open('Line overview');
    await page.getByRole('textbox', { name: 'workcenter' }).fill('Line2');
    await page.getByRole('region', { name: 'Line overview' }).getByText('Line 2 overview').waitFor();
    await page.getByRole('button', { name: 'Low limit to 260' }).click();
    const field = page.getByRole('textbox', { name: 'Low limit for this Diagram' });
    await expect.poll(() => field.inputValue()).toBe('260');
    await field.fill('no number');
    await field.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/number/i)
      .first()
      .waitFor();
    await field.fill('255.5');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('255.5');

    const seen = async (...scope: string[]) => {
      const [tag]: { value: unknown }[] = JSON.parse(
        await workbench.tagwright('tags', 'get', LIMIT, ...scope, '--json'),
      );
      return tag?.value;
    };
    await expect.poll(() => seen('--diagram', 'Line overview', '--location', 'Line2')).toBe(255.5);
    expect(await seen('--diagram', 'Manager', '--location', 'Line2')).toBe(250);
    expect(await seen()).toBe(350);
    await page.getByRole('textbox', { name: 'workcenter' }).fill('');
  });

  test('its address opens only the Diagram, for the location in the address', async () => {
    const page = await window.context.newPage();
    await page.goto(new URL('/diagrams/Line%20overview?workcenter=Line2', window.page.url()).href);
    await page.getByRole('main', { name: 'Diagram Line overview' }).getByText('Line 2 overview').waitFor();
    await page.getByRole('textbox', { name: 'workcenter' }).fill('');
    await page.getByRole('region', { name: 'Line overview' }).getByText('Line overview', { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.goto(new URL('/diagrams/No%20such.one', window.page.url()).href);
    await page.getByRole('alert').getByText('There is no Diagram named "No such.one"').waitFor();
    await page.close();
  });

  test('created, arranged, used and undone by keyboard; unsaved work survives a close', async () => {
    const page = await openView();
    const { keyboard } = page;
    await keyboard.press('Alt+N');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'New Diagram' }));
    await dialog.getByRole('textbox').fill('a/b');
    await keyboard.press('Enter');
    await page.getByText(/Name cannot contain/).waitFor();
    await dialog.getByRole('textbox').fill('Packing "hall" 🏭 مرحبا');
    await keyboard.press('Enter');
    await dialogGone(dialog);
    await page.getByText('This page is empty').waitFor();

    await page.getByRole('button', { name: 'Add a part' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Input that writes' }).press('Enter');
    const form = page.getByRole('form', { name: 'Properties of the part' });
    await form.waitFor();
    // The menu returns the focus.
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await nextTurn(page);
    await form.getByRole('combobox', { name: 'Tag' }).fill(LIMIT);
    await form.getByRole('textbox', { name: 'Label' }).fill('Lowest speed');
    const part = page.getByRole('group', { name: /Input Lowest speed/ });
    const place = async () => (await part.boundingBox())?.x ?? 0;
    await part.focus();
    await focusIn(part);
    const before = await place();
    for (let step = 0; step < 3; step += 1) await keyboard.press('ArrowRight');
    await expect.poll(async () => (await place()) - before).toBe(24);
    await keyboard.press('Shift+ArrowDown');
    await expect.poll(() => form.getByRole('textbox', { name: 'Height (px)' }).inputValue()).toBe('80');
    await keyboard.press('Control+Z');
    await expect.poll(() => form.getByRole('textbox', { name: 'Height (px)' }).inputValue()).toBe('72');
    await keyboard.press('Control+Z');
    await expect.poll(place).toBe(before);
    await keyboard.press('Control+Y');
    await expect.poll(async () => (await place()) - before).toBe(24);

    // Unsaved work is restored after the window is closed.
    await page.reload();
    await page.getByRole('grid', { name: 'Diagrams' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Lowest speed' }).waitFor();
    await keyboard.press('Control+S');
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    const field = page.getByRole('textbox', { name: 'Lowest speed' });
    await field.fill('333');
    await field.press('Enter');
    const value = () => workbench.tagwright('tags', 'get', LIMIT, '--diagram', 'Packing "hall" 🏭 مرحبا', '--json');
    await expect.poll(value).toContain('333');
  });

  test('a part is dragged and made larger by its corner, on the grid', async () => {
    const page = await open('Manager');
    await page.keyboard.press('F2');
    const part = page.getByRole('group', { name: /Value Bottles filled/ });
    // Waits until it stops moving.
    await part.hover({ position: { x: 40, y: 20 } });
    const from = await part.boundingBox();
    if (!from) throw new Error('the part is not seen');
    await page.mouse.down();
    await page.mouse.move(from.x + 65, from.y + 61, { steps: 5 });
    await page.mouse.up();
    await expect
      .poll(async () => {
        const to = await part.boundingBox();
        return [(to?.x ?? 0) - from.x, (to?.y ?? 0) - from.y];
      })
      .toEqual([24, 40]);
    await page.keyboard.press('Control+Z');
    await expect.poll(async () => (await part.boundingBox())?.x).toBe(from.x);
    await page.keyboard.press('F2');
  });

  test('a part behind another is marked, reached, and brought to the front', async () => {
    const page = await open('Manager');
    await page.keyboard.press('F2');
    const editor = page.getByRole('group', { name: 'Parts of Manager' });
    const marks = editor.locator('[data-covered]');
    const before = await marks.count();
    const part = editor.getByRole('group', { name: /Value Bottles filled/ });
    await part.focus();
    await focusIn(part);
    await page.keyboard.press('Control+C');
    await page.keyboard.press('Control+V');
    const copy = editor.getByRole('group', { name: /Value Bottles filled.*, chosen/ });
    await copy.waitFor();
    await expect.poll(() => marks.count()).toBe(before + 1);
    const behind = editor.getByRole('group', { name: /Value Bottles filled.*behind another part/ });
    const box = await behind.boundingBox();
    if (!box) throw new Error('the part is not seen');
    // The first click leads from the selected copy to the part behind it.
    await page.keyboard.down('Alt');
    await page.mouse.click(box.x + 60, box.y + 40);
    await page.keyboard.up('Alt');
    const reached = editor.getByRole('group', { name: /Value Bottles filled.*behind another part, chosen/ });
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

  test('a conflict with another window is shown, and both versions are kept', async () => {
    const page = await open('Line overview');
    await page.keyboard.press('F2');
    await page.getByRole('group', { name: /Text Open orders/ }).focus();
    await focusIn(page.getByRole('group', { name: /Text Open orders.*chosen/ }));
    await page.keyboard.press('ArrowDown');
    const second = await workbench.open({ view: 'diagrams' });
    await pickInPalette(second.page, 'line overview', /Line overview.*parts/);
    await second.page.getByRole('region', { name: 'Line overview', exact: true }).waitFor();
    await second.page.keyboard.press('F2');
    await second.page.getByRole('group', { name: /Text Open orders/ }).focus();
    await focusIn(second.page.getByRole('group', { name: /Text Open orders.*chosen/ }));
    await second.page.keyboard.press('ArrowRight');
    await second.page.keyboard.press('Control+S');
    await second.page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await second.close();
    await page.getByText('Another window saved this Diagram').waitFor();
    const x = () => page.getByRole('form', { name: 'Properties of the part' }).getByLabel('x (px)').inputValue();
    await expect.poll(x).toBe('16');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await expect.poll(x).toBe('16');
    await page.keyboard.press('F2');
  });

  test('parts are collected, copied to another Diagram and cut by keyboard', async () => {
    const page = await open('Manager');
    const { keyboard } = page;
    await keyboard.press('F2');
    const parts = page.getByRole('group', { name: 'Parts of Manager', exact: true });
    const first = parts.getByRole('group', { name: /^Text / }).first();
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
    await pickInPalette(page, 'paste parts', /Paste parts/);
    await expect
      .poll(() => page.getByRole('group', { name: 'Parts of Copied' }).locator('[data-part]').count())
      .toBe(2);
    await page.getByText('2 parts are selected').waitFor();
    await keyboard.press('Control+S');
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  });

  test('a trend and a gauge are added by keyboard, stored, and live', async () => {
    const SPEED = 'Bottling.Line1.Filler.Speed.Value';
    const page = await open('Manager');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New Diagram' });
    await dialogThere(dialog);
    await dialog.getByRole('textbox').fill('Live');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await page.getByText('This page is empty').waitFor();
    const form = page.getByRole('form', { name: 'Properties of the part' });
    await pickInPalette(page, 'add trend', /Add: Trend/);
    await form.getByRole('combobox', { name: 'Tag 1' }).fill(SPEED);
    await page.keyboard.press('Escape');
    await form.getByLabel('Time', { exact: true }).selectOption('1 min');
    await pickInPalette(page, 'add gauge', /Add: Gauge/);
    await form.getByRole('combobox', { name: 'Tag', exact: true }).fill(SPEED);
    await page.keyboard.press('Escape');
    await form.getByLabel('Maximum').fill('-5');
    await form.getByText('The minimum must be less than the maximum').waitFor();
    await form.getByLabel('Maximum').fill('500');
    await form.getByLabel('High limit').fill('20');
    await page.keyboard.press('Control+S');
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    const client = await workbench.client();
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
    const page = await open('Manager');
    await page.keyboard.press('F2');
    const parts = page.getByRole('group', { name: 'Parts of Manager', exact: true });
    const box = await parts.boundingBox();
    if (!box) throw new Error('the page is not seen');
    const first = parts.getByRole('group', { name: /Value Bottles filled/ });
    // Waits until it stops moving.
    await first.hover();
    await page.mouse.move(box.x + 8, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + 700, box.y + 200, { steps: 5 });
    await page.mouse.up();
    await page.getByText('6 parts are selected').waitFor();
    const topOf = async (name: RegExp) => (await parts.getByRole('group', { name }).boundingBox())?.y;
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

  test('a number in a local format is explained; a deleted tag is reported and restored', async () => {
    const client = await workbench.client();
    const path = 'Line.Diagram.Level.Value';
    const tag = { path, kind: 'storage' as const, type: 'Double' as const, unit: '', description: '' };
    const level = { ...tag, settings: { initial: 1.25 } };
    await client.tags.save(level);
    const part = { kind: 'input' as const, x: 16, width: 232, height: 72, tag: path, value: null };
    await client.diagrams.save({
      name: 'Levels',
      width: 400,
      height: 300,
      parts: [
        { ...part, id: 'a', y: 16, label: 'Level' },
        { ...part, id: 'b', y: 96, label: 'م'.repeat(500), kind: 'value' },
      ],
    });
    const page = await open('Levels');
    const shown = page.getByRole('region', { name: 'Levels', exact: true });
    const field = shown.getByRole('textbox', { name: 'Level' });
    await expect.poll(() => field.inputValue()).toBe('1.25');
    await field.fill('1.234,5');
    await field.press('Enter');
    await shown.getByRole('alert').getByText('has separators between its digits').waitFor();
    await field.fill('2,500');
    await field.press('Enter');
    await shown.getByRole('alert').getByText('enter 2.500 or 2500').waitFor();
    await field.press('Escape');
    await expect.poll(() => field.inputValue()).toBe('1.25');

    await client.tags.delete({ paths: [path] });
    await shown.getByText('BadNodeIdUnknown').first().waitFor();
    await field.fill('3');
    await field.press('Enter');
    await shown.getByRole('alert').waitFor();
    await client.tags.save(level);
    await field.press('Enter');
    await expect.poll(() => shown.getByRole('alert').count()).toBe(0);
    await expect.poll(() => field.inputValue()).toBe('3');
    expect(await accessibilityFindings(page, 'long and right-to-left labels', '[data-pane="diagram"]')).toEqual([]);
  });

  test('a label of 2,000 characters is saved; a longer one is rejected while typing', async () => {
    const client = await workbench.client();
    const most = 'Filler speed '.repeat(154).slice(0, 2_000);
    const kinds = ['value', 'lamp', 'text', 'image', 'table', 'input', 'button'] as const;
    const part = { x: 16, width: 232, height: 40, tag: LIMIT, value: null };
    const { id } = await client.diagrams.save({
      name: 'Labels',
      width: 400,
      height: 400,
      parts: kinds.map((kind, place) => ({
        ...part,
        id: kind,
        kind,
        y: 16 + 48 * place,
        label: most,
        tag: kind === 'text' ? '' : LIMIT,
      })),
    });
    const page = await open('Labels');
    const shown = page.getByRole('region', { name: 'Labels', exact: true });
    await shown.getByRole('button', { name: most.trim() }).waitFor();
    const widths = await shown.evaluate(({ clientWidth, scrollWidth }) => [scrollWidth, clientWidth]);
    expect(widths[0]).toBe(widths[1]);
    expect(await accessibilityFindings(page, 'labels of 2,000 characters', '[data-pane="diagram"]')).toEqual([]);

    await page.keyboard.press('F2');
    await page.getByRole('group', { name: /^Button Filler speed/ }).focus();
    const label = page.getByRole('form', { name: 'Properties of the part' }).getByRole('textbox', { name: 'Label' });
    await expect.poll(() => label.inputValue()).toBe(most);
    await label.fill(`${most}x`);
    await page.getByText('At most 2,000 characters. Shorten it to save the Diagram.').waitFor();
    await label.press('Control+S');
    await page.locator('.fui-Toast').getByText('The Diagram was not saved').waitFor();
    expect(await label.inputValue()).toBe(`${most}x`);
    await label.fill('x'.repeat(2_000));
    await label.press('Control+S');
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    const saved = await client.diagrams.get({ id });
    expect(saved.parts.find(({ kind }) => kind === 'button')?.label).toBe('x'.repeat(2_000));
    await page.keyboard.press('F2');
  });

  test('a Diagram is deleted, and restored with Undo', async () => {
    const page = await open('Manager');
    await page.getByRole('grid', { name: 'Diagrams' }).focus();
    await focusIn(page.getByRole('grid', { name: 'Diagrams' }));
    await page.keyboard.press('Delete');
    const row = page.getByRole('grid', { name: 'Diagrams' }).getByRole('row', { name: 'Manager' });
    await row.waitFor({ state: 'detached' });
    await undo(page, 'Deleted');
    await row.waitFor();
    await expect.poll(() => row.getByRole('gridcell').last().innerText()).toBe('9');
  });

  test.for(sampled(THEMES, 1))('axe finds nothing in theme %s', async (theme) => {
    const page = await open('Line overview');
    await chooseTheme(page, theme);
    await page.getByRole('region', { name: 'Line overview', exact: true }).getByText('Filler speed').waitFor();
    const found = async (state: string) => accessibilityFindings(page, state);
    const used = await found('used');
    await page.keyboard.press('F2');
    await page.getByRole('group', { name: /Lamp Caps are low/ }).focus();
    await page.getByRole('form', { name: 'Properties of the part' }).waitFor();
    expect([...used, ...(await found('arranged'))]).toEqual([]);
    await page.keyboard.press('F2');
  });
});
