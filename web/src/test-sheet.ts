// A small game for the tests of what is common to all games.
import type { Sheet } from './generated/protocol';
import { Catalogue } from './text/catalogue';
import { Words } from './text/words';

const unit = { name: 'unit', kind: 'unit' };
const front = { name: 'front', kind: 'front' };

export const sheet = {
  game: 'company-commander',
  scenario: 'test',
  options: {},
  seats: [{ id: 'us', team: 'us' }, { id: 'german', team: 'german' }],
  verbs: { done: [[]], pass: [[]], recon: [[unit]], assault: [[unit, front]], rally: [[unit], [unit, { name: 'by', kind: 'unit' }]], repair: [[unit, { name: 'points', kind: 'number' }]] },
  events: { pinned: [[unit]], 'fire-roll': [[unit, { name: 'die', kind: 'number' }]] },
  things: {
    unit: { 'rifle-1': { text: 'unit.rifle', copy: 1 }, 'rifle-2': { text: 'unit.rifle', copy: 2 }, hq: { text: 'unit.hq', copy: 0 } },
    front: { left: { text: 'front.left', copy: 0 }, right: { text: 'front.right', copy: 0 } },
  },
  figures: {},
  fronts: ['left', 'right'],
  units: {},
  cards: {},
} as unknown as Sheet;

export const words = new Words(
  new Catalogue('en', {
    'label.copy': '{name} {number}', 'unit.rifle': 'Rifle Squad', 'unit.hq': 'HQ', 'front.left': 'left', 'front.right': 'right', 'action.recon': 'Send {unit}',
    'action.assault': 'Assault the {front} with {unit}', 'action.rally': 'Rally {unit}', 'action.rally-unit-by': 'Rally {unit}, helped by {by}', 'action.done': 'Done', 'action-done.recon': 'End recon',
    'event.pinned': '{unit} was pinned.', 'event.fire-roll': '{unit} ({unit_id}) fired: {die}', 'action.repair': 'Repair {unit} by {points}',
  }),
  sheet,
);
