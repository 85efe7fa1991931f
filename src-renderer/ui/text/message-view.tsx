import type { HeaderPair } from '#domain/mock/api-call';
import { Fragment } from 'react';
import colors from '../json/json-colors.module.css';
import { jsonTokens } from '../json/json-tokens.ts';
import styles from './message-view.module.css';

/** The maximum length of a text in the page. */
const SHOWN = 200_000;
/** Maximum length of a text with colors. */
const COLORED = 50_000;

interface Props {
  label: string;
  headers: readonly HeaderPair[];
  /** null if there is none, or it is not text. */
  text: string | null;
  /** Source of an image. */
  image: string | null;
  bytes: number;
  /** Level of its heading. */
  level?: 2 | 3;
}

/** The headers and body of a request or a response. */
export function MessageView({ label, headers, text, image, bytes, level = 3 }: Props) {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.message} aria-label={label}>
      <Heading>
        {label} <small>{bytes === 0 ? 'no body' : `${bytes.toLocaleString('en')} bytes`}</small>
      </Heading>
      {headers.length > 0 && (
        <dl className={styles.headers}>
          {headers.map(([name, value], index) => (
            // oxlint-disable-next-line react/no-array-index-key -- they never change, and names may repeat
            <div key={index}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {image !== null && <img className={styles.picture} src={image} alt={`${label}, as an image`} />}
      {text !== null && (
        <pre className={`${styles.body} ${colors.line}`} aria-label={`Body of: ${label}`} tabIndex={0}>
          <Colored text={shown(text)} />
        </pre>
      )}
      {text === null && image === null && bytes > 0 && <p className={styles.quiet}>The body is not text.</p>}
    </section>
  );
}

/** JSON with colors, unless it is too long for them; any other text as it is. */
function Colored({ text }: { text: string }) {
  if (text.length > COLORED || !/^\s*[[{]/.test(text)) return text;
  return text.split('\n').map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- they never change
    <Fragment key={index}>
      {index > 0 && '\n'}
      {jsonTokens(line).map(({ sort, text: token, at }) => (
        <span key={at} data-sort={sort}>
          {token}
        </span>
      ))}
    </Fragment>
  ));
}

/** Formats JSON with line breaks; any other text is unchanged. */
function shown(text: string): string {
  const full = text.length <= SHOWN ? pretty(text) : text;
  return full.length <= SHOWN ? full : `${full.slice(0, SHOWN)}…`;
}

function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
