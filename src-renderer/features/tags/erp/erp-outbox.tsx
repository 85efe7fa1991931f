import { useCallback, useMemo, useState } from 'react';
import type { ErpRecord } from '#domain/tag/erp';
import { WhyButton, whyEntry } from '../../../frame/why/why-button.tsx';
import { useWhySubject } from '../../../frame/why/use-why.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { saveText } from '../../../support/files.ts';
import { Button, Field, Input, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '../../../ui/fluent.ts';
import { ArrowDownloadRegular, CopyRegular, DeleteRegular, SearchRegular } from '../../../ui/icons.ts';
import { shownValue } from '../../../support/shown-value.ts';
import { fullMoment } from '../../../support/moment.ts';
import { useKeptLook } from '../../../ui/lists/grid-look.ts';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { type GridColumn, VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import { PathCell } from '../../../ui/text/path-cell.tsx';
import { pathTracks } from '../../../ui/text/path-parts.ts';
import { TableTime, TIME_WIDTH } from '../../../ui/text/table-time.tsx';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import { useOutbox } from './use-outbox.ts';
import styles from './erp.module.css';
import { useCopy } from '../../../frame/use-copy.ts';

function columnsOf(tracks: string): readonly GridColumn<ErpRecord>[] {
  return [
    { name: 'No.', width: '60px', look: 'number', cell: ({ id }) => id },
    { name: 'Sent', width: TIME_WIDTH, cell: ({ sentAt }) => <TableTime at={new Date(sentAt)} /> },
    {
      name: 'Tag',
      width: 'minmax(240px, 1.8fr)',
      look: 'code',
      cell: ({ tag }) => <PathCell path={tag} tracks={tracks} />,
      hint: ({ tag }) => tag,
    },
    {
      name: 'Scope',
      width: '130px',
      cell: ({ diagram, location }) => <bdi>{[diagram, location].filter((name) => name !== '').join(' · ')}</bdi>,
    },
    {
      name: 'Record',
      keep: 'shown',
      width: 'minmax(160px, 2fr)',
      look: 'code',
      cell: ({ record }) => shownValue(record, 300),
    },
  ];
}

/** All records of ERP tags, newest first. */
export function ErpOutbox({ active }: { active: boolean }) {
  const { client, notify, show, explain } = useWorkbench();
  const copy = useCopyRecord();
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const [tag, setTag] = useState('');
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<number | null>(null);
  const [clearing, setClearing] = useState(false);
  const kept = useKeptLook('outbox');
  const filter = useMemo(
    () => ({ ...(tag.trim() === '' ? {} : { tag: tag.trim() }), ...(text.trim() === '' ? {} : { text: text.trim() }) }),
    [tag, text],
  );
  const outbox = useOutbox(client, filter, active);
  const { records } = outbox;
  const tracks = useMemo(
    () =>
      pathTracks(
        records.map((one) => one.tag),
        { icon: false },
      ),
    [records],
  );
  const columns = useMemo(() => columnsOf(tracks), [tracks]);
  const index = records.findIndex(({ id }) => id === chosen);
  const record = records[index];

  useWhySubject(record ? `erp:${record.id}` : null, active);

  const { more, loadMore } = outbox;
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (more && last >= records.length - 1) loadMore();
    },
    [more, loadMore, records.length],
  );
  const rowAt = useCallback((at: number) => records[at], [records]);

  const attempt = async (failed: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      notify({ intent: 'error', title: failed, error });
    }
  };
  const save = (format: 'csv' | 'json') =>
    attempt('The outbox was not exported', async () => {
      const exported = await client.erp.export({ format, ...filter });
      saveText(`erp-outbox.${format}`, exported.text, format === 'csv' ? 'text/csv' : 'application/json');
    });
  const clear = () =>
    attempt('The outbox was not cleared', async () => {
      const { count } = await client.erp.clear(filter.tag === undefined ? {} : { tag: filter.tag });
      notify({ intent: 'success', title: `${count} ${count === 1 ? 'record' : 'records'} deleted` });
    });
  useCommands(
    active
      ? [
          { id: 'erp.export', section: 'ERP outbox', title: 'Export the outbox as CSV', run: () => save('csv') },
          { id: 'erp.clear', section: 'ERP outbox', title: 'Clear the outbox', run: () => setClearing(true) },
        ]
      : [],
  );

  return (
    <section className={styles.outbox} aria-label="ERP outbox" data-pane="erp-outbox" data-help="erp">
      <header className={styles.bar}>
        <Field label="Tag" size="small" orientation="horizontal">
          <Input size="small" value={tag} placeholder="all tags" onChange={(_event, { value }) => setTag(value)} />
        </Field>
        <Input
          size="small"
          type="search"
          aria-label="Filter records"
          placeholder="Text in the record or the path"
          contentBefore={<SearchRegular />}
          value={text}
          onChange={(_event, { value }) => setText(value)}
        />
        <span className={styles.count} role="status">
          {outbox.loaded ? `${outbox.more ? 'first ' : ''}${records.length} of ${outbox.total} records` : ''}
        </span>
        <Menu>
          <MenuTrigger disableButtonEnhancement>
            <Button size="small" appearance="subtle" icon={<ArrowDownloadRegular />}>
              Export
            </Button>
          </MenuTrigger>
          <MenuPopover>
            <MenuList>
              <MenuItem onClick={() => void save('csv')}>Export as CSV</MenuItem>
              <MenuItem onClick={() => void save('json')}>Export as JSON</MenuItem>
            </MenuList>
          </MenuPopover>
        </Menu>
        <Button
          size="small"
          appearance="subtle"
          icon={<DeleteRegular />}
          disabledFocusable={outbox.total === 0}
          onClick={() => setClearing(true)}
        >
          Clear…
        </Button>
      </header>
      <div className={styles.body}>
        <div className={styles.list}>
          {outbox.problem !== null ? (
            <p className={styles.hint} role="alert">
              The outbox could not be loaded: {outbox.problem}
            </p>
          ) : outbox.loaded && records.length === 0 ? (
            <p className={styles.hint}>
              {outbox.total === 0
                ? 'No records yet. A write to an ERP tag sends a record.'
                : 'No records match. Enter the complete path of the tag.'}
            </p>
          ) : (
            <VirtualGrid
              label="Records"
              columns={columns}
              kept={kept}
              count={records.length}
              rowAt={rowAt}
              activeIndex={index}
              onChoose={(at) => setChosen(records[at]?.id ?? null)}
              onRange={onRange}
              onMenu={(at, place) => {
                setChosen(records[at]?.id ?? null);
                setMenu(records[at] ? place : null);
              }}
            />
          )}
          {menu && record && (
            <RowMenu
              at={menu}
              onClose={() => setMenu(null)}
              entries={[
                { title: 'Copy the record', run: () => void copy(record) },
                { title: 'Show the tag', run: () => show('tags', record.tag) },
                whyEntry(`erp:${record.id}`, explain),
              ]}
            />
          )}
        </div>
        {record && <RecordPane record={record} />}
      </div>
      {clearing && (
        <ConfirmDialog title="Clear the outbox" action="Delete" onConfirm={clear} onClose={() => setClearing(false)}>
          {filter.tag === undefined
            ? 'All records of all ERP tags are deleted'
            : `All records of ${filter.tag} are deleted`}
          {filter.text === undefined ? '' : ', including those hidden by the text filter'}. You can't undo this: export
          them first to keep them.
        </ConfirmDialog>
      )}
    </section>
  );
}

const jsonOf = ({ record }: ErpRecord): string => JSON.stringify(record, null, 2);

function useCopyRecord() {
  const copy = useCopy();
  return (record: ErpRecord) => copy(jsonOf(record), 'Record copied', { instead: 'Select the text and press Ctrl+C.' });
}

/** One record as JSON, with its origin. */
function RecordPane({ record }: { record: ErpRecord }) {
  const { show } = useWorkbench();
  const json = jsonOf(record);
  const copy = useCopyRecord();
  return (
    <section className={styles.record} aria-label={`Record ${record.id}`}>
      <header>
        <h2>Record {record.id}</h2>
        <Button size="small" appearance="subtle" icon={<CopyRegular />} onClick={() => void copy(record)}>
          Copy
        </Button>
        <Button size="small" appearance="subtle" onClick={() => show('tags', record.tag)}>
          Show the tag
        </Button>
        <WhyButton thing={`erp:${record.id}`} quiet />
      </header>
      <p className={styles.hint}>
        <TagPath path={record.tag} />, sent at {fullMoment(new Date(record.sentAt))}
      </p>
      <pre tabIndex={0} aria-label="Record as JSON">
        {json}
      </pre>
    </section>
  );
}
