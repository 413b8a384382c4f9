// The language of the page: as chosen, else as the browser asks for, else English.
import type { Locale } from '../generated/protocol';
import { Catalogue, flatten, type Values } from './catalogue';

export const locales: readonly Locale[] = ['en', 'de', 'ja'];

const sources: Record<Locale, () => Promise<{ default: object }>> = {
  en: () => import('../../text/en.toml'),
  de: () => import('../../text/de.toml'),
  ja: () => import('../../text/ja.toml'),
};

class Language {
  words = $state.raw(new Catalogue('en', {}));

  get locale(): Locale {
    return this.words.locale;
  }

  async use(locale: Locale): Promise<void> {
    const { default: nested } = await sources[locale]();
    this.words = new Catalogue(locale, flatten(nested as Parameters<typeof flatten>[0]));
    document.documentElement.lang = locale;
  }
}

export const language = new Language();

export function t(key: string, values?: Values): string {
  return language.words.say(key, values);
}

// A scenario of somebody's own has no other name than its id.
export function scenarioTitle(game: string, scenario: string): string {
  const key = `scenario.${game}.${scenario}`;
  return language.words.has(key) ? t(key) : scenario;
}

export function preferred(chosen: string | null, wanted: readonly string[]): Locale {
  for (const tag of [chosen ?? '', ...wanted]) {
    const found = locales.find((locale) => tag.toLowerCase().split('-')[0] === locale);
    if (found) return found;
  }
  return 'en';
}
