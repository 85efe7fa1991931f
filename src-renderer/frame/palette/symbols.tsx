import { Command } from 'cmdk';
import { useEffect, useState } from 'react';
import type { ScriptSymbol, SymbolKind } from '#domain/search/symbol';
import { problemOf } from '../../client/errors.ts';
import { ownWindowId } from '../../support/window-id.ts';
import { Dialog, DialogSurface } from '../../ui/fluent.ts';
import { useWorkbench } from '../workbench.ts';
import { SURFACE } from './surface.ts';
import styles from '../frame.module.css';

const PAUSE_MS = 60;

const KIND_NAMES: Readonly<Record<SymbolKind, string>> = {
  function: 'function',
  class: 'class',
  method: 'method',
  constant: 'constant',
};

/** The functions, classes, methods and constants of all scripts by name. */
export function Symbols({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && onClose()}>
      <DialogSurface style={SURFACE} backdrop={{ style: { background: 'transparent' } }} aria-label="Symbols">
        <SymbolsContent onClose={onClose} />
      </DialogSurface>
    </Dialog>
  );
}

function SymbolsContent({ onClose }: { onClose: () => void }) {
  const { show } = useWorkbench();
  const [text, setText] = useState('');
  const { symbols, problem } = useSymbols(text);
  // The first one, unless another one was chosen: the list of the former text may have been chosen from.
  const [last, setChosen] = useState('');
  const ids = symbols?.map(idOf) ?? [];
  const chosen = ids.includes(last) ? last : (ids[0] ?? '');
  const pick = ({ script, start, end, line, column }: ScriptSymbol) => {
    onClose();
    // After the dialog has returned the focus, so that the editor can take it.
    setTimeout(() => show('scripts', script, { field: 'body', start, end, line, column }), 0);
  };
  return (
    <Command label="Symbols" shouldFilter={false} loop value={chosen} onValueChange={setChosen}>
      <Command.Input
        autoFocus
        className={styles.paletteInput}
        placeholder="Go to a function, class, method or constant of any script"
        value={text}
        onValueChange={setText}
      />
      <Command.List className={styles.paletteList} label="Symbols">
        <Command.Empty className={styles.paletteEmpty}>
          {problem ?? (symbols === null ? 'Reading the scripts…' : 'No symbols.')}
        </Command.Empty>
        {symbols?.map((symbol) => {
          const { name, kind, container, scriptName, line } = symbol;
          const full = container === null ? name : `${container}.${name}`;
          return (
            <Command.Item
              key={idOf(symbol)}
              value={idOf(symbol)}
              className={styles.paletteItem}
              onSelect={() => pick(symbol)}
            >
              <span className={styles.paletteTitle} title={full}>
                {full}
              </span>
              <span className={styles.paletteDetail} title={scriptName}>
                {KIND_NAMES[kind]}, {scriptName}, line {line}
              </span>
            </Command.Item>
          );
        })}
      </Command.List>
    </Command>
  );
}

const idOf = ({ script, start }: ScriptSymbol): string => `${script} ${start}`;

/** The best symbols for a text; the former ones until then. */
function useSymbols(text: string): { symbols: ScriptSymbol[] | null; problem: string | null } {
  const { client, drafts } = useWorkbench();
  const [found, setFound] = useState<{ symbols: ScriptSymbol[] | null; problem: string | null }>({
    symbols: null,
    problem: null,
  });
  useEffect(() => {
    const end = new AbortController();
    const read = async () => {
      try {
        await drafts.get()?.flush();
        const { symbols } = await client.search.symbols({ text, window: ownWindowId() }, { signal: end.signal });
        if (!end.signal.aborted) setFound({ symbols, problem: null });
      } catch (error) {
        if (!end.signal.aborted) setFound({ symbols: [], problem: problemOf(error).message });
      }
    };
    const timer = setTimeout(() => void read(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, drafts, text]);
  return found;
}
