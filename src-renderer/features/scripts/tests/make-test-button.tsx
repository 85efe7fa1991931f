import { Button } from '../../../ui/fluent.ts';
import { AddRegular } from '../../../ui/icons.ts';

interface Props {
  /** What the test will expect: "what the script does now". */
  expects: string;
  isSaved: boolean;
  isBusy: boolean;
  onClick: () => void;
}

/** Makes a test of a run. Only saved scripts have tests. */
export function MakeTestButton({ expects, isSaved, isBusy, onClick }: Props) {
  return (
    <Button
      size="small"
      appearance="subtle"
      icon={<AddRegular />}
      disabledFocusable={isBusy || !isSaved}
      aria-label="Make a test"
      title={isSaved ? `Make a test that expects ${expects}` : 'Save the script first: tests belong to saved scripts'}
      onClick={onClick}
    />
  );
}
