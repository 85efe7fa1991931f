import { Tooltip } from '@fluentui/react-components';
import type { View } from './view.ts';
import { ariaKeys, shownKeys } from './palette/keys.ts';
import styles from './frame.module.css';

interface Props {
  views: readonly View[];
  current: string;
  onShow: (viewId: string) => void;
}

/** The activity bar: the list of views. */
export function Rail({ views, current, onShow }: Props) {
  return (
    <nav className={styles.rail} aria-label="Views" data-pane="rail">
      <h1 className={styles.unseen}>Tagwright</h1>
      {views.map((view, index) => {
        const keys = `Ctrl+${index + 1}`;
        return (
          <Tooltip
            key={view.id}
            content={`${view.title} (${shownKeys(keys)})`}
            relationship="description"
            positioning="after"
          >
            <button
              type="button"
              className={styles.railButton}
              aria-label={view.title}
              aria-keyshortcuts={ariaKeys(keys)}
              aria-current={view.id === current ? 'page' : undefined}
              onClick={() => onShow(view.id)}
            >
              <view.icon />
            </button>
          </Tooltip>
        );
      })}
    </nav>
  );
}
