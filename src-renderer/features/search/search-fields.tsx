import type { KeyboardEvent, RefObject } from 'react';
import { SEARCH_KINDS, searchKindName } from '#domain/search/found';
import { useStore } from '../../support/store.ts';
import { Button, Checkbox, Field, Input, ToggleButton, Tooltip } from '../../ui/fluent.ts';
import { ChevronDownRegular, ChevronRightRegular, RenameRegular, SearchRegular } from '../../ui/icons.ts';
import type { SearchModel } from './model/search-model.ts';
import styles from './search.module.css';

interface Props {
  model: SearchModel;
  field: RefObject<HTMLInputElement | null>;
  replacement: RefObject<HTMLInputElement | null>;
  /** Whether there are results to replace. */
  canReplace: boolean;
  onReplaceAll: () => void;
}

const OPTIONS = [
  { key: 'matchCase', sign: 'Aa', title: 'Match case' },
  { key: 'wholeWord', sign: 'ab', title: 'Whole word' },
  { key: 'regex', sign: '.*', title: 'Regular expression' },
] as const;

/** What to search for, how, and where. */
export function SearchFields({ model, field, replacement, canReplace, onReplaceAll }: Props) {
  const form = useStore(model.store, (state) => state.form);
  const saving = useStore(model.store, (state) => state.saving);
  const searchNow = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') void model.search();
  };
  return (
    <>
      <div className={styles.line}>
        <Button
          size="small"
          appearance="subtle"
          icon={form.replacing ? <ChevronDownRegular /> : <ChevronRightRegular />}
          aria-expanded={form.replacing}
          aria-label="Replace"
          title="Replace (Ctrl+Shift+H)"
          onClick={() => model.change({ replacing: !form.replacing })}
        />
        <Input
          input={{ ref: field }}
          className={styles.text}
          autoFocus
          size="small"
          type="search"
          aria-label="Search for"
          aria-description="Arrow up and down show previous searches"
          placeholder="Search for (↑ ↓ for previous searches)"
          contentBefore={<SearchRegular />}
          value={form.text}
          data-pane-focus
          onChange={(_event, { value }) => model.change({ text: value })}
          onKeyDown={(event) => {
            searchNow(event);
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
            event.preventDefault();
            model.recall(event.key === 'ArrowUp' ? 1 : -1);
          }}
        />
        {OPTIONS.map(({ key, sign, title }) => (
          <Tooltip key={key} content={title} relationship="label">
            <ToggleButton
              size="small"
              appearance="subtle"
              className={styles.option}
              data-option={key}
              checked={form[key]}
              onClick={() => model.change({ [key]: !form[key] })}
              icon={<span className={styles.sign} data-text={sign} />}
            />
          </Tooltip>
        ))}
        <ToggleButton
          size="small"
          appearance="subtle"
          checked={form.filters}
          aria-expanded={form.filters}
          onClick={() => model.change({ filters: !form.filters })}
        >
          Filters
        </ToggleButton>
      </div>
      {form.replacing && (
        <div className={`${styles.line} ${styles.under}`}>
          <Input
            input={{ ref: replacement }}
            className={styles.text}
            size="small"
            aria-label="Replace with"
            placeholder={form.regex ? 'Replace with ($1, $<name> and $& are groups, \\n a line break)' : 'Replace with'}
            contentBefore={<RenameRegular />}
            value={form.replacement}
            onChange={(_event, { value }) => model.change({ replacement: value })}
          />
          <Tooltip content="Preserve case" relationship="label">
            <ToggleButton
              size="small"
              appearance="subtle"
              checked={form.preserveCase}
              onClick={() => model.change({ preserveCase: !form.preserveCase })}
              icon={<span className={styles.sign} data-text="AB" />}
            />
          </Tooltip>
          <Tooltip content="All results that are not excluded, in one step (Ctrl+Alt+Enter)" relationship="description">
            <Button size="small" appearance="primary" disabledFocusable={!canReplace || saving} onClick={onReplaceAll}>
              Replace all
            </Button>
          </Tooltip>
        </div>
      )}
      {form.filters && (
        <div className={styles.filters}>
          <fieldset className={styles.kinds}>
            <legend>Search in</legend>
            {SEARCH_KINDS.map((kind) => (
              <Checkbox
                key={kind}
                label={searchKindName(kind, 2)}
                checked={form.kinds.includes(kind)}
                onChange={() => model.toggleKind(kind)}
              />
            ))}
          </fieldset>
          <Field size="small" label="Names to include" className={styles.pattern}>
            <Input
              size="small"
              placeholder="such as Line 2/*, Bottling.Line2*"
              value={form.include}
              onChange={(_event, { value }) => model.change({ include: value })}
              onKeyDown={searchNow}
            />
          </Field>
          <Field size="small" label="Names to exclude" className={styles.pattern}>
            <Input
              size="small"
              placeholder="such as *old*"
              value={form.exclude}
              onChange={(_event, { value }) => model.change({ exclude: value })}
              onKeyDown={searchNow}
            />
          </Field>
        </div>
      )}
    </>
  );
}
