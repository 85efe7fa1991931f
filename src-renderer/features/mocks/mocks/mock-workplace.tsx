import { useMemo, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { SidePane } from '../../../frame/panes/side-pane.tsx';
import { Splitter } from '../../../ui/split.tsx';
import { useStore } from '../../../support/store.ts';
import { answerOfField } from '../model/answer-form.ts';
import type { MockListRow } from '../model/list-rows.ts';
import { formOf, newForm } from '../model/mock-form.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import { MockEditor } from './mock-editor.tsx';
import { TryPane } from './try-pane.tsx';
import type { MockActions } from './use-mock-actions.ts';
import styles from '../mocks.module.css';

const PANELS = ['mocks-editor', 'mocks-try'];

interface Props {
  model: MocksModel;
  row: MockListRow;
  /** The folders of all mocks. */
  folders: readonly string[];
  /** A field to show. */
  field: string | null;
  actions: MockActions;
  active: boolean;
}

/** A mock: its editor above its results. */
export function MockWorkplace({ model, row, folders, field, actions, active }: Props) {
  const { mock, draft } = row;
  const [shown, setShown] = useState(() => answerOfField(field ?? ''));
  const [followed, setFollowed] = useState(field);
  if (field !== followed) {
    setFollowed(field);
    if (field !== null) setShown(answerOfField(field));
  }
  const keeps = useStore(model.store, ({ keeps: kept }) => kept);
  const form = useMemo(() => draft?.form ?? (mock ? formOf(mock) : newForm()), [draft, mock]);
  const layout = useDefaultLayout({ id: 'tagwright.mocks.mock', panelIds: PANELS, storage: localStorage });
  return (
    <Group className={styles.view} orientation="vertical" {...layout}>
      <Panel id="mocks-editor" className={styles.panel} minSize={180}>
        <section className={styles.list} aria-label="Mock editor" data-pane="mock-editor">
          <MockEditor
            model={model}
            actions={actions}
            row={row}
            form={form}
            folders={folders}
            keeps={keeps}
            active={active}
            shown={shown}
            onShow={setShown}
          />
        </section>
      </Panel>
      <Splitter label="Height of the editor" />
      <SidePane
        id="mocks-try"
        side="bottom"
        title="try pane"
        active={active}
        className={styles.panel}
        least={110}
        size="28%"
        keeps="fraction"
      >
        <section className={styles.side} aria-label="Try" data-pane="mock-try">
          <TryPane form={form} mockId={mock?.id ?? null} response={shown + 1} active={active} />
        </section>
      </SidePane>
    </Group>
  );
}
