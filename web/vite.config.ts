import { svelte } from '@sveltejs/vite-plugin-svelte';
import { parse } from 'smol-toml';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';

// Texts are TOML, as everywhere in the house.
function toml(): Plugin {
  return {
    name: 'toml',
    transform(source, id) {
      if (!id.endsWith('.toml')) return null;
      return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(parse(source)))})`, map: null };
    },
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), toml()],
  build: { outDir: '../build/web', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 300, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  // The tests mount components, so they need the browser's half of Svelte.
  ...(mode === 'test' ? { resolve: { conditions: ['browser'] } } : {}),
  server: { proxy: { '/api': { target: process.env.BATON_SERVER ?? 'http://localhost:8080', ws: true } } },
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'], css: false, isolate: false },
}));
