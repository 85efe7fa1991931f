import { useState, type ReactNode } from 'react';
import type { ComparedExchange, ComparedText, RunDifference } from '#domain/run/replays/capsule-comparison';
import { moment } from '../../../support/moment.ts';
import { Button, Link } from '../../../ui/fluent.ts';
import { CheckmarkCircleFilled, DismissRegular, WarningFilled } from '../../../ui/icons.ts';
import type { CapsuleSource, OtherRun } from '../model/capsules.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './compare.module.css';

interface Props {
  doc: Doc;
  /** The open run, and its text. */
  source: CapsuleSource;
  body: string;
  compared: OtherRun;
}

type SideView = (side: ComparedText | null) => ReactNode;

/** Two recorded runs side by side: where they part, and what they read, wrote and called. */
export function CompareResult({ doc, source, body, compared }: Props) {
  const { capsules, editor } = useScripts();
  const [all, setAll] = useState(false);
  const { comparison } = compared;
  const { input, path, pathNote, output, exchanges, more, equal, sameBody, runs } = comparison;
  const sideIn =
    (text: string): SideView =>
    (side) => {
      if (!side) return <span className={styles.quiet}>nothing</span>;
      const { line } = side;
      return (
        <>
          <code>{side.text}</code>{' '}
          {line === null ? null : text === doc.text.body ? (
            <Link
              className={styles.line}
              title="Show the line in the editor"
              onClick={() => editor.get()?.goTo(line, 1, doc.editor)}
            >
              line {line}
            </Link>
          ) : (
            <span className={styles.line}>line {line}</span>
          )}
        </>
      );
    };
  const before = sideIn(body);
  const after = sideIn(compared.body);
  const names: [string, string] = [nameOf(source, runs[0].startedAt), nameOf(compared.source, runs[1].startedAt)];
  const different = exchanges.filter(({ differs }) => differs).length;
  const shown = all ? exchanges : exchanges.filter(({ differs }) => differs);
  return (
    <div className={styles.compare} role="region" aria-label="Compared runs" tabIndex={0}>
      <div className={styles.summary}>
        <span className={styles.verdict} data-equal={equal} role="status">
          {equal ? <CheckmarkCircleFilled aria-hidden /> : <WarningFilled aria-hidden />}
          {equal ? 'Equal: input, path and output' : `Different: ${differentParts(comparison)}`}
        </span>
        <span className={styles.spring} />
        <Button
          size="small"
          appearance="subtle"
          icon={<DismissRegular />}
          aria-label="Close the comparison"
          title="Close the comparison"
          onClick={() => capsules.stopComparing(doc.editor)}
        />
      </div>
      {!sameBody && <p className={styles.note}>The texts of the two runs differ.</p>}
      <First title="Input" difference={input} names={names} before={before} after={after} />
      <First title="Path" difference={path} names={names} before={before} after={after} />
      {pathNote !== null && <p className={styles.note}>{pathNote}</p>}
      <First title="Output" difference={output} names={names} before={before} after={after} />
      <div className={styles.listHead}>
        <h3 id="exchanges-heading">Exchanges</h3>
        <span className={styles.quiet}>
          {different === 0
            ? 'no differences'
            : `${different.toLocaleString('en')} of ${(exchanges.length + more).toLocaleString('en')} differ`}
        </span>
        <span className={styles.spring} />
        {exchanges.length > different && (
          <Link as="button" className={styles.line} aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? 'Only different ones' : 'Show all'}
          </Link>
        )}
      </div>
      {shown.length > 0 && (
        <table className={styles.table} aria-labelledby="exchanges-heading">
          <thead>
            <tr>
              <th scope="col" className={styles.markCell}>
                <span className={styles.hidden}>Differs</span>
              </th>
              <th scope="col">{names[0]}</th>
              <th scope="col">{names[1]}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the list never changes
              <Row key={at} row={row} before={before} after={after} />
            ))}
          </tbody>
        </table>
      )}
      {all && more > 0 && <p className={styles.note}>{more.toLocaleString('en')} more are not listed.</p>}
    </div>
  );
}

function nameOf(source: CapsuleSource, startedAt: string): string {
  return 'file' in source ? source.file : moment(new Date(startedAt));
}

function differentParts({ input, path, output, exchanges }: OtherRun['comparison']): string {
  const parts = [input && 'input', path && 'path', output && 'output'].filter((part) => part !== null);
  if (parts.length === 0) return exchanges.some(({ differs }) => differs) ? 'exchanges' : 'nothing';
  const last = parts.at(-1) ?? '';
  return parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

interface FirstProps {
  title: string;
  difference: RunDifference | null;
  names: readonly [string, string];
  before: SideView;
  after: SideView;
}

function First({ title, difference, names, before, after }: FirstProps) {
  if (!difference) return null;
  return (
    <section className={styles.first} aria-label={`First difference in ${title.toLowerCase()}`}>
      <h3>
        {title}: first difference, {difference.what}
      </h3>
      <dl>
        <div>
          <dt>{names[0]}</dt>
          <dd>{before(difference.before)}</dd>
        </div>
        <div>
          <dt>{names[1]}</dt>
          <dd>{after(difference.after)}</dd>
        </div>
      </dl>
    </section>
  );
}

function Row({ row, before, after }: { row: ComparedExchange; before: SideView; after: SideView }) {
  return (
    <tr data-differs={row.differs}>
      <td className={styles.markCell}>{row.differs && <span aria-label="differs">≠</span>}</td>
      <td>{before(row.before)}</td>
      <td>{after(row.after)}</td>
    </tr>
  );
}
