// Chapters of a rules reference, as written in rules/*.toml.
import type { RuleChapter } from './game';

interface Written {
  chapter: { id: string; title: string; text: string }[];
}

export async function rulesOf(source: () => Promise<{ default: object }>): Promise<RuleChapter[]> {
  const { chapter } = (await source()).default as Written;
  return chapter.map(({ id, title, text }) => ({ id, title, text: text.trim().split(/\n\s*\n/) }));
}

// Chapters with all the words that are looked for.
export function found(chapters: RuleChapter[], wanted: string): RuleChapter[] {
  const words = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return chapters.filter(({ title, text }) => {
    const all = [title, ...text].join('\n').toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  });
}
