import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { BackupService } from '../../../src-main/storage/backups/backup-service.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const HOUR_MS = 3_600_000;

afterEach(() => void vi.useRealTimers());

test('a copy is made at once, then a day after the newest; each outcome is logged', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const clock = new FakeClock();
  const store = openWorkspaceStore(temporaryFolder(), { clock });
  onTestFinished(() => store.close());
  const entries: { event: string; fields: object }[] = [];
  const log = createLog({ format: 'json', write: (line) => entries.push(JSON.parse(line)) });
  const backups = new BackupService({ store, log });
  const stop = backups.daily();
  const hours = (count: number) => {
    for (let hour = 0; hour < count; hour += 1) {
      clock.advance(HOUR_MS);
      vi.advanceTimersByTime(HOUR_MS);
    }
  };
  await vi.waitFor(() => expect(backups.list()).toHaveLength(1));
  hours(24);
  expect(backups.list()).toHaveLength(1);
  hours(1);
  await vi.waitFor(() => expect(backups.list()).toHaveLength(2));
  stop();
  hours(48);
  expect(backups.list()).toHaveLength(2);

  const full = new Error('the disk is full');
  const failing = new BackupService({ store: { ...store, backupIfOlderThan: () => Promise.reject(full) }, log });
  onTestFinished(failing.daily());
  await vi.waitFor(() => expect(entries).toHaveLength(3));
  expect(entries).toMatchObject([
    { event: 'backup.made', fields: { file: expect.stringContaining('workspace-20260801') } },
    { event: 'backup.made' },
    { event: 'backup.failed', fields: { reason: 'the disk is full' } },
  ]);
});
