import type { TableSeat } from '../generated/protocol';
import { t } from '../text/language.svelte';

// Who plays a seat, in words.
export function seatPerson(seat: TableSeat): string {
  if (seat.steward) return t('seat.steward', { name: seat.name ?? '', level: t(`level.${seat.steward}`) });
  if (seat.kind === 'bot') return t('seat.bot', { level: t(`level.${seat.level ?? ''}`) });
  if (seat.kind === 'device') return t('seat.device');
  if (seat.kind === 'person') return seat.name ?? t('seat.someone');
  return t(`seat.${seat.kind}`);
}
