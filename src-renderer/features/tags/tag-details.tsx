import { useState } from 'react';
import { readOnlyReason } from '#domain/tag/tag';
import type { TagDefinition } from '#domain/tag/tag';
import { useCopy } from '../../frame/use-copy.ts';
import { HelpLink } from '../../frame/help/help-link.tsx';
import { useWorkbench } from '../../frame/workbench.ts';
import { WhyButton } from '../../frame/why/why-button.tsx';
import { Button } from '../../ui/fluent.ts';
import { BugRegular, CopyRegular, RenameRegular } from '../../ui/icons.ts';
import { QualityMark } from '../../ui/text/quality.tsx';
import { shownAs, shownValue, wholeValue } from '../../support/shown-value.ts';
import { moment } from '../../support/moment.ts';
import { KIND_NAMES, KindIcon } from '../../ui/text/tag-kind.tsx';
import { TagPath } from '../../ui/text/tag-path.tsx';
import { definitionLines } from './definition-lines.ts';
import { ScopeGrid } from './details/scope-grid.tsx';
import { Trend } from './details/trend.tsx';
import { tagSubject } from './why-subject.ts';
import { useLiveValue } from '../../client/live-values.ts';
import type { LiveValues, ViewScope } from '../../client/live-values.ts';
import { MachineForm } from './machine-form.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { UsageSection } from './usage-lists.tsx';
import { useTagUsage } from './use-tag-usage.ts';
import { WriteForm } from './write-form.tsx';
import styles from './tags.module.css';

interface Props {
  tag: TagDefinition;
  values: LiveValues;
  scope: ViewScope;
  active: boolean;
  onEdit: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** Whether a script or an expression computes its value. */
const isComputed = ({ kind, settings }: TagDefinition): boolean =>
  kind === 'calculation' || (kind === 'script' && typeof settings['readScript'] === 'string');

/** Shown characters of a value. */
const LONGEST = 2_000;

/** One tag: its definition, its current value, and its actions. */
export function TagDetails({ tag, values, scope, active, onEdit, onDuplicate, onDelete }: Props) {
  const { client, show } = useWorkbench();
  const live = useLiveValue(values, tag.path);
  const lines = definitionLines(tag.settings);
  const known = useTagUsage(client, tag.path);
  const [renaming, setRenaming] = useState(false);
  const copy = useCopy();
  const readOnly = readOnlyReason(tag);
  const value = live?.value ?? null;
  const hint = typeof value === 'number' ? String(value) : shownValue(value, LONGEST);
  return (
    <div className={styles.detailsScroll} tabIndex={0} role="region" aria-label={`Tag ${tag.path}`}>
      <header className={styles.detailsHead}>
        <KindIcon kind={tag.kind} />
        <h2>
          <TagPath path={tag.path} breaks />
        </h2>
        <Button
          size="small"
          appearance="subtle"
          icon={<CopyRegular />}
          aria-label="Copy the path"
          title="Copy the path"
          onClick={() => void copy(tag.path, 'Path copied', { instead: 'Select the path and press Ctrl+C.' })}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<RenameRegular />}
          aria-label="Rename the tag"
          title="Rename the tag"
          onClick={() => setRenaming(true)}
        />
      </header>
      <div className={styles.buttons}>
        <Button size="small" onClick={onEdit}>
          Edit…
        </Button>
        <Button size="small" onClick={onDuplicate}>
          Duplicate…
        </Button>
        <Button size="small" onClick={onDelete}>
          Delete
        </Button>
        <WhyButton {...tagSubject(tag, scope)} />
        {isComputed(tag) && (
          <Button
            size="small"
            icon={<BugRegular />}
            title="Pause before its first statement; nothing is saved"
            onClick={() => show('scripts', `debug:${tag.path}`)}
          >
            Debug
          </Button>
        )}
      </div>
      {tag.description !== '' && <p className={styles.description}>{tag.description}</p>}
      <div className={styles.now}>
        <output className={styles.big} title={live && hint}>
          <bdi>{live ? shownAs(live.value, tag.format, LONGEST) : '…'}</bdi>{' '}
          <bdi className={styles.unit}>{tag.unit}</bdi>
        </output>
        {live && <QualityMark value={live} />}
        {value !== null && value !== '' && (
          <Button
            className={styles.copyValue ?? ''}
            size="small"
            appearance="subtle"
            icon={<CopyRegular />}
            aria-label="Copy the value"
            title="Copy the full value"
            onClick={() =>
              void copy(wholeValue(value), 'Value copied', { instead: 'Select the value and press Ctrl+C.' })
            }
          />
        )}
      </div>
      {live?.changedAt !== undefined && (
        <p className={styles.changed}>
          Last changed <time dateTime={live.changedAt}>{moment(new Date(live.changedAt))}</time>
        </p>
      )}
      {live?.reason !== undefined && (
        <p className={styles.description}>
          {live.reason} <HelpLink to="qualities" />
        </p>
      )}
      <Trend values={values} tag={tag} scope={scope} />
      {readOnly === null ? (
        <WriteForm tag={tag} values={values} scope={scope} />
      ) : (
        <p className={styles.description}>{readOnly}</p>
      )}
      {tag.kind === 'machine' && <MachineForm tag={tag} live={live} />}
      {tag.kind === 'storage' && <ScopeGrid tag={tag} values={values} scope={scope} active={active} />}
      <h3>Definition</h3>
      <dl className={styles.definition}>
        <div>
          <dt>Kind</dt>
          <dd>{KIND_NAMES[tag.kind]}</dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd>{tag.type}</dd>
        </div>
        {tag.format !== undefined && (
          <div>
            <dt>Format</dt>
            <dd>{tag.format}</dd>
          </div>
        )}
        {lines.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <UsageSection known={known} />
      {renaming && <RenameDialog path={tag.path} usage={known.usage} onClose={() => setRenaming(false)} />}
    </div>
  );
}
