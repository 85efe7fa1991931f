import { Command } from 'cmdk';
import { useEffect, useState } from 'react';
import { Dialog, DialogSurface } from '../../ui/fluent.ts';
import { Kbd } from '../../ui/text/kbd.tsx';
import { shownKeys } from './keys.ts';
import { matchesWords } from './palette-filter.ts';
import type { Finding, View } from '../view.ts';
import { useWorkbench } from '../workbench.ts';
import styles from '../frame.module.css';

/** Below the top edge, close to the editor. Inline, to override the dialog's own position. */
const SURFACE = {
  inset: '48px auto auto 50%',
  translate: '-50% 0',
  margin: 0,
  padding: 0,
  width: 'min(640px, calc(100vw - 32px))',
  maxWidth: 'none',
  overflow: 'hidden',
  border: '1px solid var(--colorNeutralStroke1)',
} as const;

interface Props {
  views: readonly View[];
  onClose: () => void;
}

/** Every command, script and tag by name. */
export function Palette({ views, onClose }: Props) {
  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && onClose()}>
      <DialogSurface style={SURFACE} backdrop={{ style: { background: 'transparent' } }} aria-label="Command palette">
        <PaletteContent views={views} onClose={onClose} />
      </DialogSurface>
    </Dialog>
  );
}

/** The commands of the view come before the general ones. */
function workbenchLast(a: string, b: string): number {
  return Number(a === 'Workbench') - Number(b === 'Workbench');
}

function PaletteContent({ views, onClose }: Props) {
  const { commands, show } = useWorkbench();
  const [text, setText] = useState('');
  const found = useFindings(views, text);
  // The commands at the moment when the palette opened: opening it must not change which are enabled.
  const [offered] = useState(() => commands.all().filter(({ id, enabled }) => id !== 'palette' && enabled !== false));
  const matching = offered.filter((command) => matchesWords(`${command.section} ${command.title}`, text));
  const sections = [...new Set(matching.map((command) => command.section))].toSorted(workbenchLast);
  const pick = (run: () => void | Promise<void>) => {
    onClose();
    // After the dialog has returned the focus, so that a command can move it.
    setTimeout(() => void run(), 0);
  };

  return (
    <Command label="Command palette" shouldFilter={false} loop>
      <Command.Input
        autoFocus
        className={styles.paletteInput}
        placeholder="Search commands, scripts, tags, rules, mocks, Diagrams and settings"
        value={text}
        onValueChange={setText}
      />
      <Command.List className={styles.paletteList} label="Results">
        <Command.Empty className={styles.paletteEmpty}>No results.</Command.Empty>
        {found.map(({ view, findings }) => (
          <Command.Group key={view.id} heading={view.find?.heading}>
            {findings.map((finding) => (
              <Command.Item
                key={finding.what}
                value={`${view.id} ${finding.what}`}
                className={styles.paletteItem}
                onSelect={() => pick(() => show(view.id, finding.what))}
              >
                <span className={styles.paletteTitle} title={finding.title}>
                  {finding.title}
                </span>
                <span className={styles.paletteDetail} title={finding.detail}>
                  {finding.detail}
                </span>
              </Command.Item>
            ))}
          </Command.Group>
        ))}
        {sections.map((section) => (
          <Command.Group key={section} heading={section}>
            {matching
              .filter((command) => command.section === section)
              .map((command) => (
                <Command.Item
                  key={command.id}
                  value={command.id}
                  className={styles.paletteItem}
                  onSelect={() => pick(command.run)}
                >
                  <span className={styles.paletteTitle}>{command.title}</span>
                  <span className={styles.paletteDetail} />
                  {command.keys && <Kbd keys={shownKeys(command.keys)} />}
                </Command.Item>
              ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

const NOTHING: ViewFindings[] = [];

interface ViewFindings {
  view: View;
  findings: Finding[];
}

/** What the views find for a text; keeps the former results until the next ones, so that the list does not flicker. */
function useFindings(views: readonly View[], text: string): ViewFindings[] {
  const { client } = useWorkbench();
  const [found, setFound] = useState<ViewFindings[]>([]);
  useEffect(() => {
    if (text.trim() === '') return undefined;
    const end = new AbortController();
    const search = async () => {
      const all = await Promise.all(
        views.map(async (view) => ({
          view,
          findings: (await view.find?.search(client, text, end.signal).catch(() => [])) ?? [],
        })),
      );
      if (!end.signal.aborted) setFound(all.filter(({ findings }) => findings.length > 0));
    };
    const timer = setTimeout(() => void search(), 60);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, views, text]);
  return text.trim() === '' ? NOTHING : found;
}
