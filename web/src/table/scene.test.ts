import { expect, it } from 'vitest';
import type { Snapshot, Update } from '../generated/protocol';
import { remaining, spoken } from './clock';
import { followed, opened } from './scene';

const event = (name: string) => ({ event: name });
const snapshot = { type: 'snapshot', table: 't', viewer: 'us', version: 4, log: [event('a'), event('b')], chat: [], may_undo: false, forced_in_ms: 500 } as unknown as Snapshot;
const update = (more: object) => ({ type: 'update', table: 't', viewer: 'us', version: 5, ...more }) as Update;

it('appends to the log', () => expect(followed(opened(snapshot), update({ log: [event('c')] }))?.log.map(({ event }) => event)).toEqual(['a', 'b', 'c']));
it('cuts the log when something was taken back', () => expect(followed(opened(snapshot), update({ log_from: 1, log: [] }))?.log).toEqual([event('a')]));
it('keeps what did not change and takes what did', () => {
  const next = followed(opened(snapshot), update({ may_undo: true }));
  expect(next).toMatchObject({ may_undo: true, version: 5, log: snapshot.log });
  expect(next?.forced_in_ms).toBeUndefined();
});
it('finds a gap', () => {
  expect(followed(opened(snapshot), update({ version: 6 }))).toBeNull();
  expect(followed(opened(snapshot), update({ viewer: 'german' }))).toBeNull();
  expect(followed(opened(snapshot), update({ log_from: 9 }))).toBeNull();
});
it('counts a running clock down, and its bank after it', () => {
  const clock = { seat: 'us', left_ms: 60000, bank_ms: 5000, running: true, as_of: 1000 };
  expect(remaining(clock, 11000)).toBe(55000);
  expect(remaining({ ...clock, running: false }, 11000)).toBe(65000);
  expect(remaining(clock, 100000)).toBe(0);
  const said = (ms: number) => spoken(ms, (days, time) => `${days} days ${time}`);
  expect([said(59500), said(3661000), said(90061000)]).toEqual(['1:00', '1:01:01', '1 days 01:01']);
});
