// All that a viewer saw, moment by moment: the first scene whole, then patches. Scenes are made when they are looked at.
import { applyPatch, type Operation } from 'fast-json-patch';
import type { Event, Replay, Scene } from '../generated/protocol';

const stride = 64;

export class Film {
  readonly log: Event[] = [];
  // Which moment a line of the log belongs to, and how long the log is at each moment.
  readonly momentOf: number[] = [];
  readonly logAt: number[] = [];
  #kept = new Map<number, Scene>();
  #last = { at: 0, scene: null as Scene | null };

  constructor(readonly replay: Replay) {
    replay.frames.forEach((frame, moment) => {
      for (const event of frame.events ?? []) {
        this.log.push(event);
        this.momentOf.push(moment);
      }
      this.logAt.push(this.log.length);
    });
  }
  get length(): number {
    return this.replay.frames.length;
  }

  scene(at: number): Scene {
    let [from, scene] = this.#last.scene && this.#last.at <= at ? [this.#last.at, this.#last.scene] : this.#nearest(at);
    while (from < at) {
      from += 1;
      const frame = this.replay.frames[from];
      if (frame?.view) scene = frame.view as Scene;
      else if (frame?.patch) scene = applyPatch(scene, frame.patch as Operation[], false, false).newDocument;
      if (from % stride === 0) this.#kept.set(from, scene);
    }
    this.#last = { at, scene };
    return scene;
  }
  #nearest(at: number): [number, Scene] {
    for (let key = at - (at % stride); key > 0; key -= stride) {
      const scene = this.#kept.get(key);
      if (scene) return [key, scene];
    }
    const first = this.replay.frames[0]?.view;
    if (!first) throw new Error('the replay has no first scene');
    return [0, first as Scene];
  }
}
