import { Button, Text } from '@fluentui/react-components';
import styles from './tags.module.css';

interface Props {
  filtered: boolean;
  onClear: () => void;
  onImport: () => void;
  onNew: () => void;
}

/** The message in place of an empty table. */
export function EmptyList({ filtered, onClear, onImport, onNew }: Props) {
  if (filtered) {
    return (
      <div className={styles.empty} data-pane-focus>
        <Text weight="semibold">No tags match.</Text>
        <Button onClick={onClear}>Show all tags</Button>
      </div>
    );
  }
  return (
    <div className={styles.empty} data-pane-focus>
      <Text weight="semibold">There are no tags yet.</Text>
      <Text>Import them from a CSV or JSON file, or create the first one here.</Text>
      <div className={styles.buttons}>
        <Button onClick={onImport}>Import tags…</Button>
        <Button appearance="primary" onClick={onNew}>
          New tag
        </Button>
      </div>
    </div>
  );
}
