import { Button, Text } from '@fluentui/react-components';
import styles from './tags.module.css';

interface Props {
  filtered: boolean;
  onClear: () => void;
  onImport: () => void;
  onNew: () => void;
}

/** What stands in place of a table without rows. */
export function EmptyList({ filtered, onClear, onImport, onNew }: Props) {
  if (filtered) {
    return (
      <div className={styles.empty} data-pane-focus>
        <Text weight="semibold">No tag has these words in its path.</Text>
        <Button onClick={onClear}>Show all tags</Button>
      </div>
    );
  }
  return (
    <div className={styles.empty} data-pane-focus>
      <Text weight="semibold">There are no tags yet.</Text>
      <Text>Bring them in from a CSV or JSON file, or make the first one here.</Text>
      <div className={styles.buttons}>
        <Button onClick={onImport}>Import tags…</Button>
        <Button appearance="primary" onClick={onNew}>
          New tag
        </Button>
      </div>
    </div>
  );
}
