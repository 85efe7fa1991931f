import { useWorkbench } from '../../../frame/workbench.ts';
import { pickFile } from '../../../support/files.ts';
import { imageUrl } from '../../../support/image-url.ts';
import { Button, Field, Input, Textarea } from '../../../ui/fluent.ts';
import { type AnswerForm, isJsonText } from '../model/answer-form.ts';
import { JsonField, PlainField } from './json-field.tsx';
import { validationOf } from '../../../drafted/validation.ts';
import styles from './editor.module.css';

/** Put larger files into the folder mock-files: bodies are part of every list of mocks. */
const LARGEST = 8 * 1_048_576;
const SHOWN = 4_000;

interface Props {
  form: AnswerForm;
  /** Its field: `answer.body`. */
  field: string;
  issue: string | undefined;
  onChange: (part: Partial<AnswerForm>) => void;
}

/** The body of a response, by its kind. */
export function BodyField({ form, field, issue, onChange }: Props) {
  switch (form.body) {
    case 'json':
      return (
        <Field label="JSON of the response" size="small" {...validationOf(issue)}>
          <JsonField
            // The steps that undo reverts belong to one response.
            key={field}
            name={field}
            rows={8}
            value={form.json}
            problem={issue}
            onChange={(json) => onChange({ json })}
          />
        </Field>
      );
    case 'text': {
      const TextField = isJsonText(form) ? JsonField : PlainField;
      return (
        <Field label="Text of the response" size="small" {...validationOf(issue)}>
          <TextField
            key={field}
            name={field}
            rows={8}
            value={form.text}
            problem={issue}
            onChange={(text) => onChange({ text })}
          />
        </Field>
      );
    }
    case 'file':
      return (
        <Field
          label="File"
          size="small"
          hint="Name of a file in the folder mock-files of the workspace, such as label.png"
          {...validationOf(issue)}
        >
          <Input size="small" value={form.file} onChange={(_event, { value }) => onChange({ file: value })} />
        </Field>
      );
    case 'base64':
      return <BinaryField form={form} issue={issue} onChange={onChange} />;
    default:
      return null;
  }
}

function BinaryField({ form, issue, onChange }: Omit<Props, 'field'>) {
  const { notify } = useWorkbench();
  const image = imageUrl(form.base64);
  const long = form.base64.length > SHOWN;
  const pick = async () => {
    const file = await pickFile('*/*');
    if (!file) return;
    if (file.size > LARGEST) {
      const body =
        'Put the file into the folder mock-files of the workspace, and choose “a file in the folder mock-files”.';
      notify({ intent: 'warning', title: `“${file.name}” is larger than 8 MB`, body });
      return;
    }
    try {
      onChange({ base64: await base64Of(file) });
    } catch (error) {
      notify({ intent: 'error', title: `“${file.name}” cannot be read`, error });
    }
  };
  return (
    <>
      <Field label="Base64 of the response" size="small" {...validationOf(issue)}>
        <Textarea
          size="small"
          className={styles.code}
          rows={3}
          resize="vertical"
          spellCheck={false}
          readOnly={long}
          value={long ? `${form.base64.slice(0, SHOWN)}…` : form.base64}
          onChange={(_event, { value }) => onChange({ base64: value })}
        />
      </Field>
      <div className={styles.binary}>
        <Button size="small" onClick={() => void pick()}>
          Choose a file…
        </Button>
        {form.base64 !== '' && (
          <Button size="small" appearance="subtle" onClick={() => onChange({ base64: '' })}>
            Clear
          </Button>
        )}
        <span className={styles.quiet}>{bytesOf(form.base64).toLocaleString('en')} bytes; a file of up to 8 MB</span>
        {image !== null && <img className={styles.image} src={image} alt="Response" />}
      </div>
    </>
  );
}

/** The number of bytes of a Base64 text. */
const bytesOf = (base64: string): number => Math.floor((base64.trim().replace(/=+$/, '').length * 3) / 4);

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result.replace(/^[^,]*,/, ''));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
}
