import { describe, expect, it } from 'vitest';
import type { TableSeat } from '../generated/protocol';
import { language } from '../text/language.svelte';
import { isOffered, joining, seatPerson } from './seats';

const seat = (id: string, more: Partial<TableSeat>): TableSeat => ({ seat: id, team: id, kind: 'person', mine: false, here: false, ...more });
const bob = seat('red', { name: 'Bob' });
const offered = (seats: TableSeat[], key?: string) => seats.filter((one) => isOffered(one, seats, key)).map((one) => joining(one, key));

describe('a seat is offered', () => {
  it('when it is free, to whoever has none', () => {
    const free = seat('blue', { kind: 'open' });
    expect(offered([bob, free])).toEqual([{ seat: 'blue' }]);
    expect(offered([{ ...bob, mine: true }, free])).toEqual([]);
  });
  it('when it is kept for the reader, without a key', () => {
    expect(offered([bob, seat('blue', { kind: 'invited', kept_for_me: true })])).toEqual([{ seat: 'blue' }]);
    expect(offered([bob, seat('blue', { kind: 'open', steward: 'sergeant', kept_for_me: true })])).toEqual([{ seat: 'blue' }]);
  });
  it('when it is an invitation, to whoever comes with its link', () => {
    const invited = seat('blue', { kind: 'invited' });
    expect(offered([bob, invited])).toEqual([]);
    expect(offered([bob, invited], 'k')).toEqual([{ key: 'k' }]);
    // The host sees the key of the seat she wants to give.
    expect(offered([bob, seat('blue', { kind: 'invited', invite_key: 'k' })], 'k')).toEqual([]);
  });
  it('on no other side to whoever has left one of a running game', () => {
    const left = seat('blue', { kind: 'open', steward: 'sergeant', kept_for_me: true });
    expect(offered([left, seat('red', { kind: 'open', steward: 'sergeant' })])).toEqual([{ seat: 'blue' }]);
    const stoodUp = seat('blue', { kind: 'open', kept_for_me: true });
    expect(offered([stoodUp, seat('red', { kind: 'open' })])).toEqual([{ seat: 'blue' }, { seat: 'red' }]);
  });
});

it('says who plays a seat, and that nobody does while the computer sits in', async () => {
  await language.use('en');
  expect(seatPerson(bob)).toBe('Bob');
  expect(seatPerson({ ...bob, steward: 'sergeant' })).toBe('Bob, for now the computer (sergeant)');
  expect(seatPerson(seat('blue', { kind: 'open', steward: 'sergeant' }))).toBe('free; for now the computer (sergeant)');
  expect(seatPerson(seat('blue', { kind: 'invited', kept_for_me: true }))).toBe('kept for you');
});
