import { expect, it, vi } from 'vitest';
import type { Snapshot, Update } from '../generated/protocol';
import type { Tidings } from '../net/line.svelte';
import { Sitting } from './sitting.svelte';

const heard = vi.hoisted(() => ({ listener: (_: unknown) => {} }));
vi.mock('../net/line.svelte', () => ({
  line: { open: false, listen: (listener: (tidings: unknown) => void) => ((heard.listener = listener), () => undefined), greet: () => () => undefined, compare: async () => undefined, connect: () => undefined, ask: async () => ({}), redial: () => undefined },
}));
vi.mock('../net/http', async (original) => ({ ...(await original<object>()), server: { sheet: () => Promise.reject(new Error('not needed')) } }));

const view = { game: 'g', seat: 'us', choosing: ['us'], actions: [], state: {}, result: null };
const snapshot = { type: 'snapshot', table: 't', viewer: 'us', version: 1, view, log: [], chat: [], orders: [], clocks: [], summary: { seats: [] } } as unknown as Snapshot;
const update = (version: number, event: string) => ({ type: 'update', table: 't', viewer: 'us', version, view: { ...view, state: { version } }, log: [{ event }] }) as unknown as Update;

it('draws once for all updates that come between two frames, and loses nothing of them', async () => {
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  const sitting = new Sitting('t');
  await sitting.open().catch(() => undefined);
  const say = (tidings: Tidings) => heard.listener(tidings);
  say(snapshot);
  const { number } = sitting.arrived;
  for (const [index, event] of ['a', 'b', 'c'].entries()) say(update(index + 2, event));
  expect(sitting.scene?.version).toBe(1);
  expect(frames.length).toBe(1);
  frames[0]!();
  expect(sitting.scene?.version).toBe(4);
  expect(sitting.view?.state).toEqual({ version: 4 });
  expect(sitting.scene?.log.map(({ event }) => event)).toEqual(['a', 'b', 'c']);
  expect(sitting.arrived).toEqual({ number: number + 1, events: [{ event: 'a' }, { event: 'b' }, { event: 'c' }] });

  // A snapshot for other eyes comes first: what was to be shown to the former is not.
  say(update(5, 'd'));
  say({ ...snapshot, viewer: 'spectator' } as Tidings);
  frames[1]!();
  expect(sitting.scene).toMatchObject({ viewer: 'spectator', version: 1, log: [] });
  vi.unstubAllGlobals();
});
