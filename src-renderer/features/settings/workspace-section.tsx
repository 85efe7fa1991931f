import { useCallback, useEffect, useState } from 'react';
import type { BackupInfo } from '#domain/workspace/backup';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { Button } from '../../ui/fluent.ts';
import { HistoryRegular, SaveRegular } from '../../ui/icons.ts';
import { TableTime } from '../../ui/text/table-time.tsx';
import { sizeOf, SORTS } from './backup-texts.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import styles from './settings.module.css';

/** The folder of the workspace, and its backups. */
export function WorkspaceSection({ active }: { active: boolean }) {
  const { client, notify } = useWorkbench();
  const [info, setInfo] = useState<{ workspace: string; version: string } | null>(null);
  const [backups, setBackups] = useState<readonly BackupInfo[]>([]);
  const [making, setMaking] = useState(false);
  const [restoring, setRestoring] = useState<BackupInfo | null>(null);
  const read = useCallback(
    () =>
      Promise.all([client.app.info(), client.backups.list()]).then(
        ([about, all]) => {
          setInfo(about);
          setBackups(all);
        },
        (error: unknown) => notify({ intent: 'error', title: 'The backups could not be loaded', error }),
      ),
    [client, notify],
  );
  useEffect(() => {
    if (active) void read();
  }, [active, read]);
  const make = async () => {
    setMaking(true);
    try {
      const { name } = await client.backups.create();
      notify({ intent: 'success', title: 'Backup created', body: name });
      await read();
    } catch (error) {
      notify({ intent: 'error', title: 'The backup was not created', error });
    } finally {
      setMaking(false);
    }
  };
  useCommands([
    {
      id: 'settings.backup',
      section: 'Settings',
      title: 'Back up the workspace',
      enabled: active && !making,
      run: make,
    },
  ]);
  return (
    <section className={styles.group} aria-labelledby="settings-workspace">
      <h2 id="settings-workspace">Workspace</h2>
      <p className={styles.note}>
        <code>{info?.workspace}</code> · Tagwright {info?.version}
      </p>
      <p className={styles.note}>
        A backup is created every day, and the newest five are kept; manual ones stay. Restore a backup to go back to
        it; the replaced workspace is kept.
      </p>
      <Button size="small" icon={<SaveRegular />} disabledFocusable={making} onClick={() => void make()}>
        {making ? 'Backing up…' : 'Back up now'}
      </Button>
      {backups.length === 0 ? (
        <p className={styles.note}>There are no backups yet.</p>
      ) : (
        <table className={styles.table} aria-label="Backups">
          <thead>
            <tr>
              <th scope="col">Created</th>
              <th scope="col">Reason</th>
              <th scope="col">Size</th>
              <th scope="col">Name</th>
              <th scope="col">Restore</th>
            </tr>
          </thead>
          <tbody>
            {backups.map((backup) => {
              const { name, sort, madeAt, bytes } = backup;
              return (
                <tr key={name}>
                  <td>
                    <TableTime at={new Date(madeAt)} />
                  </td>
                  <td>{SORTS[sort]}</td>
                  <td className={styles.number}>{sizeOf(bytes)}</td>
                  <td>
                    <code>{name}</code>
                  </td>
                  <td>
                    <Button
                      size="small"
                      appearance="subtle"
                      icon={<HistoryRegular />}
                      aria-label={`Restore ${name}`}
                      onClick={() => setRestoring(backup)}
                    >
                      Restore…
                    </Button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {restoring && <RestoreDialog backup={restoring} onClose={() => setRestoring(null)} />}
    </section>
  );
}
