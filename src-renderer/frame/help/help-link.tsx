import { Link } from '../../ui/fluent.ts';
import { useWorkbench } from '../workbench.ts';
import type { Help } from './places.ts';

/** Opens the manual next to the view where it explains an error. */
export function HelpLink({ to }: { to: Help }) {
  const { showHelp } = useWorkbench();
  return (
    <Link as="button" onClick={() => showHelp(to)}>
      Help
    </Link>
  );
}
