import type { OsSandboxLayer } from '#domain/workspace/os-sandbox';
import type { Wrapper } from './wrapper.ts';

/** The protection that works here. */
export interface DetectedSandbox {
  wrapper: Wrapper;
  layers: OsSandboxLayer[];
}

/** The required protection, so that script hosts reach nothing, whatever code runs in them. */
export const SCRIPT_LAYERS = ['Files', 'Network', 'Other processes'] as const;
/** Additionally for hosts that run SQL: they can write to the whole workspace folder, although only plant.db belongs to them. */
export const ESSENTIAL_LAYERS = [...SCRIPT_LAYERS, 'Workspace files'] as const;
type LayerName = (typeof ESSENTIAL_LAYERS)[number] | 'System calls' | 'New processes' | 'Desktop' | 'Memory';

export function active(name: LayerName, reason: string): OsSandboxLayer {
  return { name, active: true, reason };
}

export function inactive(name: LayerName, reason: string): OsSandboxLayer {
  return { name, active: false, reason };
}

export function inactiveLayers(reason: string): OsSandboxLayer[] {
  return [...ESSENTIAL_LAYERS.map((name) => inactive(name, reason)), inactive('System calls', reason), MEMORY];
}

/** Enforced on every system. */
export const MEMORY = active(
  'Memory',
  process.platform === 'linux'
    ? 'Tagwright ends a host above its limit; where the machine runs out of memory, the system ends hosts first'
    : 'Tagwright ends a host above its limit',
);
