import type { RefObject } from 'react';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { Button, Input, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '../../ui/fluent.ts';
import { AddRegular, ArrowDownloadRegular, ArrowUploadRegular, DeleteRegular, EditRegular } from '../../ui/icons.ts';
import { isDirty, titleOf } from './edit/tag-edits.ts';
import type { TagEdit } from './edit/tag-edits.ts';
import type { ViewScope } from '../../client/live-values.ts';
import styles from './tags.module.css';

interface Props {
  filterField: RefObject<HTMLInputElement | null>;
  filter: string;
  scope: ViewScope;
  /** The number of selected tags. */
  chosen: number;
  onFilter: (filter: string) => void;
  onScope: (scope: ViewScope) => void;
  onNew: () => void;
  onChange: () => void;
  onDelete: () => void;
  onImport: () => void;
  onExport: (format: 'csv' | 'json') => void;
}

/** The toolbar of the table: the filter, the scope of the shown values, and the actions. */
export function TagsToolbar(props: Props) {
  const { filterField, filter, scope, chosen, onFilter, onScope, ...on } = props;
  const none = chosen === 0;
  return (
    <header className={styles.bar}>
      <FilterField
        field={filterField}
        className={styles.filter}
        label="Filter tags"
        placeholder="Filter by words in the path"
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
          aria-label="Edit"
          title="Edit the selection (F2)"
          disabledFocusable={none}
          onClick={on.onChange}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<DeleteRegular />}
          aria-label="Delete"
          title="Delete the selection (Delete)"
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
              title="Export the tags that match the filter"
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

/** The unsaved edits, except the visible one. */
export function UnsavedEdits(props: {
  edits: readonly TagEdit[];
  current: string | null;
  onShow: (edit: TagEdit) => void;
}) {
  const waiting = props.edits.filter((edit) => edit.id !== props.current && isDirty(edit));
  if (waiting.length === 0) return null;
  return (
    <div className={styles.unsaved} role="group" aria-label="Unsaved">
      Unsaved:
      {waiting.slice(0, 20).map((edit) => (
        <Button key={edit.id} size="small" appearance="subtle" onClick={() => props.onShow(edit)}>
          <bdi>{titleOf(edit)}</bdi>
        </Button>
      ))}
    </div>
  );
}
