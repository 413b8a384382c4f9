import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { flatten } from './catalogue';

const root = join(import.meta.dirname, '../..');
const read = (locale: string) => flatten(parse(readFileSync(join(root, `text/${locale}.toml`), 'utf8')) as Parameters<typeof flatten>[0]);
const english = read('en');

// The values a message asks for.
function values(message: string, locale: string): string[] {
  const found = new Set<string>();
  type Part = { type: number; value?: string; options?: Record<string, { value: Part[] }> };
  const walk = (parts: Part[]) => {
    for (const part of parts) {
      if (part.type >= 1 && part.type <= 6 && part.value) found.add(part.value);
      for (const option of Object.values(part.options ?? {})) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(message, locale, undefined, { ignoreTag: true }).getAst() as Part[]);
  return [...found].sort();
}

describe.each(['en', 'de', 'ja'])('texts in %s', (locale) => {
  const texts = read(locale);
  it('have the same keys as the English ones', () => expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort()));
  it('ask for the same values', () => {
    for (const [key, message] of Object.entries(texts)) expect([key, values(message, locale)]).toEqual([key, values(english[key]!, 'en')]);
  });
  it('are translated', () => {
    if (locale === 'en') return;
    const left = Object.keys(texts).filter((key) => /(\p{L}{3,}\W+){3}/u.test(texts[key]!) && texts[key] === english[key] && !key.startsWith('game-name.'));
    expect(left).toEqual([]);
  });
});

it('every text that the sources name is there', () => {
  const missing: string[] = [];
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(svelte|ts)$/.test(file) || file.includes('.test.') || file.includes('generated')) continue;
    const source = readFileSync(join(root, 'src', file), 'utf8');
    for (const [, key] of source.matchAll(/\bt\('([\w.-]+)'/g)) if (!(key! in english)) missing.push(`${file}: ${key}`);
    for (const [, stem] of source.matchAll(/\bt\(`([\w.-]+)\$\{/g)) if (!Object.keys(english).some((key) => key.startsWith(stem!))) missing.push(`${file}: ${stem}…`);
  }
  expect(missing).toEqual([]);
});

it('every error that the server knows is said in our own words', () => {
  const codes = [...readFileSync(join(root, '../table/fault.cc'), 'utf8').matchAll(/\{"([a-z-]+)", \d{3}\}/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !(`error.${code}` in english))).toEqual([]);
});

describe.each(['company_commander', 'company_leader'])('the odds of %s', (game) => {
  const folder = join(root, '../games', game);
  it('have a name for every outcome', () => {
    const read = (path: string) => flatten(parse(readFileSync(path, 'utf8')) as Parameters<typeof flatten>[0]);
    const known = { ...read(join(root, '../app/text/en.toml')), ...read(join(folder, 'text/en.toml')) };
    const sources = readdirSync(folder).filter((name) => name.startsWith('odds') && name.endsWith('.cc') && !name.includes('test'));
    const outcomes = sources.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/outcome\("([a-z-]+)"/g)].map(([, is]) => is!));
    expect(outcomes.length).toBeGreaterThan(0);
    expect(outcomes.filter((is) => !(`view.${is}` in known) && !(`play.odds-${is}` in known))).toEqual([]);
  });
});

describe.each(['company-commander', 'company-leader'])('the rules reference of %s', (game) => {
  const chapters = (locale: string) => (parse(readFileSync(join(root, `src/games/${game}/rules/${locale}.toml`), 'utf8')) as { chapter: { id: string; title: string; text: string }[] }).chapter;
  it('has the same chapters in all languages, none empty', () => {
    for (const locale of ['en', 'de', 'ja']) {
      expect(chapters(locale).map(({ id }) => id)).toEqual(chapters('en').map(({ id }) => id));
      for (const { title, text } of chapters(locale)) expect(title.length > 0 && text.trim().length > 40, `${locale}: ${title}`).toBe(true);
    }
  });
});
