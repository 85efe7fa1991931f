import { expect, onTestFinished, test } from 'vitest';
import { localTimeText } from '#domain/text/local-time';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { createLog } from '../../../../src-main/platform/log.ts';
import { sealerOf } from '../../../../src-main/outbound/secrets/sealer.ts';
import { SettingsService } from '../../../../src-main/workspace/settings/settings-service.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../../support/thrown-by.ts';

/** The time of the fake clock. */
const AT = localTimeText(Date.parse('2026-08-01T10:15:00.000Z'));

function open(directory = temporaryFolder()) {
  const clock = new FakeClock();
  const store = openStore(directory, { clock });
  onTestFinished(() => store.close());
  const logged: string[] = [];
  const log = createLog({ clock, write: (line) => logged.push(line) });
  return { directory, store, logged, log, settings: new SettingsService(store, log, sealerOf(store.directory)) };
}

test('a new workspace has the defaults and stores none of them', () => {
  const { settings, store } = open();
  expect(settings.get()).toEqual(DEFAULT_SETTINGS);
  expect(store.settings.all().size).toBe(0);
});

test('a change is stored, notified, and survives a restart', async () => {
  const { settings, store, directory } = open();
  const notified: unknown[] = [];
  settings.onChange((all) => notified.push(all));
  const expected = { ...DEFAULT_SETTINGS, 'limits.scriptMs': 100, 'hosts.count': 4 };
  expect(await settings.update({ 'limits.scriptMs': 100, 'hosts.count': 4, 'limits.resultMb': undefined })).toEqual(
    expected,
  );
  expect(settings.get()).toEqual(expected);
  expect(notified).toEqual([expected]);
  store.close();
  expect(open(directory).settings.get()).toEqual(expected);
});

test('returned settings cannot be used to change stored ones', () => {
  const { settings } = open();
  settings.get()['hosts.count'] = 99;
  expect(settings.get()['hosts.count']).toBe(DEFAULT_SETTINGS['hosts.count']);
});

test.each([
  ['out of range', { 'limits.scriptMs': 0 }, 'limits.scriptMs'],
  ['not a whole number', { 'hosts.count': 1.5 }, 'hosts.count'],
  ['of the wrong type', JSON.parse('{"hosts.count":"2"}'), 'hosts.count'],
])('a value %s is rejected and nothing is changed', async (_what, patch, key) => {
  const { settings } = open();
  const error = await thrownBy(() => settings.update({ 'limits.resultMb': 3, ...patch }));
  expect(error.code).toBe('BAD_REQUEST');
  expect(error.data['issues']).toMatchObject([{ path: [key] }]);
  expect(settings.get()).toEqual(DEFAULT_SETTINGS);
});

test('an unknown setting is rejected by its name', async () => {
  const { settings } = open();
  const error = await thrownBy(() => settings.update(JSON.parse('{"limits.scriptMS":5}')));
  expect(error.code).toBe('BAD_REQUEST');
  expect(error.message).toContain('limits.scriptMS');
});

test('unusable stored values fall back to their defaults, and the log names them', async () => {
  const { store, log, logged } = open();
  await store.commits.run(() => {
    store.settings.put('limits.scriptMs', 'soon');
    store.settings.put('limits.totalMs', -1);
    store.settings.put('limits.of.a.later.version', 1);
    store.settings.put('hosts.count', 3);
  });
  expect(new SettingsService(store, log, sealerOf(store.directory)).get()).toEqual({
    ...DEFAULT_SETTINGS,
    'hosts.count': 3,
  });
  expect(logged.map((line) => line.trim()).toSorted()).toEqual([
    `${AT} warn  a stored setting is invalid; its default is used {"key":"limits.scriptMs"}`,
    `${AT} warn  a stored setting is invalid; its default is used {"key":"limits.totalMs"}`,
    `${AT} warn  a stored setting is not known to this version and is ignored {"key":"limits.of.a.later.version"}`,
  ]);
});
