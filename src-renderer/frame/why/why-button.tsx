import { Button } from '../../ui/fluent.ts';
import { QuestionCircleRegular } from '../../ui/icons.ts';
import { ariaKeys, shownKeys } from '../palette/keys.ts';
import { useWorkbench } from '../workbench.ts';
import type { WhySubject } from './use-why.ts';

export const WHY_KEYS = 'Alt+Y';

/** Explains a thing, such as `event:12`, for a tag in a scope; `quiet` between texts. */
export function WhyButton({ thing, scope, quiet = false }: Omit<WhySubject, 'at'> & { quiet?: boolean }) {
  const { explain } = useWorkbench();
  return (
    <Button
      size="small"
      appearance={quiet ? 'subtle' : 'secondary'}
      icon={<QuestionCircleRegular />}
      title={`What led to it, and what followed (${shownKeys(WHY_KEYS)})`}
      aria-keyshortcuts={ariaKeys(WHY_KEYS)}
      onClick={() => explain({ thing, ...(scope && { scope }) })}
    >
      {/* A narrow place can hide it. */}
      <span data-label>Why?</span>
    </Button>
  );
}

/** The same in the menu of a row, a point or a part; `of` names it if the menu is about several things. */
export function whyEntry(subject: string | WhySubject, explain: (subject: WhySubject) => void, of?: string) {
  const title = of === undefined ? 'Why?' : `Why? ${of}`;
  const run = () => explain(typeof subject === 'string' ? { thing: subject } : subject);
  return { title, keys: shownKeys(WHY_KEYS), apart: true, run };
}

/** An element with them is what *Why?* explains while it has the focus. */
export function subjectAttributes({ thing, at, scope }: WhySubject): Readonly<Record<`data-${string}`, string>> {
  return {
    'data-why': thing,
    ...(at !== undefined && { 'data-why-at': at }),
    ...(scope && { 'data-why-diagram': scope.diagram, 'data-why-location': scope.location }),
  };
}
