// The part of a Company Commander view that the board reads.
import type { CompanyCommanderSheet, Sheet, View } from '../../generated/protocol';

export interface UnitState {
  at: string;
  pins?: number;
  casualties?: number;
  dice?: number;
  marks?: string[];
}

export interface CommanderState {
  round: number;
  step: string;
  active: string;
  kills: Record<string, number>;
  units: Record<string, UnitState>;
  hands: Record<string, number>;
  hand: string[];
  hand_seen: string[];
  enemy_hand_known: string[];
  deck: number;
  discard: string[];
  fogged: string[];
  fire_direction: Record<string, number>;
  unit: string | null;
  barrage: { shooter: string | null; card: string | null; front: string | null; rolls_left: number; result: string };
  combat: {
    front: string | null;
    against: Record<string, string>;
    to_resolve: string[];
    volley: Record<string, { dice: number; modifier: number }>;
    mines: number;
    simultaneous: boolean;
  };
}

export const stateOf = (view: View) => view.state as unknown as CommanderState;
export const sheetOf = (sheet: Sheet) => sheet as CompanyCommanderSheet;

// Who is drawn below: the viewer, or the first company for a spectator.
export function ownSeat(view: View, sheet: CompanyCommanderSheet): string {
  const ids = sheet.seats.map((seat) => seat.id);
  return ids.includes(view.seat) ? view.seat : (ids[0] ?? '');
}
export function sideNumber(seat: string, sheet: CompanyCommanderSheet): number {
  return sheet.seats.findIndex((other) => other.id === seat) + 1;
}

export function unitsAt(state: CommanderState, sheet: CompanyCommanderSheet, seat: string, at: string): string[] {
  return Object.keys(state.units).filter((id) => state.units[id]?.at === at && sheet.units[id]?.seat === seat);
}

const phaseOfStep: Record<string, string> = {
  deploy: 'deployment', 'move-reaction': 'deployment', 'deploy-window': 'deployment',
  tactics: 'tactics', 'tactics-window': 'tactics', discard: 'tactics',
  recon: 'recon', 'spotted-reaction': 'recon', 'recon-reward': 'recon',
  'suppression-window': 'suppression', suppression: 'suppression', 'fog-reaction': 'suppression', 'roll-reaction': 'suppression',
  declare: 'assault', block: 'assault', 'combat-order': 'assault', 'combat-cards': 'assault', 'defenders-fire': 'assault', 'attackers-fire': 'assault',
  rally: 'rally', 'shaken-reaction': 'rally', 'extra-rally': 'rally', 'end-discard': 'rally',
};
export const phases = ['deployment', 'tactics', 'recon', 'suppression', 'assault', 'rally'];
export const phaseOf = (step: string) => phaseOfStep[step] ?? '';

// Marks of a unit's state, and the key of their name.
export const markNames: Record<string, string> = {
  fresh: 'view.fresh', moved: 'view.moved', halted: 'view.halted', 'on-mission': 'view.on-mission', suppressed: 'view.suppressed',
  assaulted: 'view.assaulting', green: 'view.green', 'barred-assault': 'view.barred', 'may-assault': 'view.may-attack',
  'may-suppress': 'view.may-attack', 'rolled-rally': 'view.rolled-rally', 'helped-rally': 'view.helped-rally',
  'out-of-ammo': 'view.out-of-ammo', 'broken-down': 'view.broken-down',
};
