import { useCallback, useEffect, useState } from 'react';
import type { RecentWorkspace } from '#domain/workspace/workspace';
import { problemOf } from '../../client/errors.ts';
import { useCopy } from '../../frame/use-copy.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { Button } from '../../ui/fluent.ts';
import { AddRegular, CopyRegular } from '../../ui/icons.ts';
import { TextDialog } from '../../ui/dialogs/text-dialog.tsx';
import { TableTime } from '../../ui/text/table-time.tsx';
import styles from './settings.module.css';

type Dialog = 'copy' | 'sample' | 'empty';

const TITLES: Readonly<Record<Dialog, string>> = {
  copy: 'Copy this workspace',
  sample: 'New workspace with the sample plant',
  empty: 'New empty workspace',
};

/** Recent workspaces of this machine, new ones, and copies of this one. */
export function OtherWorkspaces({ active }: { active: boolean }) {
  const { client, notify } = useWorkbench();
  const [recent, setRecent] = useState<readonly RecentWorkspace[]>([]);
  const [open, setOpen] = useState<string | null>(null);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const read = useCallback(
    () =>
      Promise.all([client.workspaces.recent(), client.app.info()]).then(
        ([list, { workspace }]) => {
          setRecent(list);
          setOpen(workspace);
        },
        (error: unknown) =>
          notify({
            intent: 'error',
            title: 'The list of workspaces could not be loaded',
            error,
          }),
      ),
    [client, notify],
  );
  useEffect(() => {
    if (active) void read();
  }, [active, read]);
  const make = async (what: Dialog, directory: string) => {
    try {
      const made =
        what === 'copy'
          ? await client.workspaces.copy({ directory, withSecrets: false })
          : await client.workspaces.create({ directory, sample: what === 'sample' });
      notify({
        intent: 'success',
        title: what === 'copy' ? 'Workspace copied' : 'Workspace created',
        body: `Open it with: ${commandOf(made.directory)}`,
        action: { label: 'Copy the command', run: () => copy(made.directory) },
      });
      await read();
    } catch (error) {
      // Shown in the dialog, which keeps the typed text.
      throw new Error(problemOf(error).message, { cause: error });
    }
  };
  const toClipboard = useCopy();
  const copy = (directory: string) => {
    const command = commandOf(directory);
    return toClipboard(command, 'Copied the command that opens it', {
      body: command,
      instead: `The command is: ${command}`,
    });
  };
  return (
    <section className={styles.group} aria-labelledby="settings-workspaces">
      <h2 id="settings-workspaces">Other workspaces</h2>
      <p className={styles.note}>
        Each workspace opens in its own instance, with its own port for the events API. A copy includes everything
        except backups, logs and the key of the secrets.
      </p>
      <div className={styles.buttons}>
        <Button size="small" icon={<CopyRegular />} onClick={() => setDialog('copy')}>
          Copy this one…
        </Button>
        <Button size="small" icon={<AddRegular />} onClick={() => setDialog('sample')}>
          New with the sample…
        </Button>
        <Button size="small" icon={<AddRegular />} onClick={() => setDialog('empty')}>
          New empty one…
        </Button>
      </div>
      {recent.length > 0 && (
        <table className={styles.table} aria-label="Recent workspaces">
          <thead>
            <tr>
              <th scope="col">Folder</th>
              <th scope="col">Last opened</th>
              <th scope="col">Open</th>
            </tr>
          </thead>
          <tbody>
            {recent.map(({ directory, openedAt, state }) => (
              <tr key={directory}>
                <td>
                  <code>{directory}</code>
                  {state === 'gone' && ' · not found'}
                  {directory === open && ' · current'}
                </td>
                <td>
                  <TableTime at={new Date(openedAt)} />
                </td>
                <td>
                  <Button
                    size="small"
                    appearance="subtle"
                    icon={<CopyRegular />}
                    disabledFocusable={state === 'gone' || directory === open}
                    aria-label={`Copy the command that opens ${directory}`}
                    title="Copy the command that opens it"
                    onClick={() => void copy(directory)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {dialog && (
        <TextDialog
          title={TITLES[dialog]}
          label="Full path of a new or empty folder"
          action={dialog === 'copy' ? 'Copy' : 'Create'}
          problemOf={(text) => (text === '' ? 'Enter the path of a folder' : null)}
          onDone={(text) => make(dialog, text)}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
}

const commandOf = (directory: string): string => `npx tagwright start -w "${directory}"`;
