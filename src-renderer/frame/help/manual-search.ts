import pages from 'virtual:manual';

/** A part of a page under one heading. */
interface Section {
  place: string;
  page: string;
  heading: string;
  text: string;
}

export interface ManualMatch {
  place: string;
  page: string;
  heading: string;
  /** The text around the first word that was found, as its parts before, at and after it; null if only the heading has it. */
  around: { before: string; word: string; after: string } | null;
}

export const MOST_MATCHES = 40;
const AROUND = 60;

let sections: Promise<Section[]> | null = null;

/** Sections of the manual that contain every word, those with the words in their heading first. */
export async function searchManual(typed: string): Promise<ManualMatch[]> {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  sections ??= allSections();
  const found = (await sections).filter(({ page, heading, text }) => {
    const all = `${page} ${heading} ${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const inHeading = ({ page, heading }: Section) => {
    const title = `${page} ${heading}`.toLowerCase();
    return words.filter((word) => title.includes(word)).length;
  };
  return found
    .toSorted((a, b) => inHeading(b) - inHeading(a))
    .slice(0, MOST_MATCHES)
    .map(({ text, ...section }) => ({ ...section, around: around(text, words) }));
}

function around(text: string, words: readonly string[]): ManualMatch['around'] {
  const lower = text.toLowerCase();
  const [at, word] = words
    .map((one) => [lower.indexOf(one), one] as const)
    .filter(([index]) => index >= 0)
    .toSorted(([a], [b]) => a - b)[0] ?? [-1, ''];
  if (at < 0) return null;
  const end = at + word.length;
  return {
    before: `${at > AROUND ? '…' : ''}${text.slice(Math.max(0, at - AROUND), at)}`,
    word: text.slice(at, end),
    after: `${text.slice(end, end + AROUND)}${text.length > end + AROUND ? '…' : ''}`,
  };
}

async function allSections(): Promise<Section[]> {
  const loaded = await Promise.all(
    Object.entries(pages).map(async ([name, { title, load }]) => sectionsOf(name, title, (await load()).default)),
  );
  return loaded.flat();
}

function sectionsOf(name: string, title: string, html: string): Section[] {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const found: Section[] = [];
  for (const element of parsed.body.children) {
    const text = element.textContent.replace(/\s+/g, ' ').trim();
    if (/^H[1-6]$/.test(element.tagName)) {
      found.push({ place: `${name}#${element.id}`, page: title, heading: text, text: '' });
    } else {
      const last = found.at(-1);
      if (last) last.text += `${last.text === '' ? '' : ' '}${text}`;
    }
  }
  return found;
}
