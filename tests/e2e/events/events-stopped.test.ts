import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { scaled } from '../../support/run/scale.ts';
import { focusIn } from '../steps.ts';

const RULE = 'Fill volume check';
/** Enough events that a change takes seconds, so a user has time to stop it. */
const EVENTS = scaled(60_000, 200_000);
const AT_ONCE = 20_000;
const ALL = EVENTS.toLocaleString('en');

let workbench: BrowserWorkbench;
let window: WorkbenchPage;
let client: InstanceClient;
let ruleId: number;
beforeAll(async () => {
  workbench = await startBrowserWorkbench();
  client = await workbench.client();
  // The sample's firings would move the list during the change.
  const rule = await client.rules.get({ name: RULE });
  ruleId = rule.id;
  await client.rules.save({ ...rule, enabled: false });
  const { events } = await client.events.list({});
  for (const event of events) await client.events.delete({ id: event.AggregationEventId });
  for (let made = 0; made < EVENTS; made += AT_ONCE) await client.events.createTest({ count: AT_ONCE, ruleId });
  window = await workbench.open({ view: 'events', reducedMotion: 'reduce' });
  await window.page.keyboard.press('Control+4');
});
afterAll(async () => {
  await window.close();
  await workbench.close();
});

const numberOf = (text: string | undefined): number => Number(text?.replaceAll(',', ''));
const grid = () => window.page.getByRole('grid', { name: 'Events' });
const status = () => window.page.getByRole('region', { name: 'Event list' }).getByRole('status');
const counted = (text: string | RegExp) => status().getByText(text).first().waitFor({ timeout: 120_000 });
const choose = async (list: string, option: string) => {
  await window.page.getByRole('combobox', { name: list }).click();
  await window.page.getByRole('option', { name: option, exact: true }).click();
};
const chooseAll = async (count: string) => {
  await counted(new RegExp(`${count} listed`));
  await grid().focus();
  await focusIn(grid());
  await window.page.keyboard.press('Control+a');
  await counted(new RegExp(`${count} (?:chosen|selected) of ${count} listed`));
};
/** The numbers of active and disabled events on the page. */
const counts = async () => {
  const text = (await status().allInnerTexts()).join('\n');
  const [, active, disabled] = /([\d,]+) active, ([\d,]+) disabled/.exec(text) ?? [];
  return { active: numberOf(active), disabled: numberOf(disabled) };
};
const stored = async (active: boolean) => {
  const { total } = await client.events.window({ active, ruleId, newestFirst: true, offset: 0, limit: 1 });
  return total;
};
/** A number that has been the same three times in a row, half a second apart. */
const settled = async (count: () => Promise<number>): Promise<number> => {
  const seen: number[] = [];
  const differing = async () => {
    seen.push(await count());
    return seen.length < 3 ? null : new Set(seen.slice(-3)).size;
  };
  await expect.poll(differing, { interval: 500, timeout: 60_000 }).toBe(1);
  return seen.at(-1) ?? 0;
};
/** Scrolls to an end of the list. Returns the event shown there, and its stored state. */
const atEnd = async (key: 'Home' | 'End') => {
  await grid().focus();
  await focusIn(grid());
  await window.page.keyboard.press(key);
  const row = grid().locator('[data-active="true"]');
  await expect.poll(() => row.getAttribute('aria-rowindex')).toBe(key === 'Home' ? '2' : String(EVENTS + 1));
  await expect.poll(() => row.getByRole('gridcell').first().innerText()).toMatch(/^\d+$/);
  const id = Number(await row.getByRole('gridcell').first().innerText());
  const { Active } = await client.events.get({ id });
  return { shown: await row.getByRole('gridcell').nth(3).innerText(), stored: Active ? 'active' : 'disabled' };
};

test('a change of many events can be stopped, reports its progress and can be resumed', async () => {
  const { page } = window;
  await choose('Filter by rule', RULE);
  await chooseAll(ALL);
  await page.getByRole('button', { name: 'Disable' }).press('Enter');
  await page.getByText(new RegExp(`^[1-9][\\d,]* of ${ALL}$`)).waitFor();
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  const notice = page.locator('.fui-Toast').filter({ hasText: 'Stopped at about' });
  await notice.getByText('Completed changes are kept.').waitFor();
  const said = numberOf(/about ([\d,]+) of/.exec(await notice.innerText())?.[1]);
  expect(said).toBeGreaterThan(0);
  expect(said).toBeLessThan(EVENTS);

  // The current step is completed, and nothing continues after the notice.
  const disabled = await settled(() => stored(false));
  expect(disabled).toBeGreaterThanOrEqual(said);
  expect(disabled).toBeLessThan(EVENTS);
  await expect.poll(counts).toEqual({ active: EVENTS - disabled, disabled });
  for (const key of ['Home', 'End'] as const) {
    await expect.poll(() => atEnd(key)).toSatisfy((end: Awaited<ReturnType<typeof atEnd>>) => end.shown === end.stored);
  }
  expect([(await atEnd('Home')).shown, (await atEnd('End')).shown].toSorted()).toEqual(['active', 'disabled']);
  expect(await stored(false)).toBe(disabled);

  // Changes the rest, selected by the filter, then all of them back in one step.
  const left = (EVENTS - disabled).toLocaleString('en');
  await choose('Filter by state', 'Active');
  await chooseAll(left);
  await page.getByRole('button', { name: 'Disable' }).press('Enter');
  await page.getByText(`${left} of ${left} disabled`).first().waitFor({ timeout: 120_000 });
  await counted(`0 active, ${ALL} disabled`);
  await page.getByText(/No events match/).waitFor();
  // Events that are no longer listed are no longer selected.
  await page.getByText(/selected of/).waitFor({ state: 'detached' });
  expect(await stored(true)).toBe(0);
});
