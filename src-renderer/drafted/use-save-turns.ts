import { useEffect, useEffectEvent, useRef, useState } from 'react';

interface SaveTurns {
  saving: boolean;
  save: () => Promise<void>;
}

/**
 * Runs one save at a time. A request during a save is not lost: if `isNeeded` is still true after it, the form is saved
 * once more as it is then.
 */
export function useSaveTurns(work: () => Promise<void>, isNeeded = true): SaveTurns {
  const inProgress = useRef(false);
  const again = useRef(false);
  const [saving, setSaving] = useState(false);
  const save = async () => {
    if (inProgress.current) {
      again.current = true;
      return;
    }
    inProgress.current = true;
    setSaving(true);
    try {
      await work();
    } finally {
      inProgress.current = false;
      setSaving(false);
    }
  };
  const repeat = useEffectEvent(() => {
    if (!again.current) return;
    again.current = false;
    if (isNeeded) void save();
  });
  useEffect(() => {
    if (!saving) repeat();
  }, [saving]);
  return { saving, save };
}
