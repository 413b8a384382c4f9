// How a game's actions, events and things are said: the sheet tells what a field is, the catalogue what it is called.
import type { Action, Event, Sheet } from '../generated/protocol';
import type { Catalogue, Values } from './catalogue';
import { language } from './language.svelte';

export interface Thing {
  kind: string;
  id: string;
}
export interface NamedThing extends Thing {
  name: string;
}

export const same = (a: Thing, b: Thing) => a.kind === b.kind && a.id === b.id;

export class Words {
  constructor(
    readonly catalogue: Catalogue,
    readonly sheet: Sheet,
  ) {}

  say(key: string, values?: Values): string {
    return this.catalogue.say(key, values);
  }
  has(key: string): boolean {
    return this.catalogue.has(key);
  }
  // The first of the keys that has a message.
  first(keys: string[], values?: Values): string {
    return this.say(keys.find((key) => this.has(key)) ?? keys[keys.length - 1] ?? '', values);
  }

  thing(kind: string, id: string): string {
    const label = this.sheet.things[kind]?.[id];
    if (label === undefined || !this.has(label.text)) return this.has(`${kind}.${id}`) ? this.say(`${kind}.${id}`) : id;
    const name = this.say(label.text);
    return label.copy === 0 ? name : this.say('label.copy', { name, number: label.copy });
  }
  seat(id: string): string {
    return this.has(`seat.${id}`) ? this.say(`seat.${id}`) : id;
  }

  // The things an action names, in the order of its phrase.
  things(action: Action): NamedThing[] {
    return this.#fields(this.sheet.verbs[action.do] ?? [], action)
      .filter((field) => field.kind !== 'number')
      .map((field) => ({ name: field.name, kind: field.kind, id: String(action[field.name]) }));
  }

  action(action: Action, step: string): string {
    const fields = this.#fields(this.sheet.verbs[action.do] ?? [], action);
    const names = fields.map((field) => field.name);
    const keys = names.length === 0 ? [`action-${action.do}.${step}`] : [`action.${action.do}-${names.join('-')}`];
    return this.first([...keys, `action.${action.do}`], this.#values(fields, action));
  }
  event(event: Event): string {
    return this.say(`event.${event.event}`, this.#values(this.#fields(this.sheet.events[event.event] ?? [], event), event));
  }
  // A question that speaks of typed commands is asked otherwise here.
  prompt(step: string): string {
    const own = `ask.${this.sheet.game}.${step}`;
    return language.words.has(own) ? language.words.say(own) : this.say(`prompt.${step}`);
  }
  refusal(why: string): string {
    return this.say(`refusal.${why}`);
  }

  #fields(phrases: { name: string; kind: string }[][], said: Record<string, unknown>) {
    const given = Object.keys(said).length - 1;
    return phrases.find((fields) => fields.length === given && fields.every((field) => field.name in said)) ?? phrases.find((fields) => fields.every((field) => field.name in said)) ?? [];
  }
  #values(fields: { name: string; kind: string }[], said: Record<string, unknown>): Values {
    const values: Values = {};
    for (const { name, kind } of fields) {
      const value = said[name] as string | number;
      values[`${name}_id`] = value;
      values[name] = kind === 'number' ? value : this.thing(kind, String(value));
    }
    return values;
  }
}
