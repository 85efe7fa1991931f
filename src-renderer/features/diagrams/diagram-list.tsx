import type { KeyboardEvent } from 'react';
import type { DiagramSummary } from '#domain/tag/diagram';
import { Button } from '../../ui/fluent.ts';
import { AddRegular } from '../../ui/icons.ts';
import { useKeptLook } from '../../ui/lists/grid-look.ts';
import { type RowOrder, useSortedRows } from '../../ui/lists/sorted-rows.ts';
import { VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import type { GridColumn } from '../../ui/lists/virtual-grid.tsx';
import styles from './diagrams.module.css';

const COLUMNS: readonly GridColumn<DiagramSummary>[] = [
  {
    name: 'Name',
    keep: 'shown',
    width: 'minmax(80px, 1fr)',
    cell: ({ name }) => <bdi>{name}</bdi>,
    hint: ({ name }) => name,
    sort: { by: ({ name }) => name },
  },
  {
    name: 'Parts',
    width: '54px',
    cell: ({ parts }) => parts,
    look: 'number',
    sort: { descendingFirst: true, by: ({ parts }) => parts },
  },
];
const ORDER: RowOrder<DiagramSummary> = { keyOf: ({ id }) => String(id) };

interface Props {
  diagrams: readonly DiagramSummary[];
  openId: number | null;
  onOpen: (id: number) => void;
  onNew: () => void;
  onDelete: (diagram: DiagramSummary) => void;
}

/** The Diagrams of the workspace. */
export function DiagramList({ diagrams: given, openId, onOpen, onNew, onDelete }: Props) {
  const kept = useKeptLook('diagrams', { name: 'Name', descending: false });
  const diagrams = useSortedRows(given, kept, COLUMNS, ORDER);
  const activeIndex = diagrams.findIndex(({ id }) => id === openId);
  const onKey = (event: KeyboardEvent) => {
    const diagram = diagrams[activeIndex];
    if (event.key !== 'Delete' || !diagram) return;
    event.preventDefault();
    onDelete(diagram);
  };
  return (
    <section className={styles.list} aria-label="Diagram list" data-pane="diagram-list">
      <header className={styles.bar}>
        <span className={styles.title}>Diagrams</span>
        <Button size="small" appearance="subtle" icon={<AddRegular />} onClick={onNew}>
          New
        </Button>
      </header>
      <VirtualGrid
        label="Diagrams"
        columns={COLUMNS}
        kept={kept}
        count={diagrams.length}
        rowAt={(index) => diagrams[index]}
        activeIndex={activeIndex}
        onChoose={(index) => {
          const diagram = diagrams[index];
          if (diagram) onOpen(diagram.id);
        }}
        onKey={onKey}
      />
    </section>
  );
}
