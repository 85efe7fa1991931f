import type { ApiMode } from '#domain/mock/api-call';

/** Where API calls go, in the same words wherever it is chosen. */
export const API_MODE_TEXTS: Readonly<Record<ApiMode, string>> = {
  live: 'Live: mocks are not asked',
  mockFirst: 'Mock first, else live',
  offline: 'Offline: mocks only',
};
