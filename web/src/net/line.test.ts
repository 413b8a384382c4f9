import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Line } from './line.svelte';

class FakeSocket {
  static all: FakeSocket[] = [];
  sent: { id: string; type: string }[] = [];
  onopen: () => void = () => undefined;
  onclose: () => void = () => undefined;
  onmessage: (message: { data: string }) => void = () => undefined;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.onclose();
  }
  say(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('sends what was not answered once more, with the same id, after whoever watches has watched again', async () => {
  const line = new Line(() => 'ws://table');
  const order: string[] = [];
  line.greet(() => void line.ask({ type: 'watch', table: 't' }));
  line.connect();
  const first = FakeSocket.all[0]!;
  first.onopen();
  const answered = line.ask({ type: 'act', table: 't', seat: 'us', action: { do: 'done' } }).then(() => order.push('answered'));
  const before = first.sent.find(({ type }) => type === 'act')!;
  first.close();
  expect(line.broken).toBe(true);
  await vi.advanceTimersByTimeAsync(500);
  const second = FakeSocket.all[1]!;
  second.onopen();
  expect(line.broken).toBe(false);
  expect(second.sent[0]!.type).toBe('watch');
  expect(second.sent.filter(({ type }) => type === 'act')).toEqual([before]);
  second.say({ type: 'answer', id: before.id, ok: true });
  await answered;
  expect(order).toEqual(['answered']);
});
it('tells why an action was refused', async () => {
  const line = new Line(() => 'ws://table');
  line.connect();
  const socket = FakeSocket.all[0]!;
  socket.onopen();
  const asked = line.ask({ type: 'act', table: 't', seat: 'us', action: { do: 'done' } });
  socket.say({ type: 'answer', id: socket.sent[0]!.id, ok: false, error: { code: 'illegal', message: 'No.', why: 'unit-pinned' } });
  await expect(asked).rejects.toMatchObject({ code: 'illegal:unit-pinned' });
});
it('closes a line that does not answer', async () => {
  const line = new Line(() => 'ws://table');
  line.connect();
  FakeSocket.all[0]!.onopen();
  await vi.advanceTimersByTimeAsync(31000);
  expect(FakeSocket.all.length).toBe(2);
});

it('knows how far the server’s clock is ahead', async () => {
  vi.setSystemTime(1_000_000);
  const line = new Line(() => 'ws://table');
  line.connect();
  const socket = FakeSocket.all[0]!;
  socket.onopen();
  const compared = line.compare();
  vi.setSystemTime(1_000_400);
  socket.say({ type: 'answer', id: socket.sent[0]!.id, ok: true, time: 1_300_200 });
  await compared;
  expect(line.ahead).toBe(300_000);
});
