import type { ReducerName } from '#domain/rule/rule';

/** The display names of the reducers. */
export const REDUCER_NAMES: Readonly<Record<ReducerName, string>> = {
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
  sum: 'Sum',
  count: 'Count',
  first: 'First',
  last: 'Last',
  range: 'Range',
  stdDev: 'Standard deviation',
  delta: 'Delta (last − first)',
  timeWeightedAvg: 'Time-weighted average',
  timeInState: 'Time in state (s)',
};
