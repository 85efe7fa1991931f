import { useMemo, useState } from 'react';
import type { SecretInfo } from '#domain/mock/api-secret';
import type { SecretUsage } from '#domain/tag/usage';
import { focusPane } from '../../../frame/panes/panes.ts';
import { useCopy } from '../../../frame/use-copy.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Button, Text } from '../../../ui/fluent.ts';
import { AddRegular, CopyRegular, WarningFilled } from '../../../ui/icons.ts';
import { useKeptLook } from '../../../ui/lists/grid-look.ts';
import { type RowOrder, TIME_SORT, useSortedRows } from '../../../ui/lists/sorted-rows.ts';
import { type GridColumn, VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { SecretUsageSection, SecretUses, isUsed } from './secret-usage.tsx';
import { TableTime, TIME_WIDTH } from '../../../ui/text/table-time.tsx';
import styles from '../mocks.module.css';
import type { Client } from '../../../client/client.ts';
import { useQuery } from '../../../client/use-query.ts';

const placeholderOf = (name: string): string => `{{secret:${name}}}`;

/** The named secrets of scripts. Values can be set, but never read. */
export function SecretsPane({ active }: { active: boolean }) {
  const { client, notify } = useWorkbench();
  const { secrets, problem } = useSecrets(client, active);
  const [chosen, setChosen] = useState<string | null>(null);
  /** The secret being set, '' for a new one. */
  const [setting, setSetting] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<{ name: string; usage: SecretUsage } | null>(null);
  const toClipboard = useCopy();
  const copy = (name: string) =>
    toClipboard(placeholderOf(name), `Copied ${placeholderOf(name)}`, { body: 'Paste it into a string of a script.' });
  const confirmDelete = async (name: string) => {
    try {
      const usage = await client.secrets.usage({ name });
      setDeleting({ name, usage });
    } catch (error) {
      notify({
        intent: 'error',
        title: `The references to ${name} could not be checked`,
        error,
      });
    }
  };
  const remove = async (name: string) => {
    try {
      await client.secrets.delete({ name });
      setChosen(null);
      notify({ intent: 'info', title: `Deleted the secret ${name}` });
    } catch (error) {
      notify({ intent: 'error', title: `The secret ${name} was not deleted`, error });
    }
  };
  const close = () => {
    setSetting(null);
    setDeleting(null);
    setTimeout(() => focusPane('mocks-secrets'), 0);
  };
  const kept = useKeptLook('secrets', { name: 'Name', descending: false });
  const list = useSortedRows(secrets ?? NONE, kept, COLUMNS, ORDER);
  const secret = list.find(({ name }) => name === chosen) ?? null;
  const section = 'API mocks';
  useCommands([
    { id: 'secrets.new', section, title: 'New secret', keys: 'Alt+N', enabled: active, run: () => setSetting('') },
    {
      id: 'secrets.copy',
      section,
      title: 'Copy the placeholder of the secret',
      enabled: active && secret !== null,
      run: () => (secret ? copy(secret.name) : undefined),
    },
  ]);
  return (
    <section className={styles.list} aria-label="Secrets" data-pane="mocks-secrets" data-help="secrets">
      <header className={styles.bar}>
        <Button size="small" icon={<AddRegular />} aria-keyshortcuts="Alt+N" onClick={() => setSetting('')}>
          New secret
        </Button>
        <Button
          size="small"
          appearance="subtle"
          icon={<CopyRegular />}
          disabledFocusable={secret === null}
          onClick={() => secret && void copy(secret.name)}
        >
          Copy placeholder
        </Button>
        <Button
          size="small"
          appearance="subtle"
          disabledFocusable={secret === null}
          onClick={() => secret && setSetting(secret.name)}
        >
          Replace the value
        </Button>
        <Button
          size="small"
          appearance="subtle"
          disabledFocusable={secret === null}
          onClick={() => secret && void confirmDelete(secret.name)}
        >
          Delete
        </Button>
        <span className={styles.count} role="status">
          {secrets ? `${list.length} ${list.length === 1 ? 'secret' : 'secrets'}` : ''}
        </span>
      </header>
      <p className={styles.note}>
        Use the placeholder in any argument of an API call. It is replaced by the value when the call is sent. The value
        is never in scripts, logs, traces, mocks, versions or exports, and it is never shown again.
      </p>
      {problem !== null && (
        <p className={styles.hint} role="alert">
          The secrets could not be loaded: {problem}
        </p>
      )}
      {secrets && list.length === 0 ? (
        <div className={styles.empty}>
          <Text weight="semibold">There are no secrets yet.</Text>
          <Text>Store API keys and passwords here instead of in scripts.</Text>
        </div>
      ) : (
        <VirtualGrid
          label="Secrets"
          columns={COLUMNS}
          kept={kept}
          count={list.length}
          rowAt={(index) => list[index]}
          activeIndex={list.findIndex(({ name }) => name === chosen)}
          onChoose={(index) => setChosen(list[index]?.name ?? null)}
          onOpen={(index) => setSetting(list[index]?.name ?? null)}
          onKey={(event) => {
            if (event.key === 'Delete' && secret) void confirmDelete(secret.name);
          }}
        />
      )}
      {secret !== null && <SecretUsageSection key={secret.name} name={secret.name} active={active} />}
      {setting !== null && (
        <SecretDialog name={setting} taken={list.map(({ name }) => name)} onSaved={setChosen} onClose={close} />
      )}
      {deleting !== null && (
        <ConfirmDialog
          title="Delete the secret"
          action="Delete"
          onConfirm={() => remove(deleting.name)}
          onClose={close}
        >
          <p className={styles.confirmation}>
            Calls that use {placeholderOf(deleting.name)} will fail until you set it again. You can't restore its value.
          </p>
          {isUsed(deleting.usage) && (
            <>
              <p className={styles.confirmation}>References:</p>
              <SecretUses usage={deleting.usage} />
            </>
          )}
        </ConfirmDialog>
      )}
    </section>
  );
}

const COLUMNS: readonly GridColumn<SecretInfo>[] = [
  {
    name: 'Name',
    keep: 'shown',
    width: 'minmax(140px, 1fr)',
    cell: ({ name }) => name,
    look: 'code',
    sort: { by: ({ name }) => name },
  },
  { name: 'Placeholder', width: 'minmax(180px, 1.4fr)', cell: ({ name }) => placeholderOf(name), look: 'code' },
  {
    name: 'Set',
    width: TIME_WIDTH,
    cell: ({ changedAt }) => <TableTime at={new Date(changedAt)} />,
    sort: {
      ...TIME_SORT,
      by: ({ changedAt }) => Date.parse(changedAt),
    },
  },
  {
    name: 'State',
    width: 'minmax(160px, 2fr)',
    cell: ({ readable }) =>
      readable ? (
        'encrypted'
      ) : (
        <span className={styles.badText}>
          <WarningFilled aria-hidden /> sealed by another installation: replace the value
        </span>
      ),
    sort: { titles: ['Sort, problems first', 'Sort, problems last'], by: ({ readable }) => (readable ? 1 : 0) },
  },
];
const NONE: readonly SecretInfo[] = [];
const ORDER: RowOrder<SecretInfo> = { keyOf: ({ name }) => name };

interface KnownSecrets {
  /** null until they were read. */
  secrets: readonly SecretInfo[] | null;
  problem: string | null;
}

/** The names of the secrets, kept current. */
function useSecrets(client: Pick<Client, 'secrets'>, active: boolean): KnownSecrets {
  const query = useMemo(
    () => ({
      read: (signal: AbortSignal) => client.secrets.list(undefined, { signal }),
      changes: [(signal: AbortSignal) => client.secrets.changes(undefined, { signal })],
    }),
    [client],
  );
  const { data, problem } = useQuery(query, active);
  return { secrets: data?.secrets ?? null, problem: problem?.message ?? null };
}
