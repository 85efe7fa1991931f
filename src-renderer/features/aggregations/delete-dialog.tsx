import { Radio, RadioGroup } from '@fluentui/react-components';
import { useState } from 'react';
import type { Rule } from '#domain/rule/rule';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';

interface Props {
  rule: Rule;
  onDelete: (rows: 'keep' | 'drop') => void;
  onClose: () => void;
}

/** Asks what to do with the rows of a deleted rule. */
export function DeleteDialog({ rule, onDelete, onClose }: Props) {
  const [rows, setRows] = useState<'keep' | 'drop'>('keep');
  return (
    <ConfirmDialog title={`Delete “${rule.name}”`} action="Delete" onConfirm={() => onDelete(rows)} onClose={onClose}>
      <p>The rule stops. What do you want to do with its data rows?</p>
      <RadioGroup
        aria-label="Data rows"
        value={rows}
        onChange={(_event, { value }) => setRows(value === 'drop' ? 'drop' : 'keep')}
      >
        <Radio value="keep" label={`Keep the table ${rule.resultTable} and its events`} />
        <Radio value="drop" label="Delete the rows and their events (can't be undone)" />
      </RadioGroup>
    </ConfirmDialog>
  );
}
