// What a person likes, kept in the browser.
import type { Locale } from './generated/protocol';

export interface Settings {
  locale: Locale | null; // null: as the browser asks for
  colours: 'system' | 'dark' | 'light';
  motion: 'system' | 'less' | 'full';
  sound: boolean;
  notices: boolean;
  passing: 'never' | 'turn' | 'round' | 'assault'; // whether a pass becomes a standing order, and until when
  passingAt: 'anywhere' | 'same'; // which questions that order passes
}

const standard: Settings = { locale: null, colours: 'system', motion: 'system', sound: false, notices: false, passing: 'never', passingAt: 'anywhere' };
const place = 'baton.settings';

function kept(): Settings {
  try {
    const found = { ...standard, ...(JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Settings>) };
    // Earlier it was only yes or no.
    if (typeof found.passing === 'boolean') found.passing = found.passing ? 'turn' : 'never';
    return found;
  } catch {
    return { ...standard };
  }
}

export const settings = $state<Settings>(kept());

const light = matchMedia('(prefers-color-scheme: light)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

export function calm(): boolean {
  return settings.motion === 'less' || (settings.motion === 'system' && still.matches);
}

function dress(): void {
  const root = document.documentElement;
  root.dataset.colours = settings.colours === 'system' ? (light.matches ? 'light' : 'dark') : settings.colours;
  root.dataset.motion = calm() ? 'less' : 'full';
}
light.addEventListener('change', dress);
still.addEventListener('change', dress);

export function keepSettings(): void {
  localStorage.setItem(place, JSON.stringify(settings));
  dress();
}
