import { useState } from 'react';
import { QUALITIES } from '#domain/tag/quality';
import type { Quality } from '#domain/tag/quality';
import type { TagDefinition } from '#domain/tag/tag';
import { useWorkbench } from '../../frame/workbench.ts';
import type { LiveValue } from '../../client/live-values.ts';
import { Button, Dropdown, Field, Option } from '../../ui/fluent.ts';
import styles from './tags.module.css';

/** Forces the quality of a machine tag, and releases an override. */
export function MachineForm({ tag, live }: { tag: TagDefinition; live: LiveValue | undefined }) {
  const { client, notify } = useWorkbench();
  const [quality, setQuality] = useState<Quality>('BadCommunicationError');
  const attempt = async (done: string, failed: string, work: () => Promise<unknown>) => {
    try {
      await work();
      notify({ intent: 'success', title: done, body: tag.path });
    } catch (error) {
      notify({ intent: 'error', title: failed, error });
    }
  };
  return (
    <div className={styles.form} role="group" aria-label="Machine signal">
      <h3>Signal</h3>
      <Field label="Quality to force" size="small">
        <Dropdown
          size="small"
          value={quality}
          selectedOptions={[quality]}
          onOptionSelect={(_event, { optionValue }) =>
            setQuality(QUALITIES.find((name) => name === optionValue) ?? quality)
          }
        >
          {QUALITIES.map((name) => (
            <Option key={name} value={name}>
              {name}
            </Option>
          ))}
        </Dropdown>
      </Field>
      <div className={styles.buttons}>
        <Button
          size="small"
          onClick={() =>
            void attempt('Quality forced', 'The quality was not forced', () =>
              client.tags.force({ path: tag.path, quality }),
            )
          }
        >
          Force quality
        </Button>
        <Button
          size="small"
          disabledFocusable={live?.forced !== true}
          onClick={() =>
            void attempt('Forced quality cleared', 'The forced quality was not cleared', () =>
              client.tags.force({ path: tag.path, quality: null }),
            )
          }
        >
          Clear forced quality
        </Button>
        <Button
          size="small"
          disabledFocusable={live?.overridden !== true}
          title="Show the signal again instead of the written value"
          onClick={() =>
            void attempt('Override released', 'The override was not released', () =>
              client.tags.release({ paths: [tag.path] }),
            )
          }
        >
          Release override
        </Button>
      </div>
    </div>
  );
}
