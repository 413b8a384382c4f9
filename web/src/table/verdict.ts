import type { Result } from '../generated/protocol';
import type { Words } from '../text/words';

// Who won and why, in one sentence.
export function verdict(words: Words, result: Result): string {
  const winners = Object.entries(result.scores).filter(([, score]) => score > 0).map(([seat]) => words.seat(seat));
  const reason = words.say(`reason.${result.reason}`);
  return winners.length ? words.say('play.winner', { seat: winners.join(', '), reason }) : words.say('play.draw', { reason });
}
