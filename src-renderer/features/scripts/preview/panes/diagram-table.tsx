import { useMemo } from 'react';
import { useLiveValue } from '../../../../client/live-values.ts';
import { usePage } from '../../../../diagram-page/page-context.ts';
import { QualityMark } from '../../../../ui/text/quality.tsx';
import { inFormat, shownAs, shownValue } from '../../../../support/shown-value.ts';
import { PathCell } from '../../../../ui/text/path-cell.tsx';
import { pathTracks } from '../../../../ui/text/path-parts.ts';
import type { BoundPart } from './diagram-rows.ts';

const HEADS = ['Part', 'Shows', 'This run', 'Quality', 'Tag'];

/** The parts of a Diagram as a table: their values, and the effect of the run on their tags. */
export function DiagramTable({ rows }: { rows: readonly BoundPart[] }) {
  const tracks = useMemo(
    () =>
      pathTracks(
        rows.map(({ tag }) => tag),
        { icon: false, least: '0%' },
      ),
    [rows],
  );
  return (
    <table>
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PartRow key={row.id} {...row} tracks={tracks} />
        ))}
      </tbody>
    </table>
  );
}

function PartRow({ label, tag, run, tracks }: BoundPart & { tracks: string }) {
  const { values, definitions, overlays } = usePage();
  const value = useLiveValue(values, tag);
  const left = overlays.get(tag)?.value;
  const format = definitions.get(tag)?.format;
  return (
    <tr>
      <td title={label}>
        <bdi>{label}</bdi>
      </td>
      <td title={value && shownValue(value.value, 500)}>{value ? shownAs(value.value, format, 40) : '…'}</td>
      <td>{left ? `→ ${inFormat(left.value, format) ?? shownValue(left.value, 40)}` : run}</td>
      <td>{value && <QualityMark value={value} />}</td>
      <td title={tag}>
        <PathCell path={tag} tracks={tracks} />
      </td>
    </tr>
  );
}
