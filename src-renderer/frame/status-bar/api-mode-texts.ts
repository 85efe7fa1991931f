import type { ApiMode } from '#domain/mock/api-call';

/** Where API calls go, in the same words in every place. */
export const API_MODE_TEXTS: Readonly<Record<ApiMode, string>> = {
  live: 'Live: no mocks',
  mockFirst: 'Mock first, else live',
  offline: 'Offline: mocks only',
};
