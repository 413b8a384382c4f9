import { troopSigns, type Sign } from '../../parts/signs';

const signs: Record<string, Sign> = {
  infantry: troopSigns.infantry,
  'infantry-scout': troopSigns.recon,
  artillery: troopSigns.gun,
  'tank-light': troopSigns.track,
  'tank-heavy': troopSigns.tank,
  'tank-scout': troopSigns.car,
};

export const pieceSign = (piece: string): Sign | undefined => signs[piece];
