import { expect, it } from 'vitest';
import type { Action, Hint } from '../generated/protocol';
import { words } from '../test-sheet';
import { attempt, Choice, click } from './choice.svelte';

const [one, two, hq] = ['rifle-1', 'rifle-2', 'hq'].map((id) => ({ kind: 'unit', id })) as [Thing, Thing, Thing];
const right = { kind: 'front', id: 'right' };
type Thing = { kind: string; id: string };
const assault = (unit: string, front: string) => ({ do: 'assault', unit, front });

it('one click only picks', () => {
  const actions: Action[] = [{ do: 'recon', unit: 'rifle-1' }, assault('rifle-1', 'left')];
  expect(click(words, actions, [], one)).toEqual({ picks: [one], click: { is: 'picked' } });
});
it('unit and front together are an order', () => {
  const actions: Action[] = [assault('rifle-1', 'left'), assault('rifle-1', 'right'), assault('rifle-2', 'left')];
  expect(click(words, actions, [one], right).click).toEqual({ is: 'taken', action: assault('rifle-1', 'right') });
  expect(click(words, actions, [right], one).click).toEqual({ is: 'taken', action: assault('rifle-1', 'right') });
});
it('the same again takes the only action, or lets go', () => {
  const recon = { do: 'recon', unit: 'rifle-1' };
  expect(click(words, [recon], [one], one).click).toEqual({ is: 'taken', action: recon });
  expect(click(words, [recon, assault('rifle-1', 'left')], [one], one)).toEqual({ picks: [], click: { is: 'dropped' } });
});
it('a helper is a second pick', () => {
  const actions: Action[] = [{ do: 'rally', unit: 'rifle-1' }, { do: 'rally', unit: 'rifle-1', by: 'hq' }];
  expect(click(words, actions, [one], hq).click).toEqual({ is: 'taken', action: actions[1] });
});
it('another unit is picked instead', () => {
  const actions: Action[] = [assault('rifle-1', 'left'), assault('rifle-2', 'left')];
  expect(click(words, actions, [one], two)).toEqual({ picks: [two], click: { is: 'picked' } });
});
it('a target that the picked unit cannot have is refused, and the unit is kept', () => {
  const actions: Action[] = [assault('rifle-1', 'left'), assault('rifle-2', 'right')];
  expect(click(words, actions, [one], right)).toEqual({ picks: [one], click: { is: 'refused' } });
  expect(attempt(words, actions, [one], right)).toEqual(assault('rifle-1', 'right'));
  expect(click(words, actions, [right], one)).toEqual({ picks: [one], click: { is: 'picked' } });
});
it('what is in no action is refused, and the question why is about it', () => {
  const actions: Action[] = [assault('rifle-1', 'left')];
  expect(click(words, actions, [], hq).click.is).toBe('refused');
  expect(attempt(words, actions, [], hq)).toEqual(assault('hq', 'left'));
  expect(attempt(words, actions, [one], right)).toEqual(assault('rifle-1', 'right'));
  expect(attempt(words, [], [], one)).toEqual({ do: 'recon', unit: 'rifle-1' });
});
it('weighs the action that a click would take, and lets go of what is over', () => {
  let actions = $state.raw<Action[]>([assault('rifle-1', 'left'), assault('rifle-1', 'right')]);
  const taken: unknown[] = [];
  const choice = new Choice(() => words, () => actions, (action) => taken.push(action), () => undefined);
  choice.press('unit', 'rifle-1');
  expect(choice.lit('front', 'left') && choice.lit('front', 'right') && !choice.lit('unit', 'rifle-2')).toBe(true);
  choice.look('front', 'left');
  expect(choice.weighed).toEqual(actions[0]);
  expect(taken).toEqual([]);
  actions = [{ do: 'done' }];
  choice.settle();
  expect(choice.picks).toEqual([]);
});
it('suggests what the hint does or the choice of it that is looked at, as long as the hint holds', () => {
  const actions = [assault('rifle-1', 'left'), assault('rifle-2', 'right')] as [Action, Action];
  const considered = actions.map((action) => ({ action, share: 0.5, chance: 0.5, line: [], certain: 0 }));
  let hint = $state.raw<Hint | null>({ action: actions[0], considered });
  const choice = new Choice(() => words, () => actions, () => undefined, () => undefined, () => hint);
  const suggested = () => ['unit:rifle-1', 'front:left', 'unit:rifle-2', 'front:right'].filter((thing) => choice.suggested(...(thing.split(':') as [string, string])));
  expect(suggested()).toEqual(['unit:rifle-1', 'front:left']);
  choice.considered = actions[1];
  expect(suggested()).toEqual(['unit:rifle-2', 'front:right']);
  hint = null;
  expect([suggested(), choice.suggestion]).toEqual([[], null]);
  // What was looked at in an old hint says nothing about the next.
  hint = { action: { ...actions[0] }, considered: considered.map((one) => ({ ...one, action: { ...one.action } })) };
  expect(suggested()).toEqual(['unit:rifle-1', 'front:left']);
});
