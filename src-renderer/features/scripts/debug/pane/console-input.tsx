import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from '../../../../support/store.ts';
import { useScripts } from '../../scripts-context.ts';
import { completionsOf, type Completion } from '../model/completions.ts';
import styles from './console.module.css';

/** Longer histories lose their first entries. */
const MOST_ENTRIES = 100;

/**
 * The field of the debug console. Enter evaluates, Tab takes a suggestion, the arrows choose one, or an earlier
 * expression while there are no suggestions. Ctrl+Space asks for suggestions.
 */
export function ConsoleInput() {
  const { debug } = useScripts();
  const { debugger: session } = debug;
  const isPaused = useStore(session.shown, (state) => state.phase === 'paused');
  const [text, setText] = useState('');
  const [offers, setOffers] = useState<readonly Completion[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const [history, setHistory] = useState<readonly string[]>([]);
  const [past, setPast] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const asked = useRef(0);
  const list = useId();

  const hide = () => {
    asked.current += 1;
    setOffers([]);
    setChosen(null);
  };
  const offer = async (typed: string, caret: number) => {
    asked.current += 1;
    const turn = asked.current;
    const found = await completionsOf(session, typed, caret);
    if (turn !== asked.current) return;
    setOffers(found);
    setChosen(null);
  };
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- suggestions belong to the frame of the pause
    if (!isPaused) setOffers([]);
  }, [isPaused]);
  useEffect(() => {
    if (chosen !== null) document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, list]);

  const take = (completion: Completion) => {
    setText(completion.text);
    hide();
    // After the field has the text.
    requestAnimationFrame(() => field.current?.setSelectionRange(completion.caret, completion.caret));
  };
  const evaluate = () => {
    const expression = text.trim();
    if (expression === '' || !isPaused) return;
    setHistory((all) => [...all.filter((one) => one !== expression), expression].slice(-MOST_ENTRIES));
    setPast(null);
    setText('');
    hide();
    void session.evaluate(expression);
  };
  const recall = (by: 1 | -1) => {
    const at = (past ?? history.length) + by;
    if (at < 0 || at > history.length) return;
    setPast(at === history.length ? null : at);
    setText(history[at] ?? '');
  };
  const move = (by: 1 | -1) => {
    const at = chosen === null ? (by === 1 ? 0 : offers.length - 1) : chosen + by;
    setChosen((at + offers.length) % offers.length);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isOpen = offers.length > 0;
    const used = (): boolean => {
      if (event.key === ' ' && event.ctrlKey) {
        void offer(text, event.currentTarget.selectionStart ?? text.length);
        return true;
      }
      if (event.altKey || event.ctrlKey || event.metaKey) return false;
      switch (event.key) {
        case 'ArrowDown':
          return (isOpen ? move(1) : recall(1), true);
        case 'ArrowUp':
          return (isOpen ? move(-1) : recall(-1), true);
        case 'Tab': {
          const completion = offers[chosen ?? 0];
          if (!completion || event.shiftKey) return false;
          return (take(completion), true);
        }
        case 'Enter': {
          const completion = chosen === null ? undefined : offers[chosen];
          return (completion ? take(completion) : evaluate(), true);
        }
        case 'Escape':
          if (!isOpen) return false;
          return (hide(), true);
        default:
          return false;
      }
    };
    if (used()) event.preventDefault();
  };

  return (
    <div className={styles.input}>
      <span aria-hidden="true">›</span>
      <input
        ref={field}
        role="combobox"
        aria-label="Evaluate in the selected frame"
        aria-expanded={offers.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen === null ? undefined : `${list}-${chosen}`}
        autoComplete="off"
        spellCheck={false}
        placeholder={isPaused ? 'Evaluate an expression' : 'Available while the run is paused'}
        readOnly={!isPaused}
        data-pane-focus
        value={text}
        onChange={(event) => {
          const { value, selectionStart } = event.target;
          setText(value);
          void offer(value, selectionStart ?? value.length);
        }}
        onKeyDown={onKeyDown}
        onBlur={hide}
      />
      <ul id={list} role="listbox" aria-label="Suggestions" className={styles.offers} hidden={offers.length === 0}>
        {offers.map((one, index) => (
          <li
            key={one.text}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseDown={(event) => {
              event.preventDefault();
              take(one);
            }}
          >
            <span>{one.label}</span>
            <span className={styles.offerKind}>{one.kind}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
