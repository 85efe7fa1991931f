import type { ReducerName, RuleWindow, Sampling } from '#domain/rule/rule';
import type { Choice } from '../../ui/fields/choice-field.tsx';
import {
  ArrowBidirectionalUpDownRegular,
  ArrowDownRegular,
  ArrowUpRegular,
  AutosumRegular,
  ClockRegular,
  DataLineRegular,
  DataScatterRegular,
  HandRightRegular,
  HourglassRegular,
  NextRegular,
  NumberSymbolRegular,
  PreviousRegular,
  PulseRegular,
  TimerRegular,
  ToggleRightRegular,
  TriangleRegular,
} from '../../ui/icons.ts';

/** The choices of a rule, in the order of their lists. */

const reducer = (
  value: ReducerName,
  name: string,
  explanation: string,
  icon: Choice<string>['icon'],
): Choice<ReducerName> => ({ value, name, explanation, icon });

export const REDUCER_CHOICES: readonly Choice<ReducerName>[] = [
  reducer('avg', 'Average', 'Sum of the values divided by their count', DataLineRegular),
  reducer('min', 'Minimum', 'The lowest value', ArrowDownRegular),
  reducer('max', 'Maximum', 'The highest value', ArrowUpRegular),
  reducer('sum', 'Sum', 'All values added up', AutosumRegular),
  reducer('count', 'Count', 'Number of usable samples, including texts', NumberSymbolRegular),
  reducer('first', 'First', 'The first value as it was sampled', PreviousRegular),
  reducer('last', 'Last', 'The last value as it was sampled', NextRegular),
  reducer('range', 'Range', 'Maximum minus minimum', ArrowBidirectionalUpDownRegular),
  reducer('stdDev', 'Standard deviation', 'How far values spread around their average (n − 1)', DataScatterRegular),
  reducer('delta', 'Delta', 'Last value minus first value', TriangleRegular),
  reducer('timeWeightedAvg', 'Time-weighted average', 'Average weighted by how long each value lasted', TimerRegular),
  reducer('timeInState', 'Time in state (s)', 'Seconds spent in the given state', HourglassRegular),
];

export const WINDOW_CHOICES: readonly Choice<RuleWindow['kind']>[] = [
  {
    value: 'tumbling',
    name: 'Clock-aligned',
    explanation: 'Back to back, of equal length, aligned to the clock',
    icon: ClockRegular,
  },
  {
    value: 'count',
    name: 'Count of samples',
    explanation: 'Closes after a number of usable samples of the first tag',
    icon: NumberSymbolRegular,
  },
  {
    value: 'while',
    name: 'While a tag is true',
    explanation: 'Opens and closes with a Boolean tag',
    icon: ToggleRightRegular,
  },
  { value: 'manual', name: 'Manual', explanation: 'Closes when you fire the rule', icon: HandRightRegular },
];

export const SAMPLING_CHOICES: readonly Choice<Sampling['kind']>[] = [
  {
    value: 'onChange',
    name: 'On change',
    explanation: 'Whenever a value or its quality changes',
    icon: PulseRegular,
  },
  {
    value: 'interval',
    name: 'At a fixed interval',
    explanation: 'Samples all tags at once, changed or not',
    icon: TimerRegular,
  },
];
