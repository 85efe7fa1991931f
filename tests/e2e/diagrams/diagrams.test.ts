import { describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import { sampled } from '../../support/run/scale.ts';
import { diagramsWindow } from './diagrams-window.ts';
import {
  chooseTheme,
  dialogGone,
  dialogThere,
  focusIn,
  nextTurn,
  openDiagrams,
  pickInPalette,
  placeOf,
  THEMES,
  undo,
} from '../steps.ts';

const LIMIT = 'Bottling.Settings.Limits.SpeedLow.Value';

describe('Diagrams', () => {
  const diagrams = diagramsWindow();

  test('a Diagram shows the values of its location, and writes for it', async () => {
    const page = await diagrams.open('Line overview');
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
        await diagrams.workbench.tagwright('tags', 'get', LIMIT, ...scope, '--json'),
      );
      return tag?.value;
    };
    await expect.poll(() => seen('--diagram', 'Line overview', '--location', 'Line2')).toBe(255.5);
    expect(await seen('--diagram', 'Manager', '--location', 'Line2')).toBe(250);
    expect(await seen()).toBe(350);
    await page.getByRole('textbox', { name: 'workcenter' }).fill('');
  });

  test('badges show overridden and forced values, as in the table of tags', async () => {
    const page = await diagrams.open('Line overview');
    const client = await diagrams.workbench.client();
    const shown = page.getByRole('region', { name: 'Line overview', exact: true });
    // A value, a gauge and a lamp, whose badges are letters.
    const tags = [
      ['Filler speed', 'Bottling.Line1.Filler.Speed.Value', 1.6],
      ['Tank level', 'Bottling.Line1.Filler.TankLevel.Value', 70],
      ['Filler is running', 'Bottling.Line1.Filler.State.Value', 'Running'],
    ] as const;
    const paths = tags.map(([, path]) => path);
    const badges = () =>
      Promise.all(
        paths.map((path) =>
          shown
            .getByTitle(path, { exact: true })
            .last()
            .getByRole('img', { name: /^(overridden|forced)$/ })
            .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? '')),
        ),
      );
    const each = (...names: string[]) => paths.map(() => names);
    await expect.poll(badges).toEqual(each());
    await client.tags.set({ items: tags.map(([, tag, value]) => ({ tag, value })) });
    await expect.poll(badges).toEqual(each('overridden'));
    await client.tags.forceAll({ paths, quality: 'BadCommunicationError' });
    await expect.poll(badges).toEqual(each('overridden', 'forced'));
    expect(await accessibilityFindings(page, 'badges')).toEqual([]);
    await client.tags.release({ paths });
    await expect.poll(badges).toEqual(each('forced'));
    await client.tags.forceAll({ paths, quality: null });
    await expect.poll(badges).toEqual(each());
  });

  test('its address opens only the Diagram, for the location in the address', async () => {
    const page = await diagrams.window.context.newPage();
    await page.goto(new URL('/diagrams/Line%20overview?workcenter=Line2', diagrams.window.page.url()).href);
    await page.getByRole('main', { name: 'Diagram Line overview' }).getByText('Line 2 overview').waitFor();
    await page.getByRole('textbox', { name: 'workcenter' }).fill('');
    await page.getByRole('region', { name: 'Line overview' }).getByText('Line overview', { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.goto(new URL('/diagrams/No%20such.one', diagrams.window.page.url()).href);
    await page.getByRole('alert').getByText('There is no Diagram named "No such.one"').waitFor();
    await page.close();
  });

  test('created, arranged, used and undone by keyboard; unsaved work survives a close', async () => {
    const { page } = diagrams.window;
    await openDiagrams(page);
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
    const part = page.getByRole('option', { name: /Input Lowest speed/ });
    const place = async () => (await placeOf(part))[0] ?? 0;
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
    const value = () =>
      diagrams.workbench.tagwright('tags', 'get', LIMIT, '--diagram', 'Packing "hall" 🏭 مرحبا', '--json');
    await expect.poll(value).toContain('333');
  });

  test('a conflict with another window is shown, and both versions are kept', async () => {
    const page = await diagrams.open('Line overview');
    await page.keyboard.press('F2');
    await page.getByRole('option', { name: /Text Open orders/ }).focus();
    await focusIn(page.getByRole('option', { name: /Text Open orders/, selected: true }));
    await page.keyboard.press('ArrowDown');
    const second = await diagrams.workbench.open({ view: 'diagrams' });
    await pickInPalette(second.page, 'line overview', /Line overview.*parts/);
    await second.page.getByRole('region', { name: 'Line overview', exact: true }).waitFor();
    await second.page.keyboard.press('F2');
    await second.page.getByRole('option', { name: /Text Open orders/ }).focus();
    await focusIn(second.page.getByRole('option', { name: /Text Open orders/, selected: true }));
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

  test('a Diagram fits the width, and is zoomed by menu, keys and wheel', async () => {
    const page = await diagrams.open('Manager');
    const shown = page.getByRole('region', { name: 'Manager', exact: true });
    const zoom = page.getByRole('button', { name: /^Zoom: / });
    const width = async () => (await shown.boundingBox())?.width ?? 0;
    const own = (await (await diagrams.workbench.client()).diagrams.get({ name: 'Manager' })).width;
    const pane = async () =>
      (await page.getByRole('region', { name: 'Diagram', exact: true }).boundingBox())?.width ?? 0;
    await expect.poll(async () => (await width()) / (await pane())).toBeGreaterThan(0.93);
    await expect.poll(() => zoom.getAttribute('aria-label')).toMatch(/^Zoom: 1\d\d %, fits the width$/);
    await page.setViewportSize({ width: 2_560, height: 1_080 });
    await expect.poll(width).toBeCloseTo(2 * own, 0);
    await page.setViewportSize({ width: 1_440, height: 900 });

    await zoom.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Fit the width', checked: true }).waitFor();
    expect(await accessibilityFindings(page, 'zoom', '[role="menu"]')).toEqual([]);
    await page.getByRole('menuitemradio', { name: '100 %' }).press('Enter');
    await expect.poll(width).toBeCloseTo(own, 0);
    await page.keyboard.press('Control+=');
    await expect.poll(width).toBeCloseTo(1.1 * own, 0);
    for (const keys of ['Control+-', 'Control+-']) await page.keyboard.press(keys);
    await expect.poll(width).toBeCloseTo(0.9 * own, 0);
    const ratio = await page.evaluate(() => globalThis.devicePixelRatio);

    // The point under the pointer stays there, as far as the page scrolls.
    await zoom.press('Enter');
    await page.getByRole('menuitemradio', { name: '200 %' }).press('Enter');
    await expect.poll(width).toBeCloseTo(2 * own, 0);
    const button = shown.getByRole('button', { name: 'Set point to 400' });
    await button.hover();
    const before = await button.boundingBox();
    await page.keyboard.down('Control');
    for (let notch = 0; notch < 2; notch += 1) await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await expect.poll(async () => (await width()) / own).toBeGreaterThan(2.9);
    const center = (box: typeof before) => (box ? [box.x + box.width / 2, box.y + box.height / 2] : []);
    const [fromX = 0, fromY = 0] = center(before);
    const stays = async () => {
      const [x = 0, y = 0] = center(await button.boundingBox());
      return [Math.abs(x - fromX), Math.abs(y - fromY)].every((distance) => distance < 12);
    };
    await expect.poll(stays).toBe(true);
    // The browser has not zoomed the window as well.
    expect(await page.evaluate(() => globalThis.devicePixelRatio)).toBe(ratio);

    // It is kept for each Diagram, also in its own window.
    const kept = await width();
    await diagrams.open('Line overview');
    await expect.poll(() => zoom.getAttribute('aria-label')).toContain('fits the width');
    await diagrams.open('Manager');
    await expect.poll(width).toBeCloseTo(kept, 0);
    const alone = await diagrams.window.context.newPage();
    await alone.goto(new URL('/diagrams/Manager', page.url()).href);
    const drawn = alone.getByRole('region', { name: 'Manager', exact: true });
    await drawn.waitFor();
    await expect.poll(async () => (await drawn.boundingBox())?.width).toBeCloseTo(kept, 0);
    await alone.keyboard.press('Control+0');
    await alone.getByRole('button', { name: /fits the width$/ }).waitFor();
    await alone.close();
    await page.keyboard.press('Control+0');
    await expect.poll(() => zoom.getAttribute('aria-label')).toContain('fits the width');
  });

  test('a number in a local format is explained; a deleted tag is reported and restored', async () => {
    const client = await diagrams.workbench.client();
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
    const page = await diagrams.open('Levels');
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
    const client = await diagrams.workbench.client();
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
    const page = await diagrams.open('Labels');
    const shown = page.getByRole('region', { name: 'Labels', exact: true });
    // The parts themselves are buttons of their menus, with the same name.
    await shown
      .locator('button')
      .and(shown.getByRole('button', { name: most.trim() }))
      .waitFor();
    await expect.poll(() => shown.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await accessibilityFindings(page, 'labels of 2,000 characters', '[data-pane="diagram"]')).toEqual([]);

    await page.keyboard.press('F2');
    await page.getByRole('option', { name: /^Button Filler speed/ }).focus();
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
    const page = await diagrams.open('Manager');
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
    const page = await diagrams.open('Line overview');
    await chooseTheme(page, theme);
    await page.getByRole('region', { name: 'Line overview', exact: true }).getByText('Filler speed').waitFor();
    const found = async (state: string) => accessibilityFindings(page, state);
    const used = await found('used');
    await page.keyboard.press('F2');
    await page.getByRole('option', { name: /Lamp Caps are low/ }).focus();
    await page.getByRole('form', { name: 'Properties of the part' }).waitFor();
    expect([...used, ...(await found('arranged'))]).toEqual([]);
    await page.keyboard.press('F2');
  });
});
