import type { ReactNode } from 'react';
import { useCommands } from '../../../frame/workbench.ts';
import { useStore } from '../../../support/store.ts';
import {
  ArrowCounterclockwiseRegular,
  ArrowStepInRegular,
  ArrowStepOutRegular,
  ArrowStepOverRegular,
  PauseRegular,
  PlayFilled,
  StopFilled,
} from '../../../ui/icons.ts';
import { useScripts } from '../scripts-context.ts';
import { isActive } from './model/debugger-state.ts';

/** A command of the debugged run, and its button. */
export interface DebugControl {
  id: 'continue' | 'pause' | 'next' | 'stepIn' | 'stepOut' | 'restart' | 'stop';
  /** The label of its button. */
  label: string;
  /** In the command palette. */
  title: string;
  /** As in VS Code, except where the workbench uses them: F6 is the next pane. */
  keys: string;
  icon: ReactNode;
  enabled: boolean;
  run: () => void;
}

/** The commands of the debugged run, which also work while its pane is not shown. */
export function useDebugControls(active: boolean, restart: () => void): readonly DebugControl[] {
  const { debug } = useScripts();
  const { debugger: session } = debug;
  const phase = useStore(session.shown, (state) => state.phase);
  const isPaused = phase === 'paused';
  const isDebugging = isActive(phase);
  const controls: DebugControl[] = [
    {
      id: 'continue',
      label: 'Continue',
      title: 'Continue the paused run',
      keys: 'F5',
      icon: <PlayFilled />,
      enabled: isPaused,
      run: () => session.step('continue'),
    },
    {
      id: 'pause',
      label: 'Pause',
      title: 'Pause the debugged run',
      keys: 'Ctrl+F6',
      icon: <PauseRegular />,
      enabled: phase === 'running',
      run: () => session.pause(),
    },
    {
      id: 'next',
      label: 'Step over',
      title: 'Step over',
      keys: 'F10',
      icon: <ArrowStepOverRegular />,
      enabled: isPaused,
      run: () => session.step('next'),
    },
    {
      id: 'stepIn',
      label: 'Step into',
      title: 'Step into',
      keys: 'F11',
      icon: <ArrowStepInRegular />,
      enabled: isPaused,
      run: () => session.step('stepIn'),
    },
    {
      id: 'stepOut',
      label: 'Step out',
      title: 'Step out',
      keys: 'Shift+F11',
      icon: <ArrowStepOutRegular />,
      enabled: isPaused,
      run: () => session.step('stepOut'),
    },
    {
      id: 'restart',
      label: 'Restart',
      title: 'Restart the debugged run',
      keys: 'Ctrl+Shift+F5',
      icon: <ArrowCounterclockwiseRegular />,
      enabled: phase !== 'none',
      run: restart,
    },
    {
      id: 'stop',
      label: 'Stop',
      title: 'Stop the debugged run',
      keys: 'Shift+F5',
      icon: <StopFilled />,
      enabled: isDebugging,
      run: () => session.stop(),
    },
  ];
  // A registered key is never the browser's: F5 must not reload the page during a run, but F11 is full screen otherwise.
  useCommands(
    controls.map(({ id, title, keys, enabled, run }) => ({
      id: `debug.${id}`,
      section: 'Debug',
      title,
      ...((isDebugging && active ? true : !keys.includes('F11')) && { keys }),
      enabled: active && enabled,
      run,
    })),
  );
  return controls;
}
