import { Button, Input, Text } from '@fluentui/react-components';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import type { ViewProps } from '../../frame/view.ts';
import { SearchRegular } from '../../ui/icons.ts';
import { remember, remembered } from '../../ui/local-storage.ts';
import { Splitter } from '../../ui/split.tsx';
import { LiveValues } from './live-values.ts';
import type { ViewScope } from './live-values.ts';
import { TagDetails } from './tag-details.tsx';
import { TagGrid } from './tag-grid.tsx';
import { useTagList } from './use-tag-list.ts';
import styles from './tags.module.css';

const NO_SCOPE: ViewScope = { diagram: '', location: '' };
const PANELS = ['list', 'details'];
const NO_COMMANDS: [] = [];

/** All tags with their live values, and the one that is chosen in detail. */
export function TagsView({ active, target }: ViewProps) {
  const { client } = useWorkbench();
  const [filter, setFilter] = useState('');
  const [scope, setScope] = useState(() => remembered<ViewScope>('tags.scope', NO_SCOPE));
  const [selected, setSelected] = useState<string | null>(null);
  const [values] = useState(() => new LiveValues(client));
  const filterField = useRef<HTMLInputElement>(null);
  const list = useTagList(client, filter.trim(), active);
  const layout = useDefaultLayout({ id: 'tagwright.tags', panelIds: PANELS, storage: localStorage });
  const chosen = useMemo(() => list.tags.find(({ path }) => path === selected) ?? null, [list.tags, selected]);

  // What the view is asked to show takes the place of what was chosen, before anything else is drawn.
  const [followed, setFollowed] = useState<ViewProps['target']>(null);
  if (target !== followed) {
    setFollowed(target);
    if (target) {
      setFilter('');
      setSelected(target.what);
    }
  }
  useEffect(() => () => values.stop(), [values]);
  const changeScope = (next: ViewScope) => {
    remember('tags.scope', next);
    values.clear();
    setScope(next);
  };

  const focusFilter = () => filterField.current?.focus();
  // Only while the view is seen: Ctrl+F belongs to the editor in the view Scripts.
  const filterCommand = {
    id: 'tags.filter',
    section: 'Tags',
    title: 'Filter the tags',
    keys: 'Ctrl+F',
    run: focusFilter,
  };
  useCommands(active ? [filterCommand] : NO_COMMANDS);

  return (
    <Group className={styles.view} orientation="horizontal" {...layout}>
      <Panel id="list" className={styles.pane} minSize={360}>
        <section className={styles.list} aria-label="Tag list" data-pane="tag-list">
          <header className={styles.bar}>
            <Input
              input={{ ref: filterField }}
              className={styles.filter}
              size="small"
              type="search"
              aria-label="Filter tags"
              placeholder="Filter by words of the path"
              contentBefore={<SearchRegular />}
              value={filter}
              onChange={(_event, { value }) => setFilter(value)}
            />
            <label className={styles.scope}>
              As Diagram
              <Input
                size="small"
                value={scope.diagram}
                placeholder="default"
                onChange={(_event, { value }) => changeScope({ ...scope, diagram: value })}
              />
            </label>
            <label className={styles.scope}>
              workcenter
              <Input
                size="small"
                value={scope.location}
                placeholder="default"
                onChange={(_event, { value }) => changeScope({ ...scope, location: value })}
              />
            </label>
            <span className={styles.count} role="status">
              {list.loaded || list.tags.length > 0 ? `${list.total} ${list.total === 1 ? 'tag' : 'tags'}` : ''}
            </span>
          </header>
          {list.problem ? (
            <p className={styles.hint} role="alert">
              The tags could not be read: {list.problem.message}
            </p>
          ) : list.loaded && list.tags.length === 0 ? (
            <Empty filter={filter} onClear={() => setFilter('')} />
          ) : (
            <TagGrid
              tags={list.tags}
              values={values}
              scope={scope}
              active={active}
              selected={selected}
              also={chosen?.path ?? null}
              onSelect={setSelected}
            />
          )}
        </section>
      </Panel>
      <Splitter label="Width of the details" />
      <Panel
        id="details"
        className={styles.pane}
        minSize={280}
        defaultSize={380}
        groupResizeBehavior="preserve-pixel-size"
      >
        <section className={styles.details} aria-label="Tag details" data-pane="tag-details">
          {chosen ? (
            <TagDetails key={chosen.path} tag={chosen} values={values} scope={scope} />
          ) : (
            <p className={styles.hint}>Choose a tag to see how it is defined and to write it.</p>
          )}
        </section>
      </Panel>
    </Group>
  );
}

function Empty({ filter, onClear }: { filter: string; onClear: () => void }) {
  if (filter.trim() !== '') {
    return (
      <div className={styles.empty}>
        <Text weight="semibold">No tag has these words in its path.</Text>
        <Button onClick={onClear}>Show all tags</Button>
      </div>
    );
  }
  return (
    <div className={styles.empty}>
      <Text weight="semibold">There are no tags yet.</Text>
      <Text>Bring them in from a CSV or JSON file:</Text>
      <code>npx tagwright tags import plant.csv</code>
    </div>
  );
}
