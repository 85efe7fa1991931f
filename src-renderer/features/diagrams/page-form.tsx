import type { DiagramText } from '#domain/tag/diagram';
import { DIAGRAM_LIMITS } from '#domain/tag/diagram';
import { Field, Input } from '../../ui/fluent.ts';
import { resizePage } from './model/page-edits.ts';
import { Measure } from './measure.tsx';
import styles from './diagrams.module.css';

interface PageFormProps {
  page: DiagramText;
  problem: string | null;
  onChange: (page: DiagramText, merge: string) => void;
}

/** The properties of the page itself. */
export function PageForm({ page, problem, onChange }: PageFormProps) {
  const right = Math.max(100, ...page.parts.map((part) => part.x + part.width));
  const bottom = Math.max(100, ...page.parts.map((part) => part.y + part.height));
  return (
    <form className={styles.form} aria-label="Properties of the page" onSubmit={(event) => event.preventDefault()}>
      <Field
        label="Name (Diagram scope of its tags)"
        size="small"
        {...(problem === null ? {} : { validationMessage: problem })}
      >
        <Input
          size="small"
          value={page.name}
          onChange={(_event, { value: name }) => onChange({ ...page, name }, 'page name')}
        />
      </Field>
      <div className={styles.two}>
        <Measure
          label="Width"
          value={page.width}
          low={right}
          high={DIAGRAM_LIMITS.width}
          onChange={(width) => onChange(resizePage(page, width, page.height), 'page width')}
        />
        <Measure
          label="Height"
          value={page.height}
          low={bottom}
          high={DIAGRAM_LIMITS.height}
          onChange={(height) => onChange(resizePage(page, page.width, height), 'page height')}
        />
      </div>
      <p className={styles.hint}>
        Select a part to see its properties. Tab moves from part to part, arrows move a part, Shift and arrows resize
        it, Space or a dragged rectangle selects several, Ctrl+C and Ctrl+V copy them, also to other Diagrams, Delete
        removes them. A dashed frame marks a part behind another: Alt and click select it.
      </p>
    </form>
  );
}
