import { useEffect, useRef, useState } from 'react';
import type { Consumer } from '#domain/event/consumer';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { useStore } from '../../../support/store.ts';
import { Button } from '../../../ui/fluent.ts';
import { ReportDialog, RunningDialog } from './check-dialog.tsx';
import { CheckForm } from './check-form.tsx';
import type { CheckChoice } from './consumer-check.ts';
import { CheckRun, outcomeText } from './consumer-check.ts';

interface Props {
  active: boolean;
  /** Whether the consumers are visible. */
  shown: boolean;
  consumers: readonly Consumer[];
  /** The name of the selected one. */
  chosen: string | null;
}

/** Checks a consumer. The button shows the progress of a check whose dialog is hidden. */
export function CheckButton({ active, shown, consumers, chosen }: Props) {
  const { client, notify } = useWorkbench();
  const [check] = useState(() => new CheckRun(client));
  const { running, last, choice: before, problem } = useStore(check.store);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => () => check.close(), [check]);
  /** For the end of a check, which may come later. */
  const isShown = useRef(isOpen);
  useEffect(() => {
    isShown.current = isOpen;
  }, [isOpen]);
  const open = () => setIsOpen(true);
  const close = () => setIsOpen(false);
  const start = async (choice: CheckChoice) => {
    await check.start(choice);
    const { last: finished, problem: why } = check.store.get();
    if (isShown.current || (!finished && why === null)) return;
    const intent = finished?.report.state === 'passed' ? 'success' : 'warning';
    const title = finished ? outcomeText(finished.report) : 'The consumer was not checked';
    notify({ intent, title, ...(why !== null && { body: why }), action: { label: 'Show', run: open } });
  };
  useCommands([
    {
      id: 'events.checkConsumer',
      section: 'Events',
      title: 'Check a consumer',
      keys: 'Alt+C',
      enabled: active,
      run: open,
    },
  ]);
  const done = running?.situations.filter(({ report }) => report !== null).length ?? 0;
  return (
    <>
      {(shown || running) && (
        <Button
          size="small"
          aria-keyshortcuts="Alt+C"
          title="Take a consumer through 20 situations with test events (Alt+C)"
          onClick={open}
        >
          {running ? `Checking: ${done} of ${running.situations.length || 20}` : 'Check…'}
        </Button>
      )}
      {!isOpen ? null : running ? (
        <RunningDialog check={check} running={running} onClose={close} />
      ) : last ? (
        <ReportDialog finished={last} onAgain={() => check.clear()} onClose={close} />
      ) : (
        <CheckForm
          consumers={consumers}
          chosen={chosen}
          before={before}
          problem={problem}
          onStart={(choice) => void start(choice)}
          onClose={close}
        />
      )}
    </>
  );
}
