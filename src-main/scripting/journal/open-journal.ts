import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import type { JournalWindows } from '../../storage/journal/journal-windows.ts';
import { JournalService, type JournalServiceParts } from './journal-service.ts';
import { TagHistories } from './tag-history.ts';
import { WhyReader } from './why.ts';
import { WhyRecords, type WhyRecordsParts } from './why-records.ts';

type JournalParts = Omit<JournalServiceParts, 'explained' | 'records' | 'histories'> &
  Omit<WhyRecordsParts, 'explained'> & {
    reader: JournalReader;
    windows: JournalWindows;
    /** The tags from which the value of a tag is calculated. */
    inputsOf: (path: string) => readonly string[];
  };

/** The journal for the workbench, with everything that explains. */
export function openJournal(parts: JournalParts): JournalService {
  const explained = new WhyReader(parts.reader, parts.windows, parts.inputsOf);
  return new JournalService({
    ...parts,
    explained,
    records: new WhyRecords({ ...parts, explained }),
    histories: new TagHistories(parts.reader, explained.lines),
  });
}
