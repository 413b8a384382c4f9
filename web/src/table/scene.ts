// What one viewer has of a table, and how an update changes it (docs/protocol.md, "What the server sends").
import type { Snapshot, Update } from '../generated/protocol';

export type Scene = Omit<Snapshot, 'type'>;

export function opened(snapshot: Snapshot): Scene {
  const { type: _, ...scene } = snapshot;
  return scene;
}

// Null when something was missed: the client must watch again.
export function followed(scene: Scene, update: Update): Scene | null {
  if (update.viewer !== scene.viewer || update.version !== scene.version + 1) return null;
  const { type: _, log_from, log, chat, forced_in_ms, cause: __, ...changed } = update;
  const cut = log_from ?? scene.log.length;
  if (cut > scene.log.length) return null;
  return {
    ...scene,
    ...changed,
    log: log_from === undefined && !log ? scene.log : [...scene.log.slice(0, cut), ...(log ?? [])],
    chat: chat ? [...scene.chat, ...chat] : scene.chat,
    forced_in_ms,
  };
}
