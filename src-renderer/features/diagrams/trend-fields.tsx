import type { DiagramPart, TrendSettings } from '#domain/tag/diagram';
import { TREND_LIMITS, TREND_SPANS } from '#domain/tag/diagram';
import { durationText } from '#domain/text/duration';
import { TagPathField } from '../../frame/tag-path-field.tsx';
import { Button, Field, Select } from '../../ui/fluent.ts';
import { AddRegular, DismissRegular } from '../../ui/icons.ts';
import styles from './diagrams.module.css';

interface Props {
  trend: TrendSettings;
  onChange: (change: Pick<DiagramPart, 'trend'>) => void;
}

/** The tags and the time of a trend. */
export function TrendFields({ trend, onChange }: Props) {
  const { spanMs } = trend;
  const tags = trend.tags.length === 0 ? [''] : trend.tags;
  const set = (change: Partial<TrendSettings>) => onChange({ trend: { ...trend, ...change } });
  const spans = [...new Set([...TREND_SPANS, spanMs])].toSorted((a, b) => a - b);
  return (
    <>
      <fieldset className={styles.tags}>
        <legend>Tags</legend>
        {tags.map((tag, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- a tag may occur twice while it is typed
          <div key={place} className={styles.tagRow}>
            <TagPathField
              aria-label={`Tag ${place + 1}`}
              placeholder="Path of a tag with numbers"
              value={tag}
              onChange={(path) => set({ tags: tags.with(place, path) })}
            />
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label={`Remove tag ${place + 1}`}
              disabledFocusable={tags.length === 1}
              onClick={() => set({ tags: tags.toSpliced(place, 1) })}
            />
          </div>
        ))}
        <Button
          size="small"
          appearance="subtle"
          icon={<AddRegular />}
          disabledFocusable={tags.length >= TREND_LIMITS.tags}
          title={tags.length >= TREND_LIMITS.tags ? `A trend has at most ${TREND_LIMITS.tags} tags` : undefined}
          onClick={() => set({ tags: [...tags, ''] })}
        >
          Add a tag
        </Button>
      </fieldset>
      <Field label="Time" size="small">
        <Select size="small" value={String(spanMs)} onChange={(_event, { value }) => set({ spanMs: Number(value) })}>
          {spans.map((ms) => (
            <option key={ms} value={ms}>
              {durationText(ms)}
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
}
