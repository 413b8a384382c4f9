import type { TableSeat } from '../generated/protocol';
import { server } from '../net/http';
import { t } from '../text/language.svelte';

// Who plays a seat, in words.
export function seatPerson(seat: TableSeat): string {
  if (seat.steward) {
    const level = t(`level.${seat.steward}`);
    if (isInvitation(seat)) return t('seat.steward-kept', { level });
    if (seat.kind === 'open' || seat.kind === 'invited') return t(`seat.steward-${seat.kind}`, { level });
    return t('seat.steward', { name: seat.name ?? t('seat.someone'), level });
  }
  if (isInvitation(seat)) return t('seat.kept');
  if (seat.kind === 'bot') return t('seat.bot', { level: t(`level.${seat.level ?? ''}`) });
  if (seat.kind === 'device') return t('seat.device');
  if (seat.kind === 'person') return seat.name ?? t('seat.someone');
  return t(`seat.${seat.kind}`);
}

// Kept for the reader because somebody wants to play with her, not because she left it.
export const isInvitation = (seat: TableSeat) => seat.kind === 'invited' && seat.kept_for_me === true;

// Whether the reader can sit down there: it is kept for her, she has come with its link, or it is free and she has neither a seat
// nor left one of the running game (of whose secrets she knows).
export function isOffered(seat: TableSeat, seats: TableSeat[], key?: string): boolean {
  if (seat.kept_for_me) return true;
  if (seats.some((other) => other.mine || (other.kept_for_me && other.steward))) return false;
  return seat.kind === 'open' || (seat.kind === 'invited' && key !== undefined && seat.invite_key === undefined);
}
// What to send to sit down there.
export const joining = (seat: TableSeat, key?: string) => (seat.kind === 'invited' && !seat.kept_for_me ? { key } : { seat: seat.seat });

// Sits down on the seat that a table keeps for the reader, if it does.
export async function takeKeptSeat(table: string): Promise<void> {
  const kept = (await server.table(table)).seats.find((seat) => seat.kept_for_me);
  if (kept) await server.join(table, joining(kept));
}
