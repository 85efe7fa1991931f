import type { AggregationEvent } from '#domain/event/event';
import type { GridColumn } from '../../ui/lists/virtual-grid.tsx';

/** The cells of an event in the list, given the rule names by id. */
export function columnsWith(ruleNames: ReadonlyMap<number, string>): GridColumn<AggregationEvent>[] {
  return [
    { name: 'Id', width: '90px', cell: (event) => event.AggregationEventId, look: 'number' },
    { name: 'Time', width: '230px', cell: (event) => event.EventDateTime, look: 'code' },
    {
      name: 'Rule',
      width: 'minmax(120px, 2fr)',
      cell: (event) => ruleNames.get(event.RuleId) ?? `Rule ${event.RuleId}`,
      hint: (event) => ruleNames.get(event.RuleId) ?? '',
    },
    { name: 'State', width: '90px', cell: (event) => (event.Active ? 'active' : 'disabled') },
    {
      name: 'Row',
      width: 'minmax(170px, 1.6fr)',
      cell: (event) => `${event.ResultTableName} ${event.ResultTableRecordId}`,
      look: 'code',
    },
  ];
}
