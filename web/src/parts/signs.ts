// Signs of troops: our own drawings on a 24 × 24 field, as SVG paths.

// Strokes; those in `full` are filled.
export interface Sign {
  lines: string;
  full?: string;
}

export const troopSigns = {
  company: { lines: 'M6 21V4', full: 'M6 4h14l-4 4.5 4 4.5H6zM4 21h4v1.5H4z' },
  platoon: { lines: 'M7 21V4M7 12l11-4L7 4', full: 'M5 21h4v1.5H5z' },
  tank: { lines: 'M6 15h12a3 3 0 0 1 0 6H6a3 3 0 0 1 0-6zM8 15l1.5-5h6L17 15M15.5 11.5H23', full: 'M7 17.3a.9.9 0 1 0 .1 0zM12 17.3a.9.9 0 1 0 .1 0zM17 17.3a.9.9 0 1 0 .1 0z' },
  car: { lines: 'M3 17l2-6h9l3 3 4 .6V17zM9 11V8h4v3M13 9h5', full: 'M7 16a2.4 2.4 0 1 0 .1 0zM17 16a2.4 2.4 0 1 0 .1 0z' },
  track: { lines: 'M3 15l1-5h11l2 3 4 1v2M10 17h7a2 2 0 0 1 0 4h-7a2 2 0 0 1 0-4zM9 10V7', full: 'M5.5 15.8a2.6 2.6 0 1 0 .1 0z' },
  gun: { lines: 'M2 20l7-6M9 14h13M9 11v6M12 14l3 6', full: 'M11 15a3.2 3.2 0 1 0 .1 0z' },
  mortar: { lines: 'M5 20h14M8 20 17 5M13.5 13l5 7', full: 'M15.6 3.6l3.4 2-1.2 2-3.4-2z' },
  sniper: { lines: 'M12 3v5M12 16v5M3 12h5M16 12h5M12 6.5a5.5 5.5 0 1 0 .1 0z', full: 'M12 11a1 1 0 1 0 .1 0z' },
  rocket: { lines: 'M3 18 18 6M6 20l3-6M12 15l2 4', full: 'M17 3.5 22 3l-1.5 5z' },
  machine: { lines: 'M3 9h18M8 9v4l-3 7M11 13l4 7M8 13h5V9M13 9v3', full: 'M19 7.6h3v2.8h-3z' },
  engineer: { lines: 'M5 19 15 9M13 5l6 6M11.5 7.5 16.5 12.5', full: 'M14 3.5l6.5 6.5-2 2L12 5.5z' },
  recon: { lines: 'M3 12c3-5 6-7 9-7s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7zM12 9a3 3 0 1 0 .1 0z', full: 'M12 10.8a1.2 1.2 0 1 0 .1 0z' },
  heavy: { lines: 'M4 6l16 13M20 6 4 19M4 6h16v13H4zM12 2v3' },
  infantry: { lines: 'M4 6l16 12M20 6 4 18M4 6h16v12H4z' },
  half: { lines: 'M4 6h16v12H4zM4 18 20 6' },
} satisfies Record<string, Sign>;
