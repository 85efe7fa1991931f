import { Button, Popover, PopoverSurface, PopoverTrigger } from '@fluentui/react-components';
import { QuestionCircleRegular } from '../../../ui/icons.ts';
import styles from './editor.module.css';

const EXPRESSIONS = [
  ['{{request.path.id}}', 'the segment of the path that is {id} in the URL pattern'],
  ['{{request.query.page}}', 'a parameter of the URL'],
  ['{{request.header.Accept}}', 'a header'],
  ['{{request.body.items.0.id}}', 'a member of a JSON body, or a field of a form'],
  ['{{request.body}}, {{request.url}}, {{request.method}}', 'the request itself'],
  ['{{hits}}', 'the number of hits of the mock, including this one'],
  ['{{now}}, {{now.unix}}', 'the time, as ISO text in UTC and in seconds'],
  ['{{uuid}}', 'a new UUID'],
] as const;

/** The expressions of a response. */
export function TemplateHelp() {
  return (
    <Popover trapFocus withArrow>
      <PopoverTrigger disableButtonEnhancement>
        <Button size="small" appearance="subtle" icon={<QuestionCircleRegular />}>
          Expressions
        </Button>
      </PopoverTrigger>
      <PopoverSurface aria-label="Expressions" tabIndex={-1}>
        <dl className={styles.help}>
          {EXPRESSIONS.map(([expression, meaning]) => (
            <div key={expression}>
              <dt>{expression}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.helpNote}>
          Use these in texts, JSON and headers of the response. A missing value becomes an empty text. In JSON, a text
          that consists of one expression for the body keeps its type: a number stays a number.
        </p>
      </PopoverSurface>
    </Popover>
  );
}
