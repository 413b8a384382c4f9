// Where we are: #/table/ID?key=KEY is { path: ['table', 'ID'], query: { key } }.
export interface Route {
  path: string[];
  query: Record<string, string>;
}

export function read(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decodeURIComponent), query: Object.fromEntries(new URLSearchParams(query)) };
}

class Place {
  now = $state.raw(read(location.hash));

  constructor() {
    addEventListener('hashchange', () => {
      this.now = read(location.hash);
      scrollTo(0, 0);
    });
  }
}

export const place = new Place();

export function go(path: string): void {
  location.hash = `#/${path}`;
}
// The address changes, the history does not grow: for a scrubber.
export function rename(path: string): void {
  history.replaceState(null, '', `#/${path}`);
}
