import { freePortNear, whyNotFree } from '../../platform/http/free-port.ts';
import { portOwner } from '../../platform/http/port-owner.ts';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { ok, problem, warning } from './check.ts';
import { settingsOf } from './setting-checks.ts';

/** The default port of the workbench for browsers. */
const UI_PORT = 4861;

/** Whether the servers of Tagwright have their ports, or can have them, and which program has them otherwise. */
export const PORT_CHECKS: readonly Check[] = [
  { id: 'port.events', group: 'Ports', title: 'Events API', run: eventsPort },
  { id: 'port.workbench', group: 'Ports', title: 'Workbench', run: workbenchPort },
];

async function eventsPort(input: CheckInput): Promise<DiagnosticFinding> {
  const status = input.instance?.eventsApi();
  if (status?.url) return ok(`listens at ${status.url}`);
  const settings = settingsOf(input.facts);
  if (!settings['events.enabled']) return ok('switched off (setting events.enabled)');
  const port = settings['events.port'];
  const use = await useOf(port, input);
  if (use === null) {
    if (!status) return ok(port === 0 ? 'takes a free port at each start' : `port ${port} is free`);
    return problem(status.problem ?? 'does not listen', 'Turn the setting events.enabled off and on again.');
  }
  if (use.ours) return ok(`port ${port} is used by the running instance, pid ${use.pid}`);
  const free = await freePortNear(port);
  const fix = `${use.isPermitted ? 'Stop that program, or use' : 'Use'} another port: tagwright settings set events.port=${free}`;
  const detail = `port ${port} ${use.text}, so external tools cannot reach the events API`;
  // If no instance runs here, another workspace of the same user may use it legitimately.
  return input.instance === null && use.isTagwright ? warning(detail, fix) : problem(detail, fix);
}

async function workbenchPort(input: CheckInput): Promise<DiagnosticFinding> {
  if (input.instance) {
    const ui = input.instance.ui();
    return ok(ui ? `is served at ${ui}` : 'is not served to browsers by this instance');
  }
  const use = await useOf(UI_PORT, input);
  if (use === null) return ok(`port ${UI_PORT} is free`);
  if (use.ours) return ok(`port ${UI_PORT} is used by the running instance, pid ${use.pid}`);
  return warning(
    `port ${UI_PORT} ${use.text}, so the workbench takes another one at each start`,
    'To keep its address, stop that program or choose a port: tagwright serve --ui-port 4871',
  );
}

interface PortUse {
  pid: number | null;
  ours: boolean;
  isTagwright: boolean;
  /** Whether this user may listen on it. */
  isPermitted: boolean;
  /** `is used by python3 server.py (pid 4711)` */
  text: string;
}

/** The program that uses a port; null if it is free. */
async function useOf(port: number, { lock }: CheckInput): Promise<PortUse | null> {
  const why = await whyNotFree(port);
  if (why === null) return null;
  const owner = why === 'listened' ? await portOwner(port) : null;
  const isTagwright = owner?.name === 'Tagwright';
  const pid = owner?.pid ?? null;
  return {
    pid,
    isTagwright,
    isPermitted: why !== 'not-permitted',
    ours: lock.held && pid !== null && pid === lock.details?.pid,
    text: owner
      ? `is used by ${isTagwright ? 'Tagwright on another workspace' : owner.name}${pid === null ? '' : ` (pid ${pid})`}`
      : why === 'listened'
        ? 'is used by another program'
        : 'cannot be used: this user may not listen on it',
  };
}
