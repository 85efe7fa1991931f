import type { ReactNode } from 'react';
import { changeEditorOptions, editorOptions, FONT_SIZE } from '../../frame/editor-options.ts';
import { THEME_CHOICES, THEME_NAMES } from '../../frame/theme.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { useStore } from '../../support/store.ts';
import { Select, Switch } from '../../ui/fluent.ts';
import styles from './settings.module.css';

const SIZES = [8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32];

/** What belongs to this browser or window, and not to the workspace. */
export function AppearanceSection() {
  const { themes } = useWorkbench();
  const theme = useStore(themes.choice);
  const { wordWrap, fontSize } = useStore(editorOptions);
  return (
    <section className={styles.group} aria-labelledby="settings-appearance">
      <h2 id="settings-appearance">Appearance</h2>
      <Row title="Theme" help="Applies to this browser or window only. The other settings apply to the workspace.">
        <Select
          size="small"
          aria-label="Theme"
          value={theme}
          onChange={(_event, { value }) => {
            const choice = THEME_CHOICES.find((one) => one === value);
            if (choice) themes.choose(choice);
          }}
        >
          {THEME_CHOICES.map((one) => (
            <option key={one} value={one}>
              {THEME_NAMES[one]}
            </option>
          ))}
        </Select>
      </Row>
      <Row
        title="Text size of the editor"
        help="In pixels. Alt+= and Alt+- change it in the Scripts view, Alt+0 resets it."
      >
        <Select
          size="small"
          aria-label="Text size of the editor"
          value={String(fontSize)}
          onChange={(_event, { value }) => changeEditorOptions({ fontSize: Number(value) })}
        >
          {[...new Set([...SIZES, fontSize])]
            .toSorted((a, b) => a - b)
            .map((size) => (
              <option key={size} value={String(size)}>
                {size === FONT_SIZE.usual ? `${size} (default)` : size}
              </option>
            ))}
        </Select>
      </Row>
      <Row
        title="Word wrap in the editor"
        help="Long lines continue on the next one; otherwise they scroll. Alt+Z switches it."
      >
        <Switch
          aria-label="Word wrap in the editor"
          checked={wordWrap}
          onChange={(_event, { checked }) => changeEditorOptions({ wordWrap: checked })}
        />
      </Row>
    </section>
  );
}

function Row({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <div className={styles.about}>
        <span className={styles.title}>{title}</span>
        <span className={styles.help}>{help}</span>
      </div>
      <div className={styles.control}>{children}</div>
    </div>
  );
}
