// Who we are. A guest is made only when one is needed: to sit down.
import type { Account, Games, Locale, Notice, Texts } from './generated/protocol';
import { line } from './net/line.svelte';
import { Refused, server } from './net/http';
import { language, t } from './text/language.svelte';
import { Catalogue } from './text/catalogue';

class Session {
  account = $state.raw<Account | null>(null);
  known = $state(false);
  notices = $state.raw<Notice[]>([]);
  #looked: Promise<void> | null = null;
  #games: Promise<Games> | null = null;
  #texts = new Map<string, Promise<Catalogue>>();

  // Asked once; a page that needs to know waits for the same answer.
  look(): Promise<void> {
    return (this.#looked ??= server.me().then(
      ({ account }) => {
        this.account = account;
        this.known = true;
        if (account) line.connect();
      },
      () => void (this.known = true),
    ));
  }
  become(account: Account | null): void {
    this.account = account;
    if (account) line.redial();
    else line.close();
  }
  async sitDown(): Promise<void> {
    await this.look();
    if (this.account) return;
    const number = String(Math.floor(1000 + Math.random() * 9000));
    this.become((await server.guest(t('account.guest-name', { number }), language.locale)).account);
  }

  games(): Promise<Games> {
    return (this.#games ??= server.games().catch((problem: unknown) => {
      this.#games = null;
      throw problem;
    }));
  }
  // The words of a game, over ours.
  texts(game: string, table?: string): Promise<Catalogue> {
    return this.#kept(`${game} ${table ?? ''}`, (locale) => server.texts(game, locale, table));
  }
  // With what a scenario calls its own seats; a scenario that does not come with the program has the game's words only.
  scenarioTexts(game: string, scenario: string): Promise<Catalogue> {
    return this.#kept(`${game}/${scenario}`, (locale) => server.scenarioTexts(game, locale, scenario).catch(() => server.texts(game, locale)));
  }
  #kept(name: string, ask: (locale: Locale) => Promise<Texts>): Promise<Catalogue> {
    const locale = language.locale;
    const key = `${name} ${locale}`;
    let found = this.#texts.get(key);
    if (!found) {
      found = ask(locale).then((texts) => new Catalogue(locale, texts as Record<string, string>));
      found.catch(() => this.#texts.delete(key));
      this.#texts.set(key, found);
    }
    return found;
  }
}

export const session = new Session();

// What went wrong, as a sentence for the reader.
export function sentence(problem: unknown): string {
  if (!(problem instanceof Refused)) return t('error.unexpected');
  const key = `error.${problem.code}`;
  return language.words.has(key) ? t(key, { seconds: Math.ceil(problem.retryAfter) }) : problem.message;
}
