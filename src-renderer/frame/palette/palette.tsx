import { Command } from 'cmdk';
import { useEffect, useState } from 'react';
import { Dialog, DialogSurface } from '../../ui/fluent.ts';
import { Kbd } from '../../ui/text/kbd.tsx';
import { shownKeys } from './keys.ts';
import { remember, remembered } from '../../support/local-storage.ts';
import type { RegisteredCommand } from './commands.ts';
import { matchesWords } from './palette-filter.ts';
import type { Finding, View } from '../view.ts';
import { useWorkbench } from '../workbench.ts';
import { SURFACE } from './surface.ts';
import styles from '../frame.module.css';

interface Props {
  views: readonly View[];
  /** The id of the visible view. */
  current: string;
  onClose: () => void;
}

/** Every command, script and tag by name. */
export function Palette(props: Props) {
  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && props.onClose()}>
      <DialogSurface style={SURFACE} backdrop={{ style: { background: 'transparent' } }} aria-label="Command palette">
        <PaletteContent {...props} />
      </DialogSurface>
    </Dialog>
  );
}

/** The ids of the last used commands, newest first. */
const RECENT = 'palette.recent';
const MOST_RECENT = 4;

interface Group {
  heading: string;
  commands: RegisteredCommand[];
}

/**
 * The commands by heading: without a search the recent ones first; then those of the view, those of the workbench, and
 * those of other views.
 */
function groupsOf(
  offered: readonly RegisteredCommand[],
  { recent, current, text }: { recent: readonly string[]; current: string; text: string },
): Group[] {
  const isBlank = text.trim() === '';
  const used = isBlank ? recent.flatMap((id) => offered.find((command) => command.id === id) ?? []) : [];
  const others = offered.filter(
    (command) => !used.includes(command) && matchesWords(`${command.section} ${command.title}`, text),
  );
  const rank = ({ view, elsewhere }: RegisteredCommand) =>
    view === current ? 0 : view === '' && elsewhere !== true ? 1 : 2;
  const sections = Map.groupBy(
    others.toSorted((a, b) => rank(a) - rank(b)),
    ({ section }) => section,
  );
  const groups = [...sections].map(([heading, commands]) => ({ heading, commands }));
  return used.length > 0 ? [{ heading: 'Recent', commands: used }, ...groups] : groups;
}

function PaletteContent({ views, current, onClose }: Props) {
  const { commands, show } = useWorkbench();
  const [text, setText] = useState('');
  const found = useFindings(views, text);
  // The commands at the moment when the palette opened: opening it must not change which are enabled.
  const [offered] = useState(() => commands.all().filter(({ id, enabled }) => id !== 'palette' && enabled !== false));
  const [recent] = useState(() => remembered<string[]>(RECENT, []));
  const groups = groupsOf(offered, { recent, current, text });
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
                <span className={styles.paletteIcon}>{finding.icon ?? <view.icon />}</span>
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
        {groups.map(({ heading, commands: listed }) => (
          <Command.Group key={heading} heading={heading}>
            {listed.map((command) => (
              <Command.Item
                key={command.id}
                value={command.id}
                className={styles.paletteItem}
                onSelect={() => {
                  remember(RECENT, [command.id, ...recent.filter((id) => id !== command.id)].slice(0, MOST_RECENT));
                  pick(command.run);
                }}
              >
                <span className={styles.paletteTitle}>{command.title}</span>
                <span className={styles.paletteDetail}>{heading === 'Recent' && command.section}</span>
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

/**
 * What the views find for a text. Until the next results are there, the former ones that match it, so that the list does
 * not flicker, and Enter never takes one that does not match.
 */
function useFindings(views: readonly View[], text: string): ViewFindings[] {
  const { client } = useWorkbench();
  const [found, setFound] = useState({ text: '', results: NOTHING });
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
      if (!end.signal.aborted) setFound({ text, results: withFindings(all) });
    };
    const timer = setTimeout(() => void search(), 60);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, views, text]);
  if (text.trim() === '') return NOTHING;
  if (found.text === text) return found.results;
  const matches = ({ title, detail }: Finding) => matchesWords(`${title} ${detail}`, text);
  return withFindings(found.results.map(({ view, findings }) => ({ view, findings: findings.filter(matches) })));
}

const withFindings = (all: ViewFindings[]): ViewFindings[] => all.filter(({ findings }) => findings.length > 0);
