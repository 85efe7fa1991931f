import { useCommands } from '../../../frame/workbench.ts';
import { openPane } from '../../../frame/panes/panes.ts';
import { useStore } from '../../../support/store.ts';
import { deferred } from '../../../ui/deferred.tsx';
import { Button, Tab, TabList } from '../../../ui/fluent.ts';
import { DismissRegular } from '../../../ui/icons.ts';
import { useScripts } from '../scripts-context.ts';
import { useDebugControls } from './debug-controls.tsx';
import { isActive } from './model/debugger-state.ts';
import { FollowDebuggedRun, useRestart } from './follow-debugged-run.ts';
import styles from './right-pane.module.css';

const Preview = deferred(async () => (await import('../preview/preview.tsx')).Preview);
const DebugPane = deferred(async () => (await import('./pane/debug-pane.tsx')).DebugPane);

/** The preview, and next to it the debugger from the first debugged run on. */
export function RightPane({ active }: { active: boolean }) {
  const { debug } = useScripts();
  const { debugger: session } = debug;
  const controls = useDebugControls(active, useRestart());
  const phase = useStore(session.shown, (state) => state.phase);
  const chosen = useStore(debug.pane);
  const hasDebugger = phase !== 'none' || chosen === 'debug';
  const show = () => {
    debug.pane.set('debug');
    openPane('preview');
  };
  useCommands([
    { id: 'debug.show', section: 'Debug', title: 'Show the debugger', keys: 'Alt+6', enabled: active, run: show },
  ]);
  return (
    <div className={styles.right}>
      <FollowDebuggedRun />
      {hasDebugger && (
        <div className={styles.which}>
          <TabList
            size="small"
            selectedValue={chosen}
            onTabSelect={(_event, { value }) => debug.pane.set(value === 'debug' ? 'debug' : 'preview')}
          >
            <Tab value="preview" id="right-preview" aria-controls="right-preview-part">
              Preview
            </Tab>
            <Tab value="debug" id="right-debug" aria-controls="right-debug-part">
              Debugger
            </Tab>
          </TabList>
          <span className={styles.spring} />
          {!isActive(phase) && (
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label="Close the debugger"
              title="Close the debugger"
              onClick={() => {
                debug.pane.set('preview');
                session.dismiss();
              }}
            />
          )}
        </div>
      )}
      <div
        id="right-preview-part"
        className={styles.rightPart}
        hidden={chosen !== 'preview'}
        {...(hasDebugger && { role: 'tabpanel', 'aria-labelledby': 'right-preview' })}
      >
        <Preview active={active} />
      </div>
      {hasDebugger && (
        <div
          id="right-debug-part"
          className={styles.rightPart}
          role="tabpanel"
          aria-labelledby="right-debug"
          hidden={chosen !== 'debug'}
        >
          <DebugPane active={active} controls={controls} />
        </div>
      )}
    </div>
  );
}
