import type { KeyboardEvent } from 'react';
import type { DiagramSummary } from '#domain/tag/diagram';
import { Button } from '../../ui/fluent.ts';
import { AddRegular } from '../../ui/icons.ts';
import { VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import type { GridColumn } from '../../ui/lists/virtual-grid.tsx';
import styles from './diagrams.module.css';

const COLUMNS: readonly GridColumn<DiagramSummary>[] = [
  { name: 'Name', width: 'minmax(0, 1fr)', cell: ({ name }) => <bdi>{name}</bdi>, hint: ({ name }) => name },
  { name: 'Parts', width: '44px', cell: ({ parts }) => parts, look: 'number' },
];

interface Props {
  diagrams: readonly DiagramSummary[];
  openId: number | null;
  onOpen: (id: number) => void;
  onNew: () => void;
  onDelete: (diagram: DiagramSummary) => void;
}

/** The Diagrams of the workspace. */
export function DiagramList({ diagrams, openId, onOpen, onNew, onDelete }: Props) {
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
