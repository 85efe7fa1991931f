import { TAG_KINDS, TAG_TYPES } from '#domain/tag/tag';
import { sentence } from '../../../client/issues.ts';
import { Dropdown, Field, Option } from '../../../ui/fluent.ts';
import { KIND_NAMES, KindIcon } from '../../../ui/text/tag-kind.tsx';
import { typesOf } from './kind-fields.ts';
import type { TagForm } from './tag-form.ts';

interface Props {
  form: TagForm;
  refused: Readonly<Record<string, string>>;
  onChange: (change: Partial<TagForm>) => void;
}

/** The kind of a tag, and its type, which the kind allows. */
export function KindAndType({ form, refused, onChange }: Props) {
  return (
    <>
      <Field label="Kind" size="small" {...validation(refused['kind'])}>
        <Dropdown
          size="small"
          value={KIND_NAMES[form.kind]}
          selectedOptions={[form.kind]}
          onOptionSelect={(_event, { optionValue }) => {
            const kind = TAG_KINDS.find((name) => name === optionValue) ?? form.kind;
            onChange({ kind, type: kind === 'erp' ? 'Json' : form.type });
          }}
        >
          {TAG_KINDS.map((kind) => (
            <Option key={kind} value={kind} text={KIND_NAMES[kind]}>
              <KindIcon kind={kind} />
              {KIND_NAMES[kind]}
            </Option>
          ))}
        </Dropdown>
      </Field>
      <Field label="Type" size="small" {...validation(refused['type'])}>
        <Dropdown
          size="small"
          value={form.type}
          selectedOptions={[form.type]}
          onOptionSelect={(_event, { optionValue }) =>
            onChange({ type: TAG_TYPES.find((name) => name === optionValue) ?? form.type })
          }
        >
          {typesOf(form.kind, TAG_TYPES).map((type) => (
            <Option key={type}>{type}</Option>
          ))}
        </Dropdown>
      </Field>
    </>
  );
}

const validation = (problem: string | undefined) =>
  problem === undefined ? {} : { validationMessage: sentence(problem) };
