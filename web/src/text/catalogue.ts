// Messages in ICU MessageFormat, by key, in one language.
import { IntlMessageFormat } from 'intl-messageformat';
import type { Locale } from '../generated/protocol';

export type Values = Record<string, string | number>;
export type Messages = Record<string, string>;

export class Catalogue {
  readonly #made = new Map<string, IntlMessageFormat>();

  constructor(
    readonly locale: Locale,
    readonly messages: Messages,
  ) {}

  has(key: string): boolean {
    return key in this.messages;
  }

  // A key without a message shows itself: better than an empty place, and the tests find it.
  say(key: string, values: Values = {}): string {
    const message = this.messages[key];
    if (message === undefined) return key;
    let made = this.#made.get(key);
    if (made === undefined) {
      made = new IntlMessageFormat(message, this.locale, undefined, { ignoreTag: true });
      this.#made.set(key, made);
    }
    try {
      return String(made.format(values));
    } catch {
      return message; // a value is missing: the bare message is still worth reading
    }
  }

  // What both know is said as `other` says it.
  with(other: Messages): Catalogue {
    return new Catalogue(this.locale, { ...this.messages, ...other });
  }
}

interface Nested {
  [key: string]: string | Nested;
}

// [home] title = "…"  →  home.title
export function flatten(nested: Nested, above = ''): Messages {
  const flat: Messages = {};
  for (const [key, value] of Object.entries(nested)) {
    if (typeof value === 'string') flat[above + key] = value;
    else Object.assign(flat, flatten(value, `${above}${key}.`));
  }
  return flat;
}
