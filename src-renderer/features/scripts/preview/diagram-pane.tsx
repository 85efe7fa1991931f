import { Button, Dropdown, Option, Spinner } from '@fluentui/react-components';
import { useEffect, useMemo, useState } from 'react';
import { diagramAddress, isBound } from '#domain/diagram';
import type { Diagram } from '#domain/diagram';
import type { RunReport } from '#domain/run';
import type { TagValue } from '#domain/tag';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { WindowNewRegular } from '../../../ui/icons.ts';
import { QualityMark } from '../../../ui/quality.tsx';
import { shownLive, shownValue } from '../../../ui/shown-value.ts';
import { diagramRows, sharedTags } from '../model/diagram-rows.ts';
import type { TraceItem } from '../model/trace.ts';
import styles from './preview.module.css';

const REFRESH_MS = 1_000;

interface Props {
  /** The Diagram and the location of the context, '' for none. */
  name: string;
  location: string;
  report: RunReport | null;
  trace: readonly TraceItem[];
  active: boolean;
}

/** What a Diagram at the location of the context shows, and what the run did with its tags. */
export function DiagramPane({ name, location, report, trace, active }: Props) {
  const { client, show } = useWorkbench();
  const [diagrams, setDiagrams] = useState<Diagram[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [values, setValues] = useState<TagValue[]>([]);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const { signal } = end;
    const load = async () => {
      const list = await client.diagrams.list(undefined, { signal });
      setDiagrams(await Promise.all(list.map(({ id }) => client.diagrams.get({ id }, { signal }))));
    };
    load().catch((error: unknown) => {
      if (!signal.aborted) setProblem(problemOf(error).message);
    });
    return () => end.abort();
  }, [client, active]);

  // The chosen one; else that of the context; else the one that shows most of what the run touched.
  const best = diagrams?.toSorted((a, b) => sharedTags(b, report) - sharedTags(a, report))[0];
  const diagram = diagrams?.find((one) => one.name === (chosen ?? name)) ?? best;
  const diagramName = diagram?.name;
  const paths = useMemo(
    () => [...new Set(diagram?.parts.filter(({ kind, tag }) => isBound(kind) && tag !== '').map(({ tag }) => tag))],
    [diagram],
  );

  useEffect(() => {
    if (!active || diagramName === undefined || paths.length === 0) return undefined;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        setValues(await client.tags.get({ paths, diagram: diagramName, location }, { signal: end.signal }));
      } catch {
        // A lost connection is told by the frame; the values come again with it.
      }
      if (!end.signal.aborted) timer = setTimeout(() => void look(), REFRESH_MS);
    };
    void look();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [client, active, diagramName, location, paths]);

  if (problem !== null) return <p className={styles.hint}>The Diagrams cannot be read: {problem}</p>;
  if (!diagrams) return <Spinner size="tiny" label="Reading the Diagrams…" />;
  if (!diagram) {
    return (
      <p className={styles.hint}>
        There is no Diagram yet. <Button onClick={() => show('diagrams')}>Make one</Button>
      </p>
    );
  }
  const rows = diagramRows(diagram, location, values, trace);
  return (
    <div className={styles.result}>
      <div className={styles.resultBar}>
        <Dropdown
          size="small"
          aria-label="Diagram that is shown"
          value={diagram.name}
          selectedOptions={[diagram.name]}
          onOptionSelect={(_event, { optionValue }) => setChosen(optionValue ?? null)}
        >
          {diagrams.map((one) => (
            <Option key={one.id} value={one.name}>
              {one.name}
            </Option>
          ))}
        </Dropdown>
        <span className={styles.quiet}>{location === '' ? 'default location' : `workcenter ${location}`}</span>
        <Button
          size="small"
          appearance="subtle"
          icon={<WindowNewRegular />}
          title="Open the Diagram with this workcenter, in its own window"
          onClick={() => void window.open(diagramAddress(diagram.name, location), '_blank', 'noopener')}
        >
          Own window
        </Button>
      </div>
      <div
        className={`${styles.table} ${styles.diagram}`}
        role="region"
        aria-label="What the Diagram shows"
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              {['Part', 'Shows', 'This run', 'Quality', 'Tag'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, label, tag, value, run, written }) => (
              <tr key={id}>
                <td>{label}</td>
                <td title={value && shownValue(value.value, 500)}>{value ? shownLive(value.value, 40) : '…'}</td>
                <td>{written ? `→ ${shownValue(written.value, 40)}` : run}</td>
                <td>{value && <QualityMark quality={value.quality} reason={value.reason} />}</td>
                <td>{tag}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {report?.dryRun === true && rows.some(({ written }) => written) && (
        <p className={styles.dropped}>A dry run: the Diagram goes on to show what it showed before.</p>
      )}
    </div>
  );
}
