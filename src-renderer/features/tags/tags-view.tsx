import { useState } from 'react';
import { focusPane } from '../../frame/panes/panes.ts';
import type { ViewProps } from '../../frame/view.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { deferred } from '../../ui/deferred.tsx';
import { Tab, TabList } from '../../ui/fluent.ts';
import { ProblemList } from './problems/problem-list.tsx';
import { useTagProblems } from './problems/use-tag-problems.ts';
import { TagsPane } from './tags-pane.tsx';
import styles from './tags.module.css';

const ErpOutbox = deferred(async () => (await import('./erp/erp-outbox.tsx')).ErpOutbox);

const TABS = ['tags', 'problems', 'erp'] as const;
type TabName = (typeof TABS)[number];

/** All tags with their live values, the details of the selected one, bad tags, and the records of ERP tags. */
export function TagsView({ active, target }: ViewProps) {
  const { client, show } = useWorkbench();
  const [tab, setTab] = useState<TabName>('tags');
  const [seen, setSeen] = useState(false);
  const [followed, setFollowed] = useState<ViewProps['target']>(null);
  const found = useTagProblems(client, { active, visible: tab === 'problems' });
  if (target !== followed) {
    setFollowed(target);
    if (target) setTab('tags');
  }
  const showProblems = () => {
    setTab('problems');
    setTimeout(() => focusPane('tag-problems'), 0);
  };
  useCommands(
    active
      ? [{ id: 'tags.problems', section: 'Tags', title: 'Problems of tags', keys: 'Ctrl+Shift+M', run: showProblems }]
      : [],
  );
  const count = found.read === null ? '' : ` (${found.total.toLocaleString('en')})`;
  return (
    <div className={styles.view}>
      <TabList
        className={styles.tabs}
        size="small"
        aria-label="Tags, problems and ERP outbox"
        selectedValue={tab}
        onTabSelect={(_event, { value }) => {
          setTab(TABS.find((name) => name === value) ?? 'tags');
          if (value === 'erp') setSeen(true);
        }}
      >
        <Tab value="tags">Tags</Tab>
        <Tab value="problems">Problems{count}</Tab>
        <Tab value="erp">ERP outbox</Tab>
      </TabList>
      <div className={styles.under} hidden={tab !== 'tags'}>
        <TagsPane active={active && tab === 'tags'} target={target} />
      </div>
      {tab === 'problems' && (
        <div className={styles.under}>
          <ProblemList found={found} onShow={(path) => show('tags', path)} />
        </div>
      )}
      {seen && (
        <div className={styles.under} hidden={tab !== 'erp'}>
          <ErpOutbox active={active && tab === 'erp'} />
        </div>
      )}
    </div>
  );
}
