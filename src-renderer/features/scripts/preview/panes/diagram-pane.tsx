import { type ReactNode, useMemo, useState } from 'react';
import { type Diagram, diagramAddress } from '#domain/tag/diagram';
import type { RunReport } from '#domain/run/run';
import { ZoomedPage } from '../../../../diagram-page/zoomed-page.tsx';
import { PageDrawing, PageValues } from '../../../../diagram-page/page.tsx';
import { usePageActions } from '../../../../frame/why/use-page-actions.ts';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { Button, Dropdown, Option, Spinner } from '../../../../ui/fluent.ts';
import { Cut } from '../../../../ui/text/cut.tsx';
import { WindowNewRegular } from '../../../../ui/icons.ts';
import { remember, remembered } from '../../../../support/local-storage.ts';
import { diagramRows, sharedTags } from './diagram-rows.ts';
import type { TraceItem } from '../../model/trace.ts';
import { DiagramTable } from './diagram-table.tsx';
import { useLeftByRun } from '../use-left-by-run.ts';
import styles from './result.module.css';
import type { Client } from '../../../../client/client.ts';
import { problemOf } from '../../../../client/errors.ts';
import { useQuery } from '../../../../client/use-query.ts';

interface RunOnDiagram {
  /** The location of the context, '' for the default one. */
  location: string;
  report: RunReport | null;
  trace: readonly TraceItem[];
  active: boolean;
}

/** A Diagram as the location of the context sees it, with the writes of the run to its tags. */
export function DiagramPane({ name, ...run }: RunOnDiagram & { /** The Diagram of the context. */ name: string }) {
  const { client, show } = useWorkbench();
  const { diagrams, problem } = useDiagrams(client, run.active);
  const [chosen, setChosen] = useState<string | null>(null);

  if (problem !== null && !diagrams) return <p className={styles.hint}>The Diagrams could not be loaded: {problem}</p>;
  if (!diagrams) return <Spinner size="tiny" label="Loading the Diagrams…" />;
  // The selected one; else that of the context; else the one with most of the tags of the run.
  const best = diagrams.toSorted((a, b) => sharedTags(b, run.report) - sharedTags(a, run.report))[0];
  const diagram = diagrams.find((one) => one.name === (chosen ?? name)) ?? best;
  if (!diagram) {
    return (
      <p className={styles.hint}>
        There is no Diagram yet. <Button onClick={() => show('diagrams')}>Create one</Button>
      </p>
    );
  }
  return (
    <ShownDiagram {...run} diagram={diagram}>
      <Dropdown
        size="small"
        aria-label="Diagram to show"
        value={diagram.name}
        button={{ children: <Cut text={diagram.name} /> }}
        selectedOptions={[diagram.name]}
        onOptionSelect={(_event, { optionValue }) => setChosen(optionValue ?? null)}
      >
        {diagrams.map((one) => (
          <Option key={one.id} value={one.name}>
            {one.name}
          </Option>
        ))}
      </Dropdown>
    </ShownDiagram>
  );
}

interface ShownProps extends RunOnDiagram {
  diagram: Diagram;
  /** Selects another Diagram. */
  children: ReactNode;
}

function ShownDiagram({ diagram, location, report, trace, active, children }: ShownProps) {
  const { client } = useWorkbench();
  const actions = usePageActions(diagram.name, location);
  const [asTable, setAsTable] = useState(() => remembered('preview.diagram-table', false));
  const dryRun = report?.dryRun === true;
  const overlays = useLeftByRun(client, diagram, location, trace, dryRun);
  const rows = useMemo(() => diagramRows(diagram, trace), [diagram, trace]);
  const turn = () => {
    remember('preview.diagram-table', !asTable);
    setAsTable(!asTable);
  };
  return (
    <div className={styles.result}>
      <div className={styles.resultBar}>
        {children}
        <span className={styles.quiet} title={location}>
          {location === '' ? (
            'default location'
          ) : (
            <>
              workcenter <bdi>{location}</bdi>
            </>
          )}
        </span>
        <Button size="small" appearance="subtle" title={`Show it as a ${asTable ? 'page' : 'table'}`} onClick={turn}>
          {asTable ? 'Page' : 'Table'}
        </Button>
        <Button
          size="small"
          appearance="subtle"
          icon={<WindowNewRegular />}
          aria-label="Open in new window"
          title="Open the Diagram with this workcenter in a new window, where you can also write"
          onClick={() => void window.open(diagramAddress(diagram.name, location), '_blank', 'noopener')}
        />
      </div>
      <PageValues
        key={diagram.id}
        client={client}
        page={diagram}
        workcenter={location}
        active={active}
        overlays={overlays}
        readOnly
        actions={actions}
      >
        <div
          className={asTable ? `${styles.table} ${styles.diagram}` : styles.drawing}
          role="region"
          aria-label="What the Diagram shows"
          tabIndex={0}
        >
          {asTable ? (
            <DiagramTable rows={rows} />
          ) : (
            <ZoomedPage width={diagram.width}>
              <PageDrawing page={diagram} />
            </ZoomedPage>
          )}
        </div>
      </PageValues>
      {dryRun && overlays.size > 0 && (
        <p className={styles.dropped}>Dry run: its writes are shown only here; the plant is unchanged.</p>
      )}
    </div>
  );
}

/** All Diagrams with their parts, kept current; null until they are read. */
function useDiagrams(
  client: Pick<Client, 'diagrams'>,
  active: boolean,
): { diagrams: readonly Diagram[] | null; problem: string | null } {
  const query = useMemo(
    () => ({
      read: async (signal: AbortSignal): Promise<Diagram[]> => {
        const list = await client.diagrams.list(undefined, { signal });
        const all = await Promise.all(
          list.map(({ id }) => client.diagrams.get({ id }, { signal }).catch(unlessDeleted)),
        );
        return all.filter((diagram) => diagram !== null);
      },
      changes: [(signal: AbortSignal) => client.diagrams.changes(undefined, { signal })],
    }),
    [client],
  );
  const { data, problem } = useQuery(query, active);
  return { diagrams: data, problem: problem?.message ?? null };
}

/** null for a Diagram that was deleted after the list was read. */
function unlessDeleted(error: unknown): null {
  if (problemOf(error).code === 'NOT_FOUND') return null;
  throw error;
}
