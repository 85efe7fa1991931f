import type { ApiMode } from '#domain/mock/api-call';
import type { Mock, MockRoute, MockPreview, MocksChange, MockTrial, MockFault, MockUpdate } from '#domain/mock/mock';
import type { Settings } from '#domain/workspace/settings';
import { TagwrightError, messageOf } from '../../platform/errors.ts';
import type { CallResponses, KeptCall } from '../call-responses.ts';
import { SecretMask } from '../secrets/secret-mask.ts';
import { checkRoute, checkedRoute } from './check-route.ts';
import type { GivenImport, ImportTarget } from './import-mocks.ts';
import { exportMocks, importMocks } from './import-mocks.ts';
import type { GivenMock, MockBook } from './mock-book.ts';
import type { MockFiles } from './mock-files.ts';
import type { GivenTrial } from './mock-trial.ts';
import { tried } from './mock-trial.ts';
import { recorded } from './recording/recorder.ts';

/** Half the size of a message to a client, because text grows there. */
const EXPORT_LENGTH = 32 * 1_048_576;

/** Maximum number of reported reasons for skipping, per import or preview. */
const MOST_SKIPPED = 100;
const MOST_PREVIEWED = 1_000;

interface MockSettings {
  get(): Settings;
  onChange(listener: () => void): () => void;
}

interface MockServiceParts {
  book: MockBook;
  files: MockFiles;
  settings: MockSettings;
  responses: CallResponses;
  /** The values of named secrets, and the secrets in settings, which no imported mock may contain, nor one from a call. */
  secrets: () => Iterable<string>;
}

/** The mocks for clients. Methods are named after the procedures of the contract. */
export class MockService {
  readonly #book: MockBook;
  readonly #files: MockFiles;
  readonly #settings: MockSettings;
  readonly #responses: CallResponses;
  readonly #secrets: () => Iterable<string>;

  constructor(parts: MockServiceParts) {
    this.#responses = parts.responses;
    this.#secrets = parts.secrets;
    this.#book = parts.book;
    this.#files = parts.files;
    this.#settings = parts.settings;
  }

  onChange(listener: (change: MocksChange) => void): () => void {
    const unsubscribe = [
      this.#book.onChange(listener),
      // The mode and the recorder are listed too.
      this.#settings.onChange(() => listener({ total: this.#book.list().length, hits: null })),
    ];
    return () => {
      for (const one of unsubscribe) one();
    };
  }

  list(): { mocks: Mock[]; mode: ApiMode; record: boolean; recordFolder?: string } {
    const { 'api.mode': mode, 'api.record': record, 'api.recordFolder': recordFolder } = this.#settings.get();
    return { mocks: this.#book.list(), mode, record, ...(recordFolder !== '' && { recordFolder }) };
  }

  save(given: GivenMock): Promise<Mock> {
    return this.#book.save(given);
  }

  async update({ changes }: { changes: MockUpdate[] }): Promise<{ count: number }> {
    return { count: await this.#book.update(changes) };
  }

  /** See the book; for renaming tags. */
  rewrite(change: (mock: Mock) => Mock): Mock[] {
    return this.#book.rewrite(change);
  }

  async delete({ ids }: { ids: number[] | null }): Promise<{ count: number }> {
    return { count: await this.#book.delete(ids) };
  }

  /** All or nothing; BAD_REQUEST with the problem of the file. */
  async import(given: GivenImport & { replace: boolean }): Promise<{
    format: string;
    added: number;
    removed: number;
    skipped: string[];
    ids: number[];
  }> {
    const { routes, skipped, format } = await this.#imported(given, this.#files);
    const { added, removed, ids } = await this.#book.addAll(routes, given.replace);
    return { format, added, removed, skipped: skipped.slice(0, MOST_SKIPPED), ids };
  }

  /** The mocks that an import would add; adds nothing. */
  async preview(given: GivenImport): Promise<MockPreview> {
    const { routes, skipped, format } = await this.#imported(given, { keep: () => 'preview' });
    const mocks = routes.slice(0, MOST_PREVIEWED).map(({ name, folder, enabled, request, answer }) => ({
      name,
      ...(folder !== undefined && { folder }),
      enabled,
      method: request.method,
      url: request.url,
      status: answer.fault ?? String(answer.status),
    }));
    return { format, count: routes.length, mocks, skipped: skipped.slice(0, MOST_SKIPPED) };
  }

  async #imported(given: GivenImport, files: ImportTarget['files']) {
    const imported = await importMocks(given, { files, mask: new SecretMask(this.#secrets()) });
    if (imported.routes.length > 0) return imported;
    const why = imported.skipped[0] ?? 'it has none';
    throw new TagwrightError('BAD_REQUEST', `The file contains no mocks: ${why}.`);
  }

  export(): { text: string; count: number } {
    const mocks = this.#book.list();
    const text = exportMocks(mocks);
    if (text.length <= EXPORT_LENGTH) return { text, count: mocks.length };
    throw new TagwrightError(
      'BAD_REQUEST',
      `The mocks exceed the ${EXPORT_LENGTH / 1_048_576} MB of one export. Put large bodies into files of "mock-files".`,
    );
  }

  check(route: MockRoute): { issues: { path: (string | number)[]; message: string }[] } {
    return { issues: checkRoute(route, this.#files) };
  }

  try(given: GivenTrial): Promise<MockTrial> {
    return tried(given, this.#book.list(), this.#files, this.#settings.get());
  }

  /** NOT_FOUND if the call is no longer stored. */
  ofCall({ seq }: { seq: number }): MockRoute {
    const kept = this.#responses.get(seq);
    if (kept !== undefined) {
      return routeOfCall({ ...kept, mask: new SecretMask(this.#secrets(), kept.mask) }, this.#files);
    }
    throw new TagwrightError(
      'NOT_FOUND',
      'The response to this call is no longer stored. Run the script again, or turn on the recorder and run it.',
    );
  }

  restore({ mocks, remove }: { mocks: Mock[]; remove: number[] }): Promise<{ restored: number; removed: number }> {
    return this.#book.restore(mocks, remove);
  }

  async restartSequences({ ids }: { ids: number[] | null }): Promise<{ count: number }> {
    return { count: await this.#book.restartSequences(ids) };
  }

  async resetHits(): Promise<void> {
    await this.#book.resetHits();
  }
}

/** The fault of a mock that corresponds to this failure. */
const FAULTS: Readonly<Record<string, MockFault>> = {
  ConnectionRefused: 'refused',
  ConnectionReset: 'reset',
  Timeout: 'timeout',
  TlsError: 'badTls',
};

/**
 * A mock that responds like the recorded call, or fails like it. For an offline call without a mock, it responds with
 * an empty object to fill in. BAD_REQUEST for a call that cannot become a mock.
 */
function routeOfCall({ request, response, error, mask }: KeptCall, files: MockFiles): MockRoute {
  const nothing = { status: 200, headers: [], body: Buffer.alloc(0) };
  const route = fitting(recorded(request, response ?? nothing, mask, files));
  if (response !== null) return route;
  const fault = (error !== null && FAULTS[error]) || null;
  return { ...route, answer: { ...route.answer, fault, body: { kind: 'json', json: {} } } };
}

function fitting(route: MockRoute): MockRoute {
  try {
    return checkedRoute(route);
  } catch (thrown) {
    throw new TagwrightError('BAD_REQUEST', `This call cannot become a mock: ${messageOf(thrown)}.`);
  }
}
