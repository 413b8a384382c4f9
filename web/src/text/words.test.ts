import { expect, it } from 'vitest';
import { words } from '../test-sheet';
import { preferred } from './language.svelte';

it('says things with the number of the copy', () => {
  expect(words.thing('unit', 'rifle-2')).toBe('Rifle Squad 2');
  expect(words.thing('unit', 'hq')).toBe('HQ');
  expect(words.thing('unit', 'stranger')).toBe('stranger');
});
it('says an action by its fields, one without fields by its step', () => {
  expect(words.action({ do: 'rally', unit: 'rifle-1' }, 'rally')).toBe('Rally Rifle Squad 1');
  expect(words.action({ do: 'rally', unit: 'rifle-1', by: 'hq' }, 'rally')).toBe('Rally Rifle Squad 1, helped by HQ');
  expect(words.action({ do: 'done' }, 'recon')).toBe('End recon');
  expect(words.action({ do: 'done' }, 'elsewhere')).toBe('Done');
});
it('says an event with ids and numbers', () => expect(words.event({ event: 'fire-roll', unit: 'rifle-1', die: 5 })).toBe('Rifle Squad 1 (rifle-1) fired: 5'));
it('names only things, not numbers', () => expect(words.things({ do: 'repair', unit: 'hq', points: 2 })).toEqual([{ name: 'unit', kind: 'unit', id: 'hq' }]));
it('speaks the language that was chosen, else the first that the browser asks for', () => {
  expect(preferred('ja', ['de-DE'])).toBe('ja');
  expect(preferred(null, ['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(preferred(null, ['fr'])).toBe('en');
});
