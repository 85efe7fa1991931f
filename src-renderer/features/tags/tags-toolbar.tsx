import { Button, Input, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '@fluentui/react-components';
import type { RefObject } from 'react';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { AddRegular, ArrowDownloadRegular, ArrowUploadRegular, DeleteRegular, EditRegular } from '../../ui/icons.ts';
import { isDirty, titleOf } from './edit/tag-edits.ts';
import type { TagEdit } from './edit/tag-edits.ts';
import type { ViewScope } from '../../client/live-values.ts';
import styles from './tags.module.css';

interface Props {
  filterField: RefObject<HTMLInputElement | null>;
  filter: string;
  scope: ViewScope;
  /** How many are chosen. */
  chosen: number;
  onFilter: (filter: string) => void;
  onScope: (scope: ViewScope) => void;
  onNew: () => void;
  onChange: () => void;
  onDelete: () => void;
  onImport: () => void;
  onExport: (format: 'csv' | 'json') => void;
}

/** What stands over the table: filter, the scope whose values are shown, and what can be done. */
export function TagsToolbar(props: Props) {
  const { filterField, filter, scope, chosen, onFilter, onScope, ...on } = props;
  const none = chosen === 0;
  return (
    <header className={styles.bar}>
      <FilterField
        field={filterField}
        className={styles.filter}
        label="Filter tags"
        placeholder="Filter by words of the path"
        value={filter}
        onChange={onFilter}
      />
      <div className={styles.scopes}>
        <label className={styles.scope}>
          As Diagram
          <Input
            size="small"
            value={scope.diagram}
            placeholder="default"
            onChange={(_event, { value }) => onScope({ ...scope, diagram: value })}
          />
        </label>
        <label className={styles.scope}>
          workcenter
          <Input
            size="small"
            value={scope.location}
            placeholder="default"
            onChange={(_event, { value }) => onScope({ ...scope, location: value })}
          />
        </label>
      </div>
      <span className={styles.actions}>
        <Button size="small" appearance="subtle" icon={<AddRegular />} title="New tag (Alt+N)" onClick={on.onNew}>
          New
        </Button>
        <Button
          size="small"
          appearance="subtle"
          icon={<EditRegular />}
          aria-label="Change"
          title="Change what is chosen (F2)"
          disabledFocusable={none}
          onClick={on.onChange}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<DeleteRegular />}
          aria-label="Delete"
          title="Delete what is chosen (Delete)"
          disabledFocusable={none}
          onClick={on.onDelete}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<ArrowUploadRegular />}
          aria-label="Import"
          title="Import tags from a CSV or JSON file"
          onClick={on.onImport}
        />
        <Menu>
          <MenuTrigger disableButtonEnhancement>
            <Button
              size="small"
              appearance="subtle"
              icon={<ArrowDownloadRegular />}
              aria-label="Export"
              title="Export the tags that fit the filter"
            />
          </MenuTrigger>
          <MenuPopover>
            <MenuList>
              <MenuItem onClick={() => on.onExport('csv')}>Export as CSV</MenuItem>
              <MenuItem onClick={() => on.onExport('json')}>Export as JSON</MenuItem>
            </MenuList>
          </MenuPopover>
        </Menu>
      </span>
    </header>
  );
}

/** The edits that wait to be saved, apart from the one that is seen. */
export function UnsavedEdits(props: {
  edits: readonly TagEdit[];
  current: string | null;
  onShow: (edit: TagEdit) => void;
}) {
  const waiting = props.edits.filter((edit) => edit.id !== props.current && isDirty(edit));
  if (waiting.length === 0) return null;
  return (
    <div className={styles.unsaved} role="group" aria-label="Not saved yet">
      Not saved yet:
      {waiting.slice(0, 20).map((edit) => (
        <Button key={edit.id} size="small" appearance="subtle" onClick={() => props.onShow(edit)}>
          <bdi>{titleOf(edit)}</bdi>
        </Button>
      ))}
    </div>
  );
}
