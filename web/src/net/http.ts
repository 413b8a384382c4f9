// The requests of docs/protocol.md, "HTTP".
import type {
  AccountRequest, Games, Lobby, Locale, Me, MyTables, NewSeat, NewTable, OpenRecord, RegisterRequest, Replay, SeatRequest, Sheet,
  SignInRequest, StewardRequest, TableSummary, Texts, Verification,
} from '../generated/protocol';

// The server said no, or could not be reached (code "offline").
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}

async function ask<T>(path: string, body?: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  } catch {
    throw new Refused('offline', 'The server cannot be reached.');
  }
  const answer = (await response.json().catch(() => null)) as (T & { error?: { code: string; message: string } }) | null;
  if (response.ok && answer !== null) return answer;
  const error = answer?.error ?? { code: 'bad-answer', message: `The server answered ${response.status}.` };
  throw new Refused(error.code, error.message, Number(response.headers.get('Retry-After') ?? 0));
}

const table = (id: string) => `/api/tables/${encodeURIComponent(id)}`;

export const server = {
  me: () => ask<Me>('/api/me'),
  guest: (name: string, locale: Locale) => ask<Me>('/api/guest', { name, locale }),
  register: (request: RegisterRequest) => ask<Me>('/api/register', request),
  confirm: (token: string) => ask<Me>('/api/confirm', { token }),
  confirmAgain: () => ask<object>('/api/confirm/again', {}),
  signIn: (request: SignInRequest) => ask<Me>('/api/sign-in', request),
  signOut: () => ask<object>('/api/sign-out', {}),
  signOutEverywhere: () => ask<object>('/api/sign-out-everywhere', {}),
  forgot: (email: string) => ask<object>('/api/forgot', { email }),
  reset: (token: string, password: string) => ask<Me>('/api/reset', { token, password }),
  account: (request: AccountRequest) => ask<Me>('/api/account', request),
  deleteAccount: (password?: string) => ask<object>('/api/account/delete', password ? { password } : {}),

  games: () => ask<Games>('/api/games'),
  texts: (game: string, locale: Locale, tableId?: string) => ask<Texts>(`/api/text/${game}/${locale}${tableId ? `?table=${encodeURIComponent(tableId)}` : ''}`),
  scenarioTexts: (game: string, locale: Locale, scenario: string) => ask<Texts>(`/api/text/${game}/${locale}/${encodeURIComponent(scenario)}`),
  sheet: (id: string, key?: string) => ask<Sheet>(`${table(id)}/sheet${key ? `?key=${encodeURIComponent(key)}` : ''}`),
  sheetOf: (game: string, scenario: string) => ask<Sheet>(`/api/sheet/${game}/${encodeURIComponent(scenario)}`),

  lobby: () => ask<Lobby>('/api/lobby'),
  myTables: () => ask<MyTables>('/api/my-tables'),
  makeTable: (request: NewTable) => ask<TableSummary>('/api/tables', request),
  openRecord: (request: OpenRecord) => ask<TableSummary>('/api/tables/open', request),
  table: (id: string) => ask<TableSummary>(table(id)),
  join: (id: string, request: { seat?: string; key?: string; salt?: string }) => ask<TableSummary>(`${table(id)}/join`, request),
  leave: (id: string, seat?: string) => ask<TableSummary>(`${table(id)}/leave`, seat ? { seat } : {}),
  giveSeat: (id: string, request: SeatRequest) => ask<TableSummary>(`${table(id)}/seat`, request),
  steward: (id: string, request: StewardRequest) => ask<TableSummary>(`${table(id)}/steward`, request),
  rematch: (id: string) => ask<TableSummary>(`${table(id)}/rematch`, {}),
  branch: (id: string, step: number, seats?: NewSeat[]) => ask<TableSummary>(`${table(id)}/branch`, seats ? { step, seats } : { step }),
  close: (id: string) => ask<object>(`${table(id)}/close`, {}),
  replay: (id: string, viewer?: string) => ask<Replay>(`${table(id)}/replay${viewer ? `?viewer=${encodeURIComponent(viewer)}` : ''}`),
  verify: (id: string) => ask<Verification>(`${table(id)}/verify`),
  recordAddress: (id: string, viewer?: string) => `${table(id)}/record${viewer ? `?viewer=${encodeURIComponent(viewer)}` : ''}`,
};
