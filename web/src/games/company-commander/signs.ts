// Which sign a unit or keyword of Company Commander carries.
import type { CompanyCommanderUnit } from '../../generated/protocol';
import { troopSigns, type Sign } from '../../parts/signs';

export function unitSign(unit: CompanyCommanderUnit): Sign {
  const has = (keyword: string) => unit.keywords.includes(keyword);
  const name = has('company_hq') ? 'company'
    : has('platoon_hq') || has('commander') ? 'platoon'
    : has('tank') ? 'tank'
    : has('vehicle') ? (has('recon') ? 'car' : 'track')
    : has('artillery') ? 'gun'
    : has('mortar') ? 'mortar'
    : has('sniper') ? 'sniper'
    : has('engineer') ? 'engineer'
    : has('anti_tank') ? 'rocket'
    : has('recon') ? 'recon'
    : has('defense') ? 'machine'
    : unit.strength >= 3 ? 'heavy'
    : unit.strength === 1 ? 'half'
    : 'infantry';
  return troopSigns[name];
}

// What a player looks for on a card, in this order.
export const keywordSigns: Record<string, Sign> = {
  recon: { lines: 'M3 12c3-5 6-7 9-7s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7z', full: 'M12 9a3 3 0 1 0 .1 0z' },
  suppress: { lines: 'M3 18 8 8M9 18l5-10M15 18l5-10' },
  assault: { lines: 'M4 20 18 6M12 5h7v7' },
  defense: { lines: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z' },
  anti_tank: { lines: 'M4 19 12 5l8 14' },
  armor: { lines: 'M6 4h12v9c0 4-3 6-6 7-3-1-6-3-6-7z', full: 'M9 7h6v6c0 2-1.500 3-3 4-1.500-1-3-2-3-4z' },
  no_assault: { lines: 'M5 5l14 14M12 3a9 9 0 1 0 .1 0z' },
};
