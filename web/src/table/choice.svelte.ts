// Picking an action by pointing at things. Which actions there are, the server says; here they are only narrowed down.
import type { Action, Hint } from '../generated/protocol';
import { same, type Thing, type Words } from '../text/words';

// What a click would do: nothing there is to be done with it, pick it, let go, or take the action.
export type Click = { is: 'refused' } | { is: 'picked' } | { is: 'dropped' } | { is: 'taken'; action: Action };

// The server lists and advises the same action in the same way.
export const alike = (a: Action | null, b: Action | null) => JSON.stringify(a) === JSON.stringify(b);

export const names = (words: Words, action: Action, thing: Thing) => words.things(action).some((named) => same(named, thing));

export function narrowed(words: Words, actions: Action[], picks: Thing[]): Action[] {
  return actions.filter((action) => picks.every((pick) => names(words, action, pick)));
}
// Actions that name nothing but what is picked.
export function complete(words: Words, actions: Action[], picks: Thing[]): Action[] {
  return narrowed(words, actions, picks).filter((action) => {
    const things = words.things(action);
    return things.length > 0 && things.every((thing) => picks.some((pick) => same(pick, thing)));
  });
}

// Whether a thing would be the target of what is picked: something of its kind comes after the picks in one of their actions.
function isTarget(words: Words, actions: Action[], picks: Thing[], thing: Thing): boolean {
  if (picks.length === 0 || picks.some(({ kind }) => kind === thing.kind)) return false;
  return narrowed(words, actions, picks).some((action) => words.things(action).slice(picks.length).some(({ kind }) => kind === thing.kind));
}

// One pick only shows what could be done; a second thing, or the same again, does it.
export function click(words: Words, actions: Action[], picks: Thing[], thing: Thing): { picks: Thing[]; click: Click } {
  if (picks.some((pick) => same(pick, thing))) {
    const [only, another] = narrowed(words, actions, picks);
    if (only && !another) return { picks: [], click: { is: 'taken', action: only } };
    return { picks: picks.filter((pick) => !same(pick, thing)), click: { is: 'dropped' } };
  }
  const further = [...picks, thing];
  const left = narrowed(words, actions, further);
  if (picks.length > 0 && left.length > 0) {
    const ready = left.length === 1 ? left : complete(words, actions, further);
    if (ready.length === 1 && ready[0]) return { picks: [], click: { is: 'taken', action: ready[0] } };
    return { picks: further, click: { is: 'picked' } };
  }
  if (!isTarget(words, actions, picks, thing) && narrowed(words, actions, [thing]).length > 0) return { picks: [thing], click: { is: 'picked' } };
  return { picks, click: { is: 'refused' } };
}

// An action as it would be with this thing in it, to ask why it is not allowed. Other fields are as in a legal one.
export function attempt(words: Words, actions: Action[], picks: Thing[], thing: Thing): Action | null {
  for (const pool of [narrowed(words, actions, picks), actions]) {
    for (const action of pool) {
      const like = words.things(action).filter((named) => named.kind === thing.kind && !picks.some((pick) => same(pick, named)));
      const field = like[like.length - 1];
      if (field) return { ...action, [field.name]: thing.id };
    }
  }
  const verb = Object.entries(words.sheet.verbs).find(([, phrases]) => phrases.some((fields) => fields.length === 1 && fields[0]?.kind === thing.kind));
  const name = verb?.[1].find((fields) => fields.length === 1)?.[0]?.name;
  return verb && name ? { do: verb[0], [name]: thing.id } : null;
}

export class Choice {
  picks = $state.raw<Thing[]>([]);
  // Pointed at by mouse or focus.
  looked = $state.raw<Thing | null>(null);
  // An action that is being looked at, for its odds.
  weighed = $state.raw<Action | null>(null);
  // One of the hint's choices that is being looked at instead of its first.
  considered = $state.raw<Action | null>(null);

  constructor(
    private readonly words: () => Words | null,
    private readonly actions: () => Action[],
    private readonly take: (action: Action) => void,
    private readonly refuse: (attempted: Action | null, thing: Thing) => void,
    // The hint that is shown and still holds.
    private readonly hint: () => Hint | null = () => null,
  ) {}

  // Every field of a board asks whether it is lit, so what is lit is gathered once for all of them.
  #list = $derived.by(() => {
    const words = this.words();
    return words ? narrowed(words, this.actions(), this.picks) : [];
  });
  #lit = $derived.by(() => this.#named(this.#list));
  #open = $derived.by(() => this.#named(this.actions()));
  #suggestion = $derived.by(() => {
    const hint = this.hint();
    const looked = hint?.considered.find(({ action }) => action === this.considered)?.action;
    return hint && (looked && !alike(looked, hint.action) ? looked : hint.action);
  });
  #suggested = $derived.by(() => this.#named(this.#suggestion ? [this.#suggestion] : []));

  #named(actions: Action[]): Set<string> {
    const words = this.words();
    return new Set(words ? actions.flatMap((action) => words.things(action).map(({ kind, id }) => `${kind}:${id}`)) : []);
  }

  get list(): Action[] {
    return this.#list;
  }
  lit(kind: string, id: string): boolean {
    return this.#lit.has(`${kind}:${id}`);
  }
  // It could be picked instead of what is picked now.
  open(kind: string, id: string): boolean {
    return this.#open.has(`${kind}:${id}`);
  }
  // What the computer would do, or the other choice of its hint that is being looked at: a board rings what it names.
  get suggestion(): Action | null {
    return this.#suggestion;
  }
  // The first of them, whatever is looked at.
  get advice(): Action | null {
    return this.hint()?.action ?? null;
  }
  // What a ring says to whoever does not see it.
  get ring(): 'table.suggested' | 'table.looked-at' {
    return this.#suggestion === this.advice ? 'table.suggested' : 'table.looked-at';
  }
  suggested(kind: string, id: string): boolean {
    return this.#suggested.has(`${kind}:${id}`);
  }
  picked(kind: string, id: string): boolean {
    return this.picks.some((pick) => same(pick, { kind, id }));
  }
  press(kind: string, id: string): void {
    const words = this.words();
    if (!words) return;
    const thing = { kind, id };
    const { picks, click: outcome } = click(words, this.actions(), this.picks, thing);
    if (outcome.is === 'refused') {
      this.refuse(attempt(words, this.actions(), this.picks, thing), thing);
      return;
    }
    this.picks = picks;
    if (outcome.is === 'taken') this.take(outcome.action);
  }
  look(kind: string, id: string): void {
    this.looked = { kind, id };
    const words = this.words();
    if (!words || this.picks.length === 0) return;
    const { click: outcome } = click(words, this.actions(), this.picks, this.looked);
    this.weighed = outcome.is === 'taken' ? outcome.action : null;
  }
  away(): void {
    this.looked = null;
    this.weighed = null;
  }
  drop(): void {
    this.picks = [];
    this.weighed = null;
  }
  // After the table has moved on, what cannot be picked any more is let go.
  settle(): void {
    if (this.picks.length > 0 && this.list.length === 0) this.drop();
  }
}
