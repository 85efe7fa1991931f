import { useMemo, useState } from 'react';
import type { ScriptRevision, ScriptVersion } from '#domain/run/script';
import { useWorkbench } from '../../../frame/workbench.ts';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Radio,
  RadioGroup,
} from '../../../ui/fluent.ts';
import { useKeptLook } from '../../../ui/lists/grid-look.ts';
import { type RowOrder, TIME_SORT, useSortedRows } from '../../../ui/lists/sorted-rows.ts';
import { type GridColumn, VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import { Difference } from '../editor/difference.tsx';
import { type Doc, isDirty, titleOf } from '../model/script-document.ts';
import { useRevisions, useVersion } from './use-history.ts';
import { TableTime, TIME_WIDTH } from '../../../ui/text/table-time.tsx';
import styles from './history.module.css';

interface Props {
  doc: Doc & { scriptId: number };
  onRestore: (version: ScriptVersion) => void;
  onClose: () => void;
}

const NONE: readonly ScriptRevision[] = [];
const ORDER: RowOrder<ScriptRevision> = { keyOf: ({ version }) => String(version) };

/** Every saved version of a script, side by side with the current text or with the previous version. */
export function HistoryDialog({ doc, onRestore, onClose }: Props) {
  const { client } = useWorkbench();
  const saves = useRevisions(client, doc.scriptId);
  const revisions = saves.state === 'there' ? saves.value : NONE;
  const [chosen, setChosen] = useState<number | null>(null);
  const [against, setAgainst] = useState<'editor' | 'before'>('editor');
  // The one before the newest: the newest is usually the current text.
  const index = Math.max(
    0,
    revisions.findIndex(({ version }) => version === (chosen ?? revisions[1]?.version)),
  );
  const revision = revisions[index];
  const before = revisions[index + 1];
  const version = useVersion(client, doc.scriptId, revision?.version ?? null);
  const earlier = useVersion(client, doc.scriptId, against === 'before' ? (before?.version ?? null) : null);
  const kept = useKeptLook('versions', { name: 'No.', descending: true });
  const columns = useMemo(() => columnsOf(revisions), [revisions]);
  const rows = useSortedRows(revisions, kept, columns, ORDER);

  const shown = version.state === 'there' ? version.value : null;
  const old = before && earlier.state === 'there' ? earlier.value : null;
  const compared =
    shown === null
      ? null
      : against === 'editor'
        ? { left: shown.body, right: doc.text.body, of: `Version ${shown.version}`, to: 'the current text' }
        : {
            left: old?.body ?? '',
            right: shown.body,
            of: old ? `Version ${old.version}` : 'Nothing',
            to: `version ${shown.version}`,
          };
  const same = shown !== null && shown.body === doc.text.body && shown.description === doc.text.description;
  const problem = [saves, version, earlier].find((one) => one.state === 'failed');

  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && onClose()}>
      <DialogSurface className={styles.surface}>
        <DialogBody className={styles.body}>
          <DialogTitle>
            History of “<bdi>{titleOf(doc.text)}</bdi>”
          </DialogTitle>
          <DialogContent className={styles.content}>
            <div className={styles.versions}>
              <VirtualGrid
                label="Versions"
                columns={columns}
                kept={kept}
                count={rows.length}
                rowAt={(at) => rows[at]}
                activeIndex={rows.findIndex((row) => row === revision)}
                activeKey={revision?.version}
                onChoose={(at) => setChosen(rows[at]?.version ?? null)}
              />
            </div>
            <div className={styles.comparison}>
              <div className={styles.head}>
                <span className={styles.sides} role="status">
                  {problem?.state === 'failed'
                    ? `The history could not be read: ${problem.reason}`
                    : compared &&
                      (compared.left === compared.right
                        ? `${compared.of} and ${compared.to}: the same text`
                        : `${compared.of} (left) and ${compared.to} (right)`)}
                </span>
                <RadioGroup
                  layout="horizontal"
                  aria-label="Compare with"
                  value={against}
                  onChange={(_event, { value }) => setAgainst(value === 'before' ? 'before' : 'editor')}
                >
                  <Radio value="editor" label="with the editor" />
                  <Radio value="before" label="with the previous version" />
                </RadioGroup>
              </div>
              {compared && (
                <Difference
                  className={styles.difference}
                  left={{ text: compared.left, label: compared.of }}
                  right={{ text: compared.right, label: compared.to }}
                />
              )}
            </div>
          </DialogContent>
          <DialogActions>
            {isDirty(doc) && <span className={styles.hint}>Undo restores unsaved changes.</span>}
            <Button onClick={onClose}>Close</Button>
            <Button
              appearance="primary"
              disabledFocusable={shown === null || same}
              onClick={() => shown && !same && onRestore(shown)}
            >
              {shown ? `Restore version ${shown.version}` : 'Restore'}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function columnsOf(revisions: readonly ScriptRevision[]): GridColumn<ScriptRevision>[] {
  const text = (revision: ScriptRevision) => {
    const at = revisions.indexOf(revision);
    return revisionText(revision, revisions[at + 1]);
  };
  return [
    {
      name: 'No.',
      keep: 'shown',
      width: '46px',
      cell: ({ version }) => version,
      look: 'number',
      sort: { descendingFirst: true, by: ({ version }) => version },
    },
    {
      name: 'Saved',
      width: TIME_WIDTH,
      cell: ({ savedAt }) => <TableTime at={new Date(savedAt)} />,
      sort: { ...TIME_SORT, by: ({ savedAt }) => Date.parse(savedAt) },
    },
    {
      name: 'By',
      width: '68px',
      cell: ({ savedBy }) => <bdi>{savedBy ?? '–'}</bdi>,
      hint: ({ savedBy }) => savedBy ?? 'Unknown',
      sort: { by: ({ savedBy }) => savedBy },
    },
    {
      name: 'Changed',
      width: 'minmax(80px, 1fr)',
      cell: (row) => <bdi>{text(row)}</bdi>,
      hint: text,
      sort: { by: text },
    },
    {
      name: 'Bytes',
      width: '58px',
      cell: ({ bytes }) => bytes.toLocaleString('en'),
      look: 'number',
      sort: { descendingFirst: true, by: ({ bytes }) => bytes },
    },
  ];
}

/** The changes of a save in a few words; `before` is the previous version, if any. */
function revisionText(revision: ScriptRevision, before: ScriptRevision | undefined): string {
  if (!before) return 'First version';
  const parts = revision.changed.map((field) => {
    if (field === 'name') return `renamed from “${before.name}”`;
    if (field === 'group') return `moved from “${before.group}”`;
    return field === 'body' ? sizeChange(revision.bytes - before.bytes) : 'description';
  });
  // The text first: it matters most.
  const text = parts.toReversed().join(', ');
  return text === '' ? 'Nothing changed' : `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

function sizeChange(bytes: number): string {
  if (bytes === 0) return 'text, same length';
  return `text, ${bytes > 0 ? '+' : '−'}${Math.abs(bytes).toLocaleString('en')} bytes`;
}
