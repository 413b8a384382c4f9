// One table being watched: follows the server, asks it things, tells it what we do.
import type { Action, Event, Hint, Sheet, StandingOrder } from '../generated/protocol';
import { Refused, server } from '../net/http';
import { line, type Tidings } from '../net/line.svelte';
import { session } from '../session.svelte';
import { Words } from '../text/words';
import { followed, opened, type Scene } from './scene';

// A page that nobody sees has no frames.
const nextFrame = (then: () => void) => (document.visibilityState === 'visible' ? requestAnimationFrame(then) : setTimeout(then));

export class Sitting {
  scene = $state.raw<Scene | null>(null);
  sheet = $state.raw<Sheet | null>(null);
  words = $state.raw<Words | null>(null);
  gone = $state<string | null>(null);
  // Events that came with the last update, for dice and sounds; the number tells one arrival from the next.
  arrived = $state.raw<{ number: number; events: Event[] }>({ number: 0, events: [] });
  // An action is on its way.
  busy = $state(false);

  readonly begun = $derived(this.scene?.view != null);

  #viewer: string | undefined;
  // What has come since the last frame: shown together with the next, because computers can play faster than a board is drawn.
  #coming: { scene: Scene; events: Event[] } | null = null;
  #leave: (() => void)[] = [];
  #odds = new Map<string, Promise<unknown>>();

  constructor(
    readonly table: string,
    readonly key?: string,
  ) {}

  get view() {
    return this.scene?.view ?? null;
  }
  get step(): string {
    return String(this.view?.state.step ?? '');
  }
  get mySeats(): string[] {
    return this.scene?.summary.seats.filter((seat) => seat.mine).map((seat) => seat.seat) ?? [];
  }

  // Those of them that no computer plays for now.
  get playedHere(): string[] {
    return this.scene?.summary.seats.filter((seat) => seat.mine && !seat.steward).map((seat) => seat.seat) ?? [];
  }

  async open(): Promise<void> {
    this.#leave.push(line.listen((tidings) => this.#hear(tidings)));
    this.#leave.push(line.greet(() => void this.watch(this.#viewer)));
    void line.compare().catch(() => undefined);
    line.connect();
    this.sheet = await server.sheet(this.table, this.key);
    await this.translate();
  }
  async translate(): Promise<void> {
    const sheet = this.sheet;
    if (!sheet) return;
    // A table has words of its own when its game has begun, and only for those who may watch it; its scenario's are for all.
    const general = () => session.scenarioTexts(sheet.game, sheet.scenario);
    this.words = new Words(await (this.begun ? session.texts(sheet.game, this.table).catch(general) : general()), sheet);
  }
  close(): void {
    for (const leave of this.#leave) leave();
    this.#leave = [];
    this.#coming = null;
    if (line.open) void line.ask({ type: 'unwatch', table: this.table }).catch(() => undefined);
  }

  async watch(viewer?: string): Promise<void> {
    this.#viewer = viewer;
    try {
      await line.ask({ type: 'watch', table: this.table, viewer, key: this.key });
    } catch (problem) {
      if (problem instanceof Refused) this.gone = problem.code;
    }
  }
  // Until the other viewer's snapshot is there nothing is shown: a hand-over must not flash the last hand.
  async look(viewer: string): Promise<void> {
    this.#coming = null;
    this.scene = null;
    await this.watch(viewer);
  }

  async act(action: Action, seat = this.view?.seat ?? ''): Promise<void> {
    this.busy = true;
    try {
      await line.ask({ type: 'act', table: this.table, seat, action });
    } finally {
      this.busy = false;
    }
  }
  async undo(): Promise<boolean> {
    return (await line.ask({ type: 'undo', table: this.table, seat: this.view?.seat ?? '' })).asked ?? false;
  }
  async answerUndo(agree: boolean): Promise<void> {
    await line.ask({ type: 'undo-answer', table: this.table, seat: this.view?.seat ?? '', agree });
  }
  async whyNot(action: Action): Promise<string | null> {
    return (await line.ask({ type: 'why-not', table: this.table, seat: this.view?.seat ?? '', action })).why ?? null;
  }
  // The same question at the same moment is asked once.
  odds(action: Action): Promise<unknown> {
    const key = JSON.stringify(action);
    let found = this.#odds.get(key);
    if (!found) {
      found = line.ask({ type: 'odds', table: this.table, seat: this.view?.seat ?? '', action }).then((answer) => answer.odds ?? null);
      this.#odds.set(key, found);
    }
    return found;
  }
  async hint(level?: string): Promise<Hint | null> {
    return (await line.ask({ type: 'hint', table: this.table, seat: this.view?.seat ?? '', level })).hint ?? null;
  }
  async chat(text: string, to: 'table' | 'team'): Promise<void> {
    await line.ask({ type: 'chat', table: this.table, text, to, seat: this.mySeats.includes(this.view?.seat ?? '') ? this.view?.seat : undefined });
  }
  async order(orders: StandingOrder[], seat = this.view?.seat ?? ''): Promise<void> {
    await line.ask({ type: 'orders', table: this.table, seat, orders });
  }

  #hear(tidings: Tidings): void {
    if (tidings.type === 'notice' || tidings.table !== this.table) return;
    if (tidings.type === 'gone') {
      this.gone = tidings.reason;
    } else if (tidings.type === 'snapshot') {
      this.#odds.clear();
      // Who only watches, because the game has not begun, asks again for a seat of her own.
      this.#viewer = tidings.viewer === 'spectator' ? undefined : tidings.viewer;
      this.#coming = null;
      this.scene = opened(tidings);
      // What came for other eyes is not for these.
      this.arrived = { number: this.arrived.number + 1, events: [] };
    } else if (this.scene) {
      const next = followed(this.#coming?.scene ?? this.scene, tidings);
      if (!next) {
        // Something was missed, or the game has begun and the server looks through our seat's eyes now.
        void this.watch(tidings.viewer === 'spectator' ? undefined : tidings.viewer);
        return;
      }
      if (tidings.view) this.#odds.clear();
      if (!this.#coming) nextFrame(() => this.#show());
      this.#coming = { scene: next, events: [...(this.#coming?.events ?? []), ...(tidings.log ?? [])] };
    }
  }
  #show(): void {
    if (!this.#coming) return;
    const { scene, events } = this.#coming;
    this.#coming = null;
    this.scene = scene;
    if (events.length) this.arrived = { number: this.arrived.number + 1, events };
  }
}
