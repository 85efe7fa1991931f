import { Button } from '@fluentui/react-components';
import { useCallback, useEffect, useState } from 'react';
import type { BackupInfo } from '#domain/backup';
import { problemOf } from '../../client/errors.ts';
import { useCopy } from '../../frame/use-copy.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { CopyRegular, SaveRegular } from '../../ui/icons.ts';
import { moment } from '../../ui/moment.ts';
import styles from './settings.module.css';

const SORTS: Readonly<Record<BackupInfo['sort'], string>> = {
  regular: 'daily',
  schema: 'before an update',
  manual: 'made by hand',
};

/** Where the workspace is, and its copies. */
export function WorkspaceSection({ active }: { active: boolean }) {
  const { client, notify } = useWorkbench();
  const [info, setInfo] = useState<{ workspace: string; version: string } | null>(null);
  const [backups, setBackups] = useState<readonly BackupInfo[]>([]);
  const [making, setMaking] = useState(false);
  const read = useCallback(
    () =>
      Promise.all([client.app.info(), client.backups.list()]).then(
        ([about, all]) => {
          setInfo(about);
          setBackups(all);
        },
        (error: unknown) =>
          notify({ intent: 'error', title: 'The backups cannot be read', body: problemOf(error).message }),
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
      notify({ intent: 'success', title: 'The workspace is backed up', body: name });
      await read();
    } catch (error) {
      notify({ intent: 'error', title: 'The workspace is not backed up', body: problemOf(error).message });
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
  const toClipboard = useCopy();
  const copy = (name: string) => {
    const command = `npx tagwright backups restore ${name} -w "${info?.workspace ?? ''}"`;
    return toClipboard(command, 'Copied the command that restores it', { body: command, instead: `It is: ${command}` });
  };
  return (
    <section className={styles.group} aria-labelledby="settings-workspace">
      <h2 id="settings-workspace">Workspace</h2>
      <p className={styles.note}>
        <code>{info?.workspace}</code> · Tagwright {info?.version}
      </p>
      <p className={styles.note}>
        A copy is made every day, and the newest five are kept; those made by hand stay. A copy is put back while no
        instance holds the workspace: close Tagwright, and run the command that the button copies. What it replaces is
        kept.
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
              <th scope="col">Made</th>
              <th scope="col">Why</th>
              <th scope="col">Size</th>
              <th scope="col">Name</th>
              <th scope="col">Restore</th>
            </tr>
          </thead>
          <tbody>
            {backups.map(({ name, sort, madeAt, bytes }) => (
              <tr key={name}>
                <td>{moment(new Date(madeAt))}</td>
                <td>{SORTS[sort]}</td>
                <td className={styles.number}>{(bytes / 1_048_576).toFixed(1)} MB</td>
                <td>
                  <code>{name}</code>
                </td>
                <td>
                  <Button
                    size="small"
                    appearance="subtle"
                    icon={<CopyRegular />}
                    aria-label={`Copy the command that restores ${name}`}
                    title="Copy the command that restores it"
                    onClick={() => void copy(name)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
