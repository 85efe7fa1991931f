import { useState } from 'react';
import type { ViewProps } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { Tab, TabList } from '../../ui/fluent.ts';
import { TagsPane } from './tags-pane.tsx';
import styles from './tags.module.css';

const ErpOutbox = deferred(async () => (await import('./erp/erp-outbox.tsx')).ErpOutbox);

/** All tags with their live values, the details of the selected one, and the records of ERP tags. */
export function TagsView({ active, target }: ViewProps) {
  const [tab, setTab] = useState<'tags' | 'erp'>('tags');
  const [seen, setSeen] = useState(false);
  const [followed, setFollowed] = useState<ViewProps['target']>(null);
  if (target !== followed) {
    setFollowed(target);
    if (target) setTab('tags');
  }
  return (
    <div className={styles.view}>
      <TabList
        className={styles.tabs}
        size="small"
        aria-label="Tags and ERP outbox"
        selectedValue={tab}
        onTabSelect={(_event, { value }) => {
          setTab(value === 'erp' ? 'erp' : 'tags');
          if (value === 'erp') setSeen(true);
        }}
      >
        <Tab value="tags">Tags</Tab>
        <Tab value="erp">ERP outbox</Tab>
      </TabList>
      <div className={styles.under} hidden={tab !== 'tags'}>
        <TagsPane active={active && tab === 'tags'} target={target} />
      </div>
      {seen && (
        <div className={styles.under} hidden={tab !== 'erp'}>
          <ErpOutbox active={active && tab === 'erp'} />
        </div>
      )}
    </div>
  );
}
