import { expect, test } from 'vitest';
import type { HubStatus } from '#domain/event/hub';
import type { EventsApiStatus } from '#domain/mock/api-request';
import { AppService } from '../../../../src-main/workspace/app/app-service.ts';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { Listeners } from '../../../../src-main/platform/events.ts';
import type { HostsStatus } from '../../../../src-main/scripting/sandbox/script-run.ts';

const OFF: HubStatus = {
  state: 'off',
  site: 'leeds',
  url: 'postgres://hub/x',
  seq: null,
  listed: null,
  waiting: null,
  mirroredAt: null,
  applied: 0,
  problem: null,
};

function serviceOf() {
  let hosts: HostsStatus = { idle: 2, busy: 0, starting: 0, restarts: 0 };
  const saves = new Map([
    [0, '2026-01-02T00:00:00.000Z'],
    [1, '2026-01-01T00:00:00.000Z'],
  ]);
  let listings = 0;
  const hostChanges = new Listeners<HostsStatus>();
  const scriptChanges = new Listeners<{ scriptId: number | null }>();
  const apiChanges = new Listeners<void>();
  const violations = new Listeners<void>();
  const plant = { violations: 0, onViolation: (listener: () => void) => violations.add(listener) };
  const hubChanges = new Listeners<void>();
  let hub: HubStatus = OFF;
  let api: EventsApiStatus = { url: null, problem: 'The port is taken.', freePort: 4870, faults: 0 };
  const service = new AppService({
    version: '1.2.3',
    workspace: '/plant',
    clock: systemClock,
    hosts: { status: () => hosts, onStatus: (listener) => hostChanges.add(listener) },
    plant,
    scripts: {
      list: () => {
        listings += 1;
        return { scripts: Array.from(saves.values(), (savedAt) => ({ savedAt })) };
      },
      get: ({ id }) => {
        const savedAt = saves.get(id);
        if (savedAt === undefined) throw new Error('it was deleted');
        return { savedAt };
      },
      onChange: (listener) => scriptChanges.add(listener),
    },
    hub: { status: () => hub, onStatus: (listener) => hubChanges.add(listener) },
    eventsApi: { status: () => api, onStatus: (listener) => apiChanges.add(listener) },
    sandbox: {
      known: Promise.resolve(),
      state: { system: 'Linux', protection: 'none', layers: [], summary: 'Not active: a test.' },
    },
  });
  return {
    service,
    listeners: () => hostChanges.size + scriptChanges.size + apiChanges.size + hubChanges.size + violations.size,
    setHosts: (next: HostsStatus) => {
      hosts = next;
      hostChanges.emit(next);
    },
    violate: () => {
      plant.violations += 1;
      violations.emit();
    },
    setApi: (next: EventsApiStatus) => {
      api = next;
      apiChanges.emit();
    },
    setHub: (next: HubStatus) => {
      hub = next;
      hubChanges.emit();
    },
    save: (id: number, at: string) => {
      saves.set(id, at);
      scriptChanges.emit({ scriptId: id });
    },
    delete: (id: number) => {
      saves.delete(id);
      scriptChanges.emit({ scriptId: id });
    },
    changeGroups: () => scriptChanges.emit({ scriptId: null }),
    listings: () => listings,
  };
}

test('status sends the current one at once, then the newest, and ends on abort', async () => {
  const made = serviceOf();
  const { service } = made;
  const stop = new AbortController();
  const status = service.status(stop.signal);

  const first = await status.next();
  expect(first.value).toEqual({
    hosts: { idle: 2, busy: 0, starting: 0, restarts: 0 },
    lastSavedAt: '2026-01-02T00:00:00.000Z',
    eventsApi: { url: null, problem: 'The port is taken.', freePort: 4870, faults: 0 },
  });

  made.setHosts({ idle: 1, busy: 1, starting: 0, restarts: 0 });
  made.setHosts({ idle: 0, busy: 2, starting: 0, restarts: 1 });
  expect((await status.next()).value).toMatchObject({ hosts: { busy: 2, restarts: 1 } });

  made.violate();
  expect((await status.next()).value).toMatchObject({ hosts: { restarts: 1, protocolViolations: 1 } });
  made.setHosts({ idle: 0, busy: 2, starting: 0, restarts: 1, protocolViolations: 2 });
  expect((await status.next()).value).toMatchObject({ hosts: { protocolViolations: 3 } });

  made.save(2, '2026-03-01T00:00:00.000Z');
  expect((await status.next()).value).toMatchObject({ lastSavedAt: '2026-03-01T00:00:00.000Z' });

  made.setApi({ url: 'http://127.0.0.1:4870', problem: null, freePort: null, faults: 0 });
  expect((await status.next()).value).toMatchObject({ eventsApi: { url: 'http://127.0.0.1:4870' } });

  made.setHub({ ...OFF, state: 'waiting', problem: 'no connection' });
  expect((await status.next()).value).toMatchObject({ hub: { state: 'waiting', problem: 'no connection' } });
  made.setHub(OFF);
  expect((await status.next()).value).not.toHaveProperty('hub');

  const waiting = status.next();
  stop.abort();
  expect((await waiting).done).toBe(true);
});

test('the time of the last save follows changes without listing all scripts', async () => {
  const made = serviceOf();
  const status = made.service.status(new AbortController().signal);
  const last = async () => (await status.next()).value?.lastSavedAt;
  expect(await last()).toBe('2026-01-02T00:00:00.000Z');
  made.save(1, '2026-02-01T00:00:00.000Z');
  expect(await last()).toBe('2026-02-01T00:00:00.000Z');
  made.save(2, '2026-01-15T00:00:00.000Z');
  made.setHosts({ idle: 1, busy: 1, starting: 0, restarts: 0 });
  expect(await last()).toBe('2026-02-01T00:00:00.000Z');
  expect(made.listings()).toBe(1);
  made.delete(1);
  expect(await last()).toBe('2026-01-15T00:00:00.000Z');
  expect(made.listings()).toBe(2);
  made.changeGroups();
  expect(await last()).toBe('2026-01-15T00:00:00.000Z');
  await status.return(undefined);
});

test('close removes its listeners', () => {
  const { service, listeners } = serviceOf();
  expect(listeners()).toBe(5);
  service.close();
  expect(listeners()).toBe(0);
});

test('info has the workspace, the events API, and the workbench once it is served', () => {
  const made = serviceOf();
  const { service } = made;
  expect(service.info()).toMatchObject({ version: '1.2.3', workspace: '/plant', pid: process.pid, ui: null });
  expect(service.signOut()).toEqual({ sessions: 0 });
  service.announceUi({ url: 'http://127.0.0.1:1', signOut: () => 3 });
  expect(service.signOut()).toEqual({ sessions: 3 });
  expect(service.info().ui).toBe('http://127.0.0.1:1');
  expect(service.info()).toMatchObject({ eventsApi: null, eventsApiProblem: 'The port is taken.' });
  made.setApi({ url: 'http://127.0.0.1:4860', problem: null, freePort: null, faults: 0 });
  expect(service.info()).toMatchObject({ eventsApi: 'http://127.0.0.1:4860', eventsApiProblem: null });
});
