import { Kbd } from '../../ui/text/kbd.tsx';
import { PlainDialog } from '../../ui/dialogs/plain-dialog.tsx';
import type { Command } from './commands.ts';
import { shownKeys } from './keys.ts';
import { useWorkbench } from '../workbench.ts';
import styles from '../frame.module.css';

/** Every command of the opened views that has keys, by section; those without keys are in the command palette. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <PlainDialog title="Keys" width={760} onClose={onClose}>
      <KeysList />
    </PlainDialog>
  );
}

const IN_PLACE: readonly Pick<Command, 'title' | 'section' | 'keys'>[] = [
  { section: 'Lists and trees', title: 'Move', keys: '↑ ↓ Home End' },
  { section: 'Lists and trees', title: 'Open or close a group', keys: '→ ←' },
  { section: 'Lists and trees', title: 'Jump to a name', keys: 'A … Z' },
  { section: 'Lists and trees', title: 'Menu of an entry', keys: 'Shift+F10' },
  { section: 'List of events', title: 'Disable', keys: 'D' },
  { section: 'List of events', title: 'Re-activate', keys: 'R' },
  { section: 'List of events', title: 'Delete', keys: 'Delete' },
  { section: 'List of rules', title: 'Enable or disable', keys: 'Space' },
  { section: 'List of rules', title: 'Turn events on or off', keys: 'T' },
  { section: 'List of mocks', title: 'Enable or disable', keys: 'E' },
  { section: 'List of mocks', title: 'Move up or down', keys: 'Alt+↑ ↓' },
  { section: 'List of mocks', title: 'Move to a folder', keys: 'M' },
  { section: 'List of mocks', title: 'Rename or move a folder', keys: 'F2' },
  { section: 'List of mocks', title: 'Expand or collapse a folder', keys: '→ ←' },
  { section: 'Editor', title: 'Complete', keys: 'Ctrl+Space' },
  { section: 'Editor', title: 'Parameters of a call', keys: 'Ctrl+Shift+Space' },
  { section: 'Editor', title: 'Next problem', keys: 'Alt+F8' },
  { section: 'Editor', title: 'Go to symbol in the script', keys: 'Ctrl+Shift+O' },
  { section: 'Editor', title: 'References in the script', keys: 'Shift+F12' },
  { section: 'Editor', title: 'Fixes for the line', keys: 'Ctrl+.' },
  { section: 'Editor', title: 'Let Tab leave the editor', keys: 'Ctrl+M' },
];

/** A command that a hidden view has registered is offered too. */
function distinct(commands: readonly Command[]): Command[] {
  return [...new Map(commands.map((command) => [command.id, command])).values()];
}

function KeysList() {
  const { commands } = useWorkbench();
  const listed = ({ elsewhere, keys, title }: Command) =>
    keys !== undefined || (elsewhere !== true && !IN_PLACE.some((other) => other.title === title));
  const all = [...distinct(commands.all().filter(listed)), ...IN_PLACE];
  const sections = [...new Set(all.map((command) => command.section))];
  return (
    // The first focusable element: the dialog focuses it, and the arrow keys scroll.
    <div className={styles.keys} role="region" aria-label="Keys by section" tabIndex={0}>
      {sections.map((section) => (
        <section key={section}>
          <h3>{section}</h3>
          <dl>
            {all
              .filter((command) => command.section === section)
              .map((command) => (
                <div key={command.title}>
                  <dt>{command.title}</dt>
                  <dd>{command.keys ? <Kbd keys={shownKeys(command.keys)} /> : 'palette'}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
