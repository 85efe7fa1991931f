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
  { word: 'as it says', use: 'as configured, as documented' },
  { word: 'at one go', use: 'without a pause' },
  { word: 'believed', use: 'trusted', only: 'prose' },
  { word: 'breaks off', use: 'ends early, is cut off' },
  { word: 'broken off', use: 'interrupted' },
  { word: 'came of it', use: 'the outcome' },
  { word: 'cannot say', use: 'cannot represent' },
  { word: 'comes of it', use: 'the outcome' },
  { word: 'far end', use: 'remote server' },
  { word: 'fares', use: 'status' },
  { word: 'for all which', use: 'for which, or a second sentence' },
  { word: 'for ever', use: 'forever' },
  { word: 'gives what', use: 'returns, or name the thing' },
  { word: 'half-way', use: 'halfway' },
  { word: 'has what it', use: 'is complete, is loaded' },
  { word: 'hush', use: 'cancel' },
  { word: 'in the place of', use: 'instead of, replaces' },
  { word: 'in vain', use: 'without success, or say what happened' },
  { word: 'is there twice', use: 'occurs twice' },
  { word: 'lets go', use: 'releases, discards' },
  { word: 'line below', use: 'status bar' },
  { word: 'meant', use: 'intended, or name the thing' },
  { word: 'meanwhile', use: 'in the meantime', only: 'prose' },
  { word: 'mends', use: 'fixes' },
  { word: 'of which', use: 'whose, or a second sentence' },
  { word: 'one after the other', use: 'one by one' },
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
  { word: 'without end', use: 'endless, endlessly' },
  { word: 'without further ado', use: 'immediately' },
];
