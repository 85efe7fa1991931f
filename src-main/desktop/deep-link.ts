import type { DesktopRequest } from '#contract/bridge';
import { diagramAddress } from '#domain/tag/diagram';
import type { Workbench } from '../workbench.ts';

/** `tagwright://…` as passed by the system. */
export const LINK_SCHEME = 'tagwright';
const LONGEST = 2_000;

export type LinkTarget =
  | { kind: 'script'; group: string; name: string }
  | { kind: 'tag'; path: string }
  | { kind: 'rule'; name: string }
  | { kind: 'event'; id: number }
  | { kind: 'diagram'; name: string };

/** The link among the arguments of a start; null if there is none. */
export function linkIn(args: readonly string[]): string | null {
  return args.find((arg) => arg.startsWith(`${LINK_SCHEME}://`)) ?? null;
}

/** The target of a link; null if it is not one of ours. Names are percent-encoded, as in every address. */
export function parseLink(link: string): LinkTarget | null {
  const [, kind, rest] = (link.length <= LONGEST && /^tagwright:\/\/([a-z]+)\/([^?#]+?)\/?$/.exec(link)) || [];
  if (kind === undefined || rest === undefined) return null;
  let parts: string[];
  try {
    parts = rest.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
  const [first = '', second = ''] = parts;
  if (parts.includes('') || parts.length > 2 || (parts.length === 2) !== (kind === 'script')) return null;
  switch (kind) {
    case 'script':
      return { kind, group: first, name: second };
    case 'tag':
      return { kind, path: first };
    case 'rule':
    case 'diagram':
      return { kind, name: first };
    case 'event':
      return /^[1-9]\d{0,14}$/.test(first) ? { kind, id: Number(first) } : null;
    default:
      return null;
  }
}

type LinkedServices = Pick<Workbench['services'], 'scripts' | 'tags' | 'rules' | 'events' | 'diagrams'>;

type LinkOutcome = DesktopRequest | { kind: 'diagram'; path: string };

/**
 * Shows the target of a link: something in the workbench, or a Diagram in its own window. A link only shows; it never
 * runs or changes anything, because every page of a browser may open one.
 */
export function followLink(link: string, services: LinkedServices): LinkOutcome {
  const target = parseLink(link);
  if (!target) {
    const body =
      'Links are tagwright://script/<group>/<name>, …/tag/<path>, …/rule/<name>, …/event/<id> and …/diagram/<name>.';
    return { kind: 'notice', intent: 'warning', title: 'This link is not valid', body };
  }
  try {
    return found(target, services);
  } catch (thrown) {
    const body = thrown instanceof Error ? thrown.message : String(thrown);
    return { kind: 'notice', intent: 'warning', title: 'The target of the link does not exist', body };
  }
}

function found(target: LinkTarget, services: LinkedServices): LinkOutcome {
  switch (target.kind) {
    case 'script':
      return { kind: 'show', view: 'scripts', what: String(services.scripts.get(target).id) };
    case 'tag':
      return { kind: 'show', view: 'tags', what: services.tags.definitions.definition(target).path };
    case 'rule':
      return { kind: 'show', view: 'aggregations', what: String(services.rules.get({ name: target.name }).id) };
    case 'event':
      // The list of events shows those of one rule, newest first.
      return { kind: 'show', view: 'events', what: `rule:${services.events.get(target).RuleId}` };
    default:
      return { kind: 'diagram', path: diagramAddress(services.diagrams.get({ name: target.name }).name, '') };
  }
}
