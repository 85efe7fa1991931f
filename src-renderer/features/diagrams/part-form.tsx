import { useState } from 'react';
import type { DiagramPart } from '#domain/tag/diagram';
import { DIAGRAM_LIMITS, isBound } from '#domain/tag/diagram';
import type { Json } from '#domain/text/json';
import { TagPathField } from '../../frame/tag-path-field.tsx';
import { Button, Field, Input, Textarea } from '../../ui/fluent.ts';
import type { Arranging } from './arrange-buttons.tsx';
import { AlignButtons, OrderButtons } from './arrange-buttons.tsx';
import { GaugeFields } from './gauge-fields.tsx';
import { Measure } from './measure.tsx';
import { TrendFields } from './trend-fields.tsx';
import styles from './diagrams.module.css';

interface Props {
  part: DiagramPart;
  /** The size of the page. */
  page: { width: number; height: number };
  onChange: (change: Partial<DiagramPart>, merge: string) => void;
  onStack: (where: 'front' | 'back') => void;
}

const LABELS: Readonly<Record<DiagramPart['kind'], string>> = {
  value: 'Label',
  lamp: 'Label',
  text: 'Text',
  image: 'What the image shows',
  table: 'Name of the table',
  input: 'Label',
  button: 'Label',
  trend: 'Label',
  gauge: 'Label',
};

const TOO_LONG = `At most ${DIAGRAM_LIMITS.text.toLocaleString('en')} characters. Shorten it to save the Diagram.`;

/** The properties of one part. */
export function PartForm({ part, page, onChange, onStack }: Props) {
  const change = (name: keyof DiagramPart, value: Partial<DiagramPart>) => onChange(value, `${part.id} ${name}`);
  const room = { x: page.width - part.width, y: page.height - part.height };
  const most = { width: page.width - part.x, height: page.height - part.y };
  const tooLong = part.label.length > DIAGRAM_LIMITS.text;
  return (
    <form className={styles.form} aria-label="Properties of the part" onSubmit={(event) => event.preventDefault()}>
      {isBound(part.kind) && (
        <Field label="Tag" size="small">
          <TagPathField placeholder="Path of the tag" value={part.tag} onChange={(tag) => change('tag', { tag })} />
        </Field>
      )}
      {part.trend && <TrendFields trend={part.trend} onChange={(next) => change('trend', next)} />}
      <Field label={LABELS[part.kind]} size="small" {...(tooLong ? { validationMessage: TOO_LONG } : {})}>
        {part.kind === 'text' ? (
          <Textarea
            size="small"
            rows={3}
            value={part.label}
            onChange={(_event, { value: label }) => change('label', { label })}
          />
        ) : (
          <Input size="small" value={part.label} onChange={(_event, { value: label }) => change('label', { label })} />
        )}
      </Field>
      {(part.kind === 'lamp' || part.kind === 'button') && (
        <JsonField
          key={part.id}
          label={part.kind === 'lamp' ? 'Lit when the value is (JSON)' : 'Writes (JSON)'}
          value={part.value}
          onChange={(value) => change('value', { value })}
        />
      )}
      {part.gauge && (
        <GaugeFields
          key={part.id}
          gauge={part.gauge}
          onChange={(next, member) => onChange(next, `${part.id} gauge ${member}`)}
        />
      )}
      <div className={styles.two}>
        <Measure label="x" value={part.x} low={0} high={room.x} onChange={(x) => change('x', { x })} />
        <Measure label="y" value={part.y} low={0} high={room.y} onChange={(y) => change('y', { y })} />
        <Measure
          label="Width"
          value={part.width}
          low={DIAGRAM_LIMITS.smallest}
          high={most.width}
          onChange={(width) => change('width', { width })}
        />
        <Measure
          label="Height"
          value={part.height}
          low={DIAGRAM_LIMITS.smallest}
          high={most.height}
          onChange={(height) => change('height', { height })}
        />
      </div>
      <OrderButtons onStack={onStack} />
    </form>
  );
}

function JsonField({ label, value, onChange }: { label: string; value: Json; onChange: (value: Json) => void }) {
  const [typed, setTyped] = useState<{ text: string; value: Json } | null>(null);
  // The typed text stays while it represents the value: an undo shows another one.
  const text = typed && same(typed.value, value) ? typed.text : JSON.stringify(value);
  const change = (next: string) => {
    const read = jsonOf(next);
    setTyped({ text: next, value: read === undefined ? value : read });
    if (read !== undefined) onChange(read);
  };
  const wrong = jsonOf(text) === undefined;
  return (
    <Field
      label={label}
      size="small"
      {...(wrong ? { validationMessage: 'Enter JSON: true, 12.5, "text" or { "a": 1 }' } : {})}
    >
      <Input size="small" value={text} onChange={(_event, { value: next }) => change(next)} />
    </Field>
  );
}

function same(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** undefined if it is not JSON. */
function jsonOf(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

interface SeveralProps extends Arranging {
  count: number;
  onRemove: () => void;
}

/** The form while several parts are selected. */
export function SeveralForm({ count, onRemove, onStack, onAlign, onDistribute }: SeveralProps) {
  return (
    <div className={styles.form}>
      <p>{count} parts are selected. Arrows move them together, Shift and arrows resize them.</p>
      <AlignButtons count={count} onAlign={onAlign} onDistribute={onDistribute} />
      <OrderButtons onStack={onStack} />
      <div>
        <Button size="small" onClick={onRemove}>
          Delete them
        </Button>
      </div>
    </div>
  );
}
