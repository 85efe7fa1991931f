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
  { word: 'believed', use: 'trusted', only: 'prose' },
  { word: 'fares', use: 'status' },
  { word: 'hush', use: 'cancel' },
  { word: 'in vain', use: 'without success, or say what happened' },
  { word: 'line below', use: 'status bar' },
  { word: 'meant', use: 'intended, or name the thing' },
  { word: 'mends', use: 'fixes' },
  { word: 'of which', use: 'whose, or a second sentence' },
  { word: 'put right', use: 'fix' },
  { word: 'so many at most', use: 'maximum number of' },
  { word: 'such that', use: 'so that' },
  { word: 'the rail', use: 'activity bar' },
  { word: 'told', use: 'notified, reported, shown' },
  { word: 'whoever', use: 'name the person or the code' },
];
