import type { KeyboardEvent } from 'react';
import { DismissRegular } from '../../../ui/icons.ts';
import { useStore } from '../../../support/store.ts';
import { isDirty, titleOf } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './editor.module.css';

/**
 * Scrolls a tab into view when it becomes active. A function of its own, because React calls an inline one on every
 * render, which forces a layout for each key.
 */
const showTab = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** The open scripts; arrows move between them, Delete closes one. */
export function Tabs({ onClose }: { onClose: (key: string) => void }) {
  const { model } = useScripts();
  const { tabs, docs, active } = useStore(model.store);
  if (tabs.length === 0) return <div className={styles.tabs} />;

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = tabs.indexOf(active ?? '');
    const to: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[((to[event.key] ?? at) + tabs.length) % tabs.length];
    if (event.key === 'Delete' && active !== null) onClose(active);
    else if (to[event.key] === undefined || next === undefined) return;
    else model.activate(next);
    event.preventDefault();
    const list = event.currentTarget;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };

  return (
    <div className={styles.tabs} role="tablist" aria-label="Open scripts" onKeyDown={onKeyDown}>
      {tabs.map((key) => {
        const doc = docs.get(key);
        if (!doc) return null;
        const dirty = isDirty(doc);
        const title = titleOf(doc.text);
        return (
          <div
            key={doc.editor}
            className={styles.tab}
            role="tab"
            tabIndex={key === active ? 0 : -1}
            aria-selected={key === active}
            aria-label={dirty ? `${title}, unsaved` : title}
            title={`${doc.text.group} / ${title}`}
            data-dirty={dirty}
            data-doc={doc.editor}
            ref={key === active ? showTab : undefined}
            onMouseDown={(event) => {
              if (event.button === 1) onClose(key);
              else model.activate(key);
            }}
          >
            <span className={styles.tabTitle}>{title}</span>
            {/* For the pointer only: Delete and Alt+W close a tab from the keyboard. */}
            <span
              className={styles.tabClose}
              aria-hidden="true"
              title="Close (Alt+W)"
              onMouseDown={(event) => event.stopPropagation()}
              onClick={() => onClose(key)}
            >
              <span className={styles.dot}>●</span>
              <DismissRegular />
            </span>
          </div>
        );
      })}
    </div>
  );
}
