// Several seats at one device: who looks now, who must be handed the device, and what each has seen.
import type { Event } from '../generated/protocol';
import type { Sitting } from './sitting.svelte';

export class HotSeat {
  // The seat whose player has said that she is there.
  ready = $state<string | null>(null);
  // What a player missed since she last looked, and from which line of her log on; shown when she takes over.
  missed = $state.raw<Event[]>([]);
  missedFrom = $state(0);
  #seen = new Map<string, number>();

  constructor(private readonly sitting: Sitting) {}

  get shared(): boolean {
    return this.sitting.mySeats.length > 1;
  }
  // Who is to be handed the device now; null while whoever looks may go on looking.
  get next(): string | null {
    const view = this.sitting.view;
    if (!this.shared || !view || view.result) return null;
    if (this.ready === view.seat && view.choosing.includes(view.seat)) return null;
    // A seat that the computer plays for now asks nobody at the device.
    const asked = view.choosing.find((seat) => this.sitting.playedHere.includes(seat));
    if (asked) return asked;
    return this.ready === view.seat ? null : view.seat;
  }

  // Remembers how far the one who looks has read.
  settle(): void {
    const { view, scene } = this.sitting;
    if (view && scene && this.ready === view.seat && !this.next) this.#seen.set(view.seat, scene.log.length);
  }

  async take(seat: string): Promise<void> {
    if (this.sitting.view?.seat !== seat) await this.sitting.look(seat);
    const log = this.sitting.scene?.log ?? [];
    this.missedFrom = Math.min(this.#seen.get(seat) ?? 0, log.length);
    this.missed = log.slice(this.missedFrom);
    this.ready = seat;
  }
}
