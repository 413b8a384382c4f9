// Where what is suggested on a board is seen while a sheet lies over the lower part of the page.
export interface Span {
  top: number;
  bottom: number;
}

// How far the page has to go down so that all of these are in the room, or the last of them and as much of the others as fits; 0 when they are.
export function way(things: Span[], room: Span): number {
  const target = things[things.length - 1];
  if (!target) return 0;
  const all = { top: Math.min(...things.map(({ top }) => top)), bottom: Math.max(...things.map(({ bottom }) => bottom)) };
  const fits = all.bottom - all.top <= room.bottom - room.top;
  const upper = fits ? all : target;
  if (upper.top < room.top || (!fits && target.top === all.top)) return upper.top - room.top;
  return Math.max(0, upper.bottom - room.bottom);
}

// `order`: what is suggested as it is said, the target last.
export function bringIntoSight(order: string[], sheet: Element | null, behavior: ScrollBehavior): void {
  const rank = (one: Element) => order.indexOf(one.getAttribute('data-thing') ?? '');
  const shown = [...document.querySelectorAll('[data-thing].suggested')].sort((a, b) => rank(a) - rank(b));
  // A row of cards or pieces scrolls sideways by itself.
  for (const one of shown) {
    const { left, right } = one.getBoundingClientRect();
    if (left < 0 || right > innerWidth) one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
  const margin = 24;
  const room = { top: margin, bottom: (sheet?.getBoundingClientRect().top ?? innerHeight) - margin };
  const by = way(shown.map((one) => one.getBoundingClientRect()), room);
  if (by) scrollBy({ top: by, behavior });
}
