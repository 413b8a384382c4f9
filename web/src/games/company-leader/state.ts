// The part of a Company Leader view that the board reads.
import type { CompanyLeaderSheet, Sheet, View } from '../../generated/protocol';

export interface PieceState {
  owner: string;
  piece: string; // "unknown" when the viewer cannot tell
  revealed?: boolean;
  facing?: string;
  strength?: number;
  known?: boolean; // not revealed, but everybody knows what it is
  origin?: number;
  marks?: string[];
  sees?: string[];
  hits?: string[];
}

export interface LeaderState {
  round: number;
  step: string;
  active: string;
  fields: Record<string, PieceState>;
  coins: Record<string, number>;
  sides: Record<string, { seats: string[]; urban: number; income: number }>;
  in_enemy_view?: string[];
  hand?: Record<string, number>;
  purse?: number;
  purchase?: { bought: Record<string, number>; spent: number };
  acting: { field: string | null; target: string | null };
  objectives: Record<string, { at: string | null; carried: boolean }>;
  remembered: Record<string, Record<string, { troop_chance?: number; exact?: boolean }>>;
}

export const stateOf = (view: View) => view.state as unknown as LeaderState;
export const sheetOf = (sheet: Sheet) => sheet as CompanyLeaderSheet;

// The chance that a hidden piece is a troop, as the server has worked it out.
export function troopChance(state: LeaderState, piece: PieceState): number | undefined {
  if (piece.piece !== 'unknown') return undefined;
  return state.remembered[piece.owner]?.[String(piece.origin ?? 0)]?.troop_chance;
}
