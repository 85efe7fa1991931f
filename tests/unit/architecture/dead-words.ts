/** A word or phrase that the project does not use. `docs/glossary.md` has the words that it uses. */
interface DeadWord {
  /** In lower case. A phrase matches across line breaks, a word also inside a camelCase identifier. */
  word: string;
  /** What to write instead. */
  use: string;
  /** Where the word is dead; everywhere when omitted. */
  only?: 'prose' | 'identifiers';
}

export const DEAD_WORDS: DeadWord[] = [
  { word: 'anew', use: 'again, or recreate, reload, restart' },
  { word: 'at one go', use: 'without a pause' },
  { word: 'believed', use: 'trusted', only: 'prose' },
  { word: 'breaks off', use: 'ends early, is cut off' },
  { word: 'broken off', use: 'interrupted' },
  { word: 'cannot say', use: 'cannot represent' },
  { word: 'far end', use: 'remote server' },
  { word: 'fares', use: 'status' },
  { word: 'hush', use: 'cancel' },
  { word: 'in vain', use: 'without success, or say what happened' },
  { word: 'lets go', use: 'releases, discards' },
  { word: 'line below', use: 'status bar' },
  { word: 'meant', use: 'intended, or name the thing' },
  { word: 'mends', use: 'fixes' },
  { word: 'of which', use: 'whose, or a second sentence' },
  { word: 'one another', use: 'each other' },
  { word: 'put right', use: 'fix' },
  { word: 'sees to it', use: 'ensures' },
  { word: 'slip of the pen', use: 'typing error' },
  { word: 'so many at most', use: 'maximum number of' },
  { word: 'such that', use: 'so that' },
  { word: 'the rail', use: 'activity bar' },
  { word: 'told', use: 'notified, reported, shown' },
  { word: 'under way', use: 'in progress' },
  { word: 'whoever', use: 'name the person or the code' },
  { word: 'without further ado', use: 'immediately' },
];
