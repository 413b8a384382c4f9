import type { Clock } from '../generated/protocol';

// A running clock counts from when the server read it; the bank is used when the time is out.
export function remaining(clock: Clock, now: number): number {
  const gone = clock.running ? Math.max(0, now - clock.as_of) : 0;
  return Math.max(0, clock.left_ms + clock.bank_ms - gone);
}

// `withDays` says days and the time of day in the reader's language.
export function spoken(ms: number, withDays: (days: number, time: string) => string): string {
  const seconds = Math.ceil(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return withDays(days, `${two(hours)}:${two(minutes)}`);
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}
