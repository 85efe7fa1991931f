import type { HubStatus } from '#domain/event/hub';
import { publicPart } from '#domain/workspace/private-settings';
import type { Done } from '../../platform/done.ts';
import { done } from '../../platform/done.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import { Mirror, type MirrorParts } from './mirror.ts';

/** The settings that name the hub. */
interface HubSettings {
  'hub.url': string;
  'hub.site': string;
}

interface HubServiceParts extends Omit<MirrorParts, 'url' | 'site' | 'onProgress'> {
  settings: {
    get(): HubSettings;
    onChange(listener: (settings: HubSettings) => void): () => void;
    closedBecause(key: 'hub.url'): string | null;
  };
  /** Instead of the setting `hub.url`. */
  url: string | undefined;
}

/** The status is sent at most this often, ms. */
const STATUS_MS = 500;

/** The mirror of this workspace at the hub of the settings. Methods are named after the procedures of the contract. */
export class HubService {
  readonly #parts: HubServiceParts;
  readonly #unlisten: () => void;
  #mirror: Mirror | null = null;
  readonly #changes = new Listeners<void>();
  #due: NodeJS.Timeout | null = null;
  /** The last sent status without what changes while nothing happens. */
  #sent = '';
  #used = '';
  #isStarted = false;
  /** Settles when earlier mirrors are closed. */
  #closing: Promise<void> = Promise.resolve();

  constructor(parts: HubServiceParts) {
    this.#parts = parts;
    this.#unlisten = parts.settings.onChange(() => this.#follow());
  }

  /** Starts to mirror; a process for a single command does not. */
  start(): void {
    this.#isStarted = true;
    this.#follow();
  }

  async close(): Promise<void> {
    this.#isStarted = false;
    if (this.#due) clearTimeout(this.#due);
    this.#unlisten();
    this.#follow();
    await this.#closing;
  }

  /** Called when the status has changed; the returned function removes the listener. */
  onStatus(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  status(): HubStatus {
    const { url, site } = this.#target();
    const common = { site, url: publicPart('hub.url', url) };
    const progress = this.#mirror?.progress();
    if (!progress) {
      const problem = url === '' || site === '' ? null : this.#parts.settings.closedBecause('hub.url');
      return { ...common, state: 'off', seq: null, listed: null, waiting: null, mirroredAt: null, applied: 0, problem };
    }
    const { state, position, mirroredAt, applied, problem } = progress;
    return {
      ...common,
      state,
      seq: position?.seq ?? null,
      listed: position?.listed ?? null,
      waiting: position === null ? null : Math.max(0, this.#parts.events.version() - position.seq),
      mirroredAt,
      applied,
      problem,
    };
  }

  /**
   * Makes this workspace the valid one of its site: the hub gets its rows and events again, and loses others.
   * @throws TagwrightError CONFLICT without a hub
   */
  async rejoin(): Promise<Done> {
    const { url, site } = this.#target();
    if (url === '' || site === '')
      throw new TagwrightError('CONFLICT', 'No hub is set. Set hub.url and hub.site first.');
    const { commits, mirrorState } = this.#parts;
    await commits.run(() => mirrorState.set({ ...mirrorState.get(), rejoin: 1 }));
    this.#mirror?.retry();
    return done;
  }

  #progressed(): void {
    this.#due ??= setTimeout(() => {
      this.#due = null;
      const { mirroredAt: _, seq: __, ...shown } = this.status();
      const text = JSON.stringify(shown);
      if (text === this.#sent) return;
      this.#sent = text;
      this.#changes.emit();
    }, STATUS_MS).unref();
  }

  #target(): { url: string; site: string } {
    const settings = this.#parts.settings.get();
    return { url: this.#parts.url ?? settings['hub.url'], site: settings['hub.site'] };
  }

  #follow(): void {
    const { url, site } = this.#target();
    const isClosed = this.#parts.url === undefined && this.#parts.settings.closedBecause('hub.url') !== null;
    const isOn = this.#isStarted && url !== '' && site !== '' && !isClosed;
    const wanted = isOn ? `${site} ${url}` : '';
    if (wanted === this.#used) return;
    this.#used = wanted;
    const before = this.#mirror;
    this.#mirror = null;
    // Two mirrors of one workspace would store their steps in the same place.
    this.#closing = this.#closing.then(async () => {
      await before?.close();
      if (this.#used === wanted && isOn) {
        this.#mirror = new Mirror({ ...this.#parts, url, site, onProgress: () => this.#progressed() });
      }
      this.#progressed();
    });
  }
}
