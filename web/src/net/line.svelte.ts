// The one WebSocket. What was asked and not answered is sent again, as it was, after a broken line.
import type { Answer, ClientMessage, ServerMessage } from '../generated/protocol';
import { Refused } from './http';

type Unnumbered<M> = M extends { id: string } ? Omit<M, 'id'> : never;
export type Request = Unnumbered<ClientMessage>;
export type Tidings = Exclude<ServerMessage, Answer>;

interface Waiting {
  text: string;
  resolve: (answer: Answer) => void;
  reject: (reason: Refused) => void;
}

const newId = () => (crypto.randomUUID ? crypto.randomUUID() : `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`);
const firstPause = 400;
const longestPause = 8000;
const pulse = 20000;

export class Line {
  // Open: what is shown is what is.
  open = $state(false);
  // It was open once and broke.
  broken = $state(false);

  // By how many milliseconds the server's clock is ahead of ours.
  ahead = $state(0);

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #listeners = new Set<(tidings: Tidings) => void>();
  #greetings = new Set<() => void>();
  #pause = firstPause;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #wanted = false;

  constructor(private readonly address: () => string) {}

  connect(): void {
    this.#wanted = true;
    if (this.#socket === null) this.#dial();
  }
  close(): void {
    this.#wanted = false;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }
  // With another cookie the server must see a new handshake.
  redial(): void {
    this.#wanted = true;
    if (this.#socket) {
      this.#pause = 0;
      this.#socket.close();
    } else {
      this.#dial();
    }
  }

  listen(listener: (tidings: Tidings) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  // Called at every opening, before what waited is sent again.
  greet(greeting: () => void): () => void {
    this.#greetings.add(greeting);
    if (this.open) greeting();
    return () => this.#greetings.delete(greeting);
  }

  ask(request: Request): Promise<Answer> {
    const id = newId();
    const text = JSON.stringify({ ...request, id });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { text, resolve, reject });
      if (this.open) this.#socket?.send(text);
      this.connect();
    });
  }

  #dial(): void {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.address());
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = firstPause;
      const before = [...this.#waiting.values()];
      this.open = true;
      this.broken = false;
      for (const greeting of this.#greetings) greeting();
      for (const { text } of before) socket.send(text);
      this.#beat = setInterval(() => this.#check(socket), pulse);
    };
    socket.onmessage = (message) => this.#hear(JSON.parse(String(message.data)) as ServerMessage);
    socket.onclose = () => {
      clearInterval(this.#beat);
      this.broken = this.broken || this.open;
      this.open = false;
      this.#socket = null;
      if (!this.#wanted) return;
      this.#timer = setTimeout(() => this.#dial(), this.#pause);
      this.#pause = Math.min(longestPause, Math.max(firstPause, this.#pause * 2));
    };
  }

  // A line can be dead without being closed; a missing answer tells.
  #check(socket: WebSocket): void {
    const late = setTimeout(() => socket.close(), pulse / 2);
    this.compare().then(() => clearTimeout(late), () => clearTimeout(late));
  }
  // Of an answer that took long nobody knows when it was written; half of the way is the best guess.
  async compare(): Promise<void> {
    const asked = Date.now();
    const { time } = await this.ask({ type: 'ping' });
    if (time !== undefined) this.ahead = time - (asked + Date.now()) / 2;
  }

  #hear(message: ServerMessage): void {
    if (message.type !== 'answer') {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.ok) waiting?.resolve(message);
    else waiting?.reject(new Refused(message.error?.why ? `illegal:${message.error.why}` : (message.error?.code ?? 'bad-answer'), message.error?.message ?? ''));
  }
}

export const line = new Line(() => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/socket`);
