/** A word or phrase that the project does not use. `docs/glossary.md` has the words that it uses. */
export interface DeadWord {
  /** In lower case. Also matches inside identifiers and names of files; a phrase across line breaks, too. */
  word: string;
  /** What to write instead. */
  use: string;
  /** Where the word is dead; everywhere when omitted. */
  only?: 'prose' | 'identifiers';
  /** Whether it is also dead as the start of longer words. */
  stem?: boolean;
  /** Files in which the word has another meaning, or cannot be changed. */
  except?: RegExp;
}

/** Texts that clients of the events API can rely on, and statements of applied migrations. */
const FIXED_TEXTS = /^src-main\/(?:events\/api|storage\/migrations)\//;

export const DEAD_WORDS: DeadWord[] = [
  { word: 'a rule at work', use: 'an active rule' },
  { word: 'aggregation job', use: 'rule' },
  { word: 'anew', use: 'again, or recreate, reload, restart' },
  { word: 'any more', use: 'no longer' },
  { word: 'as it says', use: 'as configured, as documented' },
  { word: 'ask again', use: 'retry, prompt' },
  { word: 'at one go', use: 'without a pause' },
  { word: 'auto-refresh', use: 'rerun' },
  { word: 'behaviour', use: 'behavior', stem: true },
  { word: 'believed', use: 'trusted' },
  {
    word: 'beside',
    use: 'next to, with',
    except: /^(?:resources\/(?:bin|package)|docs\/desktop|tests\/.*package)|^tests\/bench/,
  },
  { word: 'breaks off', use: 'ends early, is cut off' },
  { word: 'broken off', use: 'interrupted' },
  { word: 'bucket', use: 'window' },
  { word: 'call off', use: 'cancel' },
  { word: 'came of it', use: 'the outcome' },
  { word: 'cannot say', use: 'cannot represent' },
  { word: 'catalogue', use: 'catalog', stem: true, except: /^resources\/fluent-icons\// },
  { word: 'centre', use: 'center', stem: true },
  { word: 'colour', use: 'color', stem: true },
  { word: 'comes of it', use: 'the outcome' },
  { word: 'dashboard', use: 'Diagram' },
  { word: 'far end', use: 'remote server' },
  { word: 'fares', use: 'status' },
  { word: 'for all which', use: 'for which, or a second sentence' },
  { word: 'for ever', use: 'forever' },
  { word: 'gives what', use: 'returns, or name the thing' },
  { word: 'half-way', use: 'halfway' },
  { word: 'hand out', use: 'export' },
  { word: 'has what it', use: 'is complete, is loaded' },
  { word: 'hush', use: 'cancel' },
  { word: 'in the place of', use: 'instead of, replaces' },
  { word: 'in vain', use: 'without success, or say what happened' },
  { word: 'inner run', use: 'nested run' },
  { word: 'is there twice', use: 'occurs twice' },
  { word: 'jail', use: 'sandbox' },
  {
    word: 'left out',
    use: 'omitted, skipped, dropped',
    only: 'prose',
    except: /^docs\/workspace\.md$|write-folder\.ts$/,
  },
  { word: 'let go', use: 'dispose, release, discard' },
  { word: 'lets go', use: 'releases, discards' },
  { word: 'licence', use: 'license', stem: true },
  { word: 'lift', use: 'clear (a forced quality)' },
  { word: 'line below', use: 'status bar' },
  { word: 'listen in', use: 'watch' },
  { word: 'look at', use: 'watch, check' },
  { word: 'macro', use: 'script' },
  { word: 'meant', use: 'intended, or name the thing' },
  { word: 'meanwhile', use: 'in the meantime, elsewhere' },
  { word: 'mended', use: 'fixed' },
  { word: 'mends', use: 'fixes' },
  { word: 'neighbour', use: 'neighbor', stem: true },
  { word: 'of which', use: 'whose, or a second sentence' },
  { word: 'one after the other', use: 'one by one' },
  { word: 'one another', use: 'each other' },
  { word: 'overtaken', use: 'stale' },
  { word: 'popup', use: 'notice' },
  { word: 'put back', use: 'restore' },
  { word: 'put right', use: 'fix' },
  { word: 'sandbox process', use: 'script host' },
  { word: 'sees to it', use: 'ensures' },
  { word: 'slip of the pen', use: 'typing error' },
  { word: 'so many at most', use: 'maximum number of' },
  { word: 'such that', use: 'so that' },
  { word: 'take back', use: 'restore, undo' },
  { word: 'take hold', use: 'attach' },
  { word: 'tell', use: 'notify, report, show' },
  { word: 'tells', use: 'notifies, reports, shows' },
  { word: 'the rail', use: 'activity bar' },
  { word: 'the state of it all', use: 'Status at a glance' },
  { word: 'ticket', use: 'pooled run' },
  { word: 'toast', use: 'notice', only: 'prose', except: /fluent\.ts$|^tests\/e2e\// },
  { word: 'told', use: 'notified, reported, shown' },
  { word: 'took too long', use: 'timed out', only: 'identifiers' },
  { word: 'under way', use: 'in progress' },
  { word: 'what is', use: 'name the thing', except: FIXED_TEXTS },
  { word: 'what must come of it', use: 'expected result' },
  { word: 'whoever', use: 'name the person or the code' },
  { word: 'wish', use: 'filter, or what is wanted' },
  { word: 'without end', use: 'endless, endlessly' },
  { word: 'without further ado', use: 'immediately' },
];
