import { Fragment, useRef } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import type { DiagramPart, DiagramText } from '#domain/tag/diagram';
import { DIAGRAM_GRID, tagsOfPart } from '#domain/tag/diagram';
import { coveredParts, moveParts, nextPartAt, resizeParts, stackParts } from './model/page-edits.ts';
import { placeOf } from '../../diagram-page/page.tsx';
import { PartView } from '../../diagram-page/part-view.tsx';
import { placeIn, useRubberBand } from './use-rubber-band.ts';
import drawn from '../../diagram-page/page.module.css';
import styles from './page-editor.module.css';

export interface PageEditing {
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  /** `merge` names the drag or the key run that the change belongs to. */
  onEdit: (page: DiagramText, merge: string | null) => void;
  onRemove: () => void;
  onCopy: () => void;
  onCut: () => void;
  onPaste: () => void;
  /** Enter on a part: its properties. */
  onProperties: () => void;
}

interface Drag {
  /** The page before the drag: every step starts from it, so that snapping loses nothing. */
  page: DiagramText;
  ids: ReadonlySet<string>;
  sort: 'move' | 'resize';
  /** Where on the page it began. */
  x: number;
  y: number;
  merge: string;
}

const NAMES: Readonly<Record<DiagramPart['kind'], string>> = {
  value: 'Value',
  lamp: 'Lamp',
  text: 'Text',
  image: 'Image',
  table: 'Table',
  input: 'Input',
  button: 'Button',
  trend: 'Trend',
  gauge: 'Gauge',
};

/** An editable page: drag or use the arrows to move parts; use the corner or Shift and arrows to resize them. */
export function PageEditor({ page, editing }: { page: DiagramText; editing: PageEditing }) {
  const drag = useRef<Drag | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  /** Space adds parts to a selection: then focus alone does not select a part. */
  const collecting = useRef(false);
  const { selected, onSelect, onEdit } = editing;
  const rubber = useRubberBand(page, frame, editing);

  const choose = (id: string, more: boolean): ReadonlySet<string> => {
    if (!more) return selected.has(id) ? selected : new Set([id]);
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    return next;
  };
  const begin = (event: PointerEvent<HTMLElement>, id: string, sort: Drag['sort']) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    collecting.current = false;
    if (event.altKey && sort === 'move') {
      const { x, y } = placeIn(frame.current, page, event);
      const next = nextPartAt(page, selected, x, y);
      if (next === null) return;
      // The focus would go to the part in front.
      event.preventDefault();
      onSelect(new Set([next]));
      frame.current?.querySelector<HTMLElement>(`[data-part="${CSS.escape(next)}"]`)?.focus();
      return;
    }
    const ids = choose(id, event.ctrlKey || event.metaKey || event.shiftKey);
    onSelect(ids);
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { page, ids, sort, ...placeIn(frame.current, page, event), merge: crypto.randomUUID() };
  };
  const move = (event: PointerEvent) => {
    const now = drag.current;
    if (!now) return;
    const step = now.sort === 'move' ? moveParts : resizeParts;
    const { x, y } = placeIn(frame.current, page, event);
    const next = step(now.page, now.ids, x - now.x, y - now.y);
    if (next !== now.page) onEdit(next, now.merge);
  };
  const end = () => {
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent, part: DiagramPart) => {
    const arrow = ARROWS[event.key];
    const command = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : '';
    const ids = selected.has(part.id) ? selected : new Set([part.id]);
    if (arrow && !event.ctrlKey && !event.altKey && !event.metaKey) {
      const [dx, dy] = arrow;
      const step = event.shiftKey ? resizeParts : moveParts;
      const merge = `${event.shiftKey ? 'resize' : 'move'} ${[...ids].join(' ')}`;
      onEdit(step(page, ids, dx * DIAGRAM_GRID, dy * DIAGRAM_GRID), merge);
    } else if (command !== '' && event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      onEdit(stackParts(page, ids, event.key === 'ArrowUp' ? 'front' : 'back'), null);
    } else if (event.key === 'Delete' || event.key === 'Backspace' || command === 'x') {
      if (command === 'x') editing.onCut();
      else editing.onRemove();
      frame.current?.focus();
    } else if (command === 'c') editing.onCopy();
    else if (command === 'v') editing.onPaste();
    else if (event.key === 'Enter') editing.onProperties();
    else if (event.key === 'Escape') {
      collecting.current = false;
      onSelect(new Set());
    } else if (event.key === ' ') {
      // The focus has already selected the first one.
      if (collecting.current || !selected.has(part.id)) onSelect(choose(part.id, true));
      collecting.current = true;
    } else if (command === 'a') {
      collecting.current = true;
      onSelect(new Set(page.parts.map(({ id }) => id)));
    } else return;
    event.preventDefault();
  };

  const covered = coveredParts(page);
  return (
    <div
      className={`${drawn.page} ${styles.page}`}
      style={{ width: page.width, height: page.height }}
      role="listbox"
      aria-multiselectable
      aria-label={`Parts of ${page.name}`}
      ref={frame}
      tabIndex={-1}
      onPointerDown={(event) => {
        collecting.current = false;
        rubber.begin(event);
      }}
      onPointerMove={rubber.move}
      onPointerUp={rubber.end}
      onPointerCancel={rubber.end}
      onKeyDown={(event) => {
        const command = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : '';
        if (event.target !== event.currentTarget || (command !== 'v' && command !== 'a')) return;
        event.preventDefault();
        if (command === 'v') editing.onPaste();
        else onSelect(new Set(page.parts.map(({ id }) => id)));
      }}
    >
      {page.parts.map((part) => {
        const isSelected = selected.has(part.id);
        return (
          <Fragment key={part.id}>
            {/* Next to the option, whose name has no values. */}
            <div
              className={`${drawn.part} ${styles.content}`}
              data-kind={part.kind}
              data-selected={isSelected}
              style={placeOf(part)}
              inert
              aria-hidden
            >
              <PartView part={part} />
            </div>
            <div
              className={`${drawn.part} ${styles.part}`}
              data-part={part.id}
              style={placeOf(part)}
              role="option"
              aria-selected={isSelected}
              aria-label={describe(part, covered.includes(part))}
              tabIndex={0}
              onFocus={() => {
                if (!drag.current && !collecting.current && !isSelected) onSelect(new Set([part.id]));
              }}
              onKeyDown={(event) => onKeyDown(event, part)}
              onPointerDown={(event) => begin(event, part.id, 'move')}
              onPointerMove={move}
              onPointerUp={end}
              onPointerCancel={end}
              onDoubleClick={editing.onProperties}
            >
              {isSelected && (
                <span
                  className={styles.corner}
                  aria-hidden
                  onPointerDown={(event) => begin(event, part.id, 'resize')}
                  onPointerMove={move}
                  onPointerUp={end}
                  onPointerCancel={end}
                />
              )}
            </div>
          </Fragment>
        );
      })}
      {rubber.band && <span className={styles.band} style={rubber.band} aria-hidden />}
      {covered.map((part) =>
        selected.has(part.id) ? null : (
          <span key={part.id} className={styles.covered} style={placeOf(part)} data-covered={part.id} aria-hidden />
        ),
      )}
    </div>
  );
}

function describe(part: DiagramPart, isCovered: boolean): string {
  const what = `${NAMES[part.kind]} ${part.label === '' ? tagsOfPart(part).join(', ') : part.label}`;
  return `${what}, at ${part.x}, ${part.y}${isCovered ? ', behind another part' : ''}`;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
