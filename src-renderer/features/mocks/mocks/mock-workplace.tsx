import { useMemo } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { Splitter } from '../../../ui/split.tsx';
import { useStore } from '../../../support/store.ts';
import { MockEditor } from './mock-editor.tsx';
import type { ListRow } from '../model/list-rows.ts';
import { formOf, newForm } from '../model/mock-form.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import { TryPane } from './try-pane.tsx';
import type { MockActions } from './use-mock-actions.ts';
import styles from '../mocks.module.css';

const PANELS = ['editor', 'try'];

interface Props {
  model: MocksModel;
  row: ListRow;
  actions: MockActions;
  active: boolean;
}

/** A mock: its editor above its results. */
export function MockWorkplace({ model, row, actions, active }: Props) {
  const { mock, draft } = row;
  const keeps = useStore(model.store, ({ keeps: kept }) => kept);
  const form = useMemo(() => draft?.form ?? (mock ? formOf(mock) : newForm()), [draft, mock]);
  const layout = useDefaultLayout({ id: 'tagwright.mocks.mock', panelIds: PANELS, storage: localStorage });
  return (
    <Group className={styles.view} orientation="vertical" {...layout}>
      <Panel id="editor" className={styles.panel} minSize={180} defaultSize="72%">
        <section className={styles.list} aria-label="Mock editor" data-pane="mock-editor">
          <MockEditor model={model} actions={actions} row={row} form={form} keeps={keeps} active={active} />
        </section>
      </Panel>
      <Splitter label="Height of the editor" />
      <Panel id="try" className={styles.panel} minSize={110}>
        <section className={styles.side} aria-label="Try" data-pane="mock-try">
          <TryPane form={form} mockId={mock?.id ?? null} active={active} />
        </section>
      </Panel>
    </Group>
  );
}
