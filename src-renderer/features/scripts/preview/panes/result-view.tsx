import { useMemo, useState } from 'react';
import type { Json } from '#domain/text/json';
import { useCopy } from '../../../../frame/use-copy.ts';
import { saveText } from '../../../../support/files.ts';
import { Button } from '../../../../ui/fluent.ts';
import { ArrowDownloadRegular, CopyRegular } from '../../../../ui/icons.ts';
import { isContainer } from '../../../../ui/json/json-nodes.ts';
import { JsonTree } from '../../../../ui/json/json-tree.tsx';
import type { Folding } from '../../../../ui/json/json-tree.tsx';
import { JsonLines } from '../../../../ui/lists/lines.tsx';
import { imageOf, shownPart, shownSize } from './result-text.ts';
import { csvOf, nextOrder, sorted, tableOf } from './table.ts';
import type { TableOrder } from './table.ts';
import { RecordTable } from './record-table.tsx';
import styles from './result.module.css';

/** The result of a script: an image, a table of records, or JSON. */
export function ResultView({ result, ...folding }: { result: Json } & Folding) {
  const plain = useMemo(() => (isContainer(result) ? null : JSON.stringify(result)), [result]);
  const shown = useMemo(() => (plain === null ? null : shownPart(plain)), [plain]);
  const whole = () => plain ?? JSON.stringify(result, null, 2);
  const table = useMemo(() => tableOf(result), [result]);
  const image = useMemo(() => imageOf(result), [result]);
  const [asJson, setAsJson] = useState(false);
  const [order, setOrder] = useState<TableOrder | null>(null);
  const [broken, setBroken] = useState<string | null>(null);
  const rows = useMemo(() => (table ? sorted(table.rows, order) : []), [table, order]);
  const rich = image !== null && image !== broken ? 'image' : table ? 'table' : null;
  const look = asJson ? null : rich;

  const toClipboard = useCopy();
  const copy = (what: string, copied: string) =>
    toClipboard(copied, `${what} copied`, { instead: 'Save the result to a file instead.' });
  return (
    <div className={styles.result}>
      <div className={styles.resultBar}>
        <span className={styles.quiet}>
          {sortOf(result)}
          {look === null && shown?.cut && `, the beginning of ${shownSize(whole().length)}: save it to see everything`}
        </span>
        {rich && (
          <Button size="small" appearance="subtle" onClick={() => setAsJson(!asJson)}>
            {asJson ? `Show as ${rich}` : 'Show as JSON'}
          </Button>
        )}
        {look === 'table' && table && (
          <Button
            size="small"
            appearance="subtle"
            title="Copy the table as CSV, in the displayed order"
            onClick={() => void copy('The result as CSV', csvOf(table.columns, rows))}
          >
            CSV
          </Button>
        )}
        <Button
          size="small"
          appearance="subtle"
          icon={<CopyRegular />}
          onClick={() => void copy('The result as JSON', whole())}
        >
          Copy
        </Button>
        <Button
          size="small"
          appearance="subtle"
          icon={<ArrowDownloadRegular />}
          aria-label="Save the result"
          title="Save the result to a file, as JSON"
          onClick={() => saveText('result.json', whole(), 'application/json')}
        />
      </div>
      {look === 'image' && image !== null ? (
        <ResultImage url={image} onBroken={() => setBroken(image)} />
      ) : look === 'table' && table ? (
        <RecordTable
          columns={table.columns}
          rows={rows}
          order={order}
          onOrder={(column) => setOrder(nextOrder(order, column))}
        />
      ) : shown ? (
        <JsonLines text={shown.text} label="Result as JSON" />
      ) : (
        <JsonTree value={result} label="Result as JSON" {...folding} onCopy={(what, text) => void copy(what, text)} />
      )}
    </div>
  );
}

/** An image at full size if there is space; a text that only starts like an image is shown as text. */
function ResultImage({ url, onBroken }: { url: string; onBroken: () => void }) {
  const [size, setSize] = useState('');
  return (
    <figure className={styles.image}>
      <img
        src={url}
        alt="Returned by the script"
        onError={onBroken}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
      />
      <figcaption>
        {/^data:image\/([\w.+-]+)/.exec(url)?.[1]?.toUpperCase()} {size}
      </figcaption>
    </figure>
  );
}

function sortOf(result: Json): string {
  if (result === null) return 'null (a script without return returns null)';
  if (Array.isArray(result)) return result.length === 1 ? 'Array of 1 element' : `Array of ${result.length} elements`;
  if (typeof result === 'object') return 'Object';
  if (typeof result === 'string') return `Text of ${result.length} characters`;
  return typeof result === 'number' ? 'Number' : 'Boolean';
}
