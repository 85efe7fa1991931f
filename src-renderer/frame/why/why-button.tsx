import { Button } from '../../ui/fluent.ts';
import { QuestionCircleRegular } from '../../ui/icons.ts';
import { ariaKeys, shownKeys } from '../palette/keys.ts';
import { useWorkbench } from '../workbench.ts';

export const WHY_KEYS = 'Alt+Y';

/** Explains a thing, such as `event:12`; `quiet` between texts. */
export function WhyButton({ thing, quiet = false }: { thing: string; quiet?: boolean }) {
  const { explain } = useWorkbench();
  return (
    <Button
      size="small"
      appearance={quiet ? 'subtle' : 'secondary'}
      icon={<QuestionCircleRegular />}
      title={`What led to it, and what followed (${shownKeys(WHY_KEYS)})`}
      aria-keyshortcuts={ariaKeys(WHY_KEYS)}
      onClick={() => explain({ thing })}
    >
      Why?
    </Button>
  );
}

/** The same in the menu of a row. */
export function whyEntry(thing: string, explain: (subject: { thing: string }) => void) {
  return { title: 'Why?', keys: shownKeys(WHY_KEYS), apart: true, run: () => explain({ thing }) };
}
