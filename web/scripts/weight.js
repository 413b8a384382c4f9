// What the pages weigh, as sent with brotli: what the first one needs at once, and everything there is. Even all of it together must stay below the limit of a first load.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../build/web/', import.meta.url));
const most = 400 * 1024;
const weight = async (path) => (await readFile(`${folder}${path}.br`).catch(() => readFile(`${folder}${path}`))).length;

// Every file of a page's code that is named by an import at its beginning comes with it; an import() waits until it is needed.
async function needed(path, all) {
  if (all.has(path)) return all;
  all.add(path);
  if (path.endsWith('.js')) {
    const text = await readFile(folder + path, 'utf8');
    for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g)) await needed(`assets/${name}`, all);
  }
  return all;
}
const page = await readFile(`${folder}index.html`, 'utf8');
const first = new Set(['index.html']);
for (const [, path] of page.matchAll(/(?:src|href)="\/?([^"]+)"/g)) await needed(path, first);

let sum = 0;
for (const path of first) sum += await weight(path);
let everything = 0;
for (const name of await readdir(folder, { recursive: true })) if (/\.(html|js|css|svg)$/.test(name)) everything += await weight(name);
const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
console.log(`first page: ${kib(sum)} in ${first.size} files; all pages, boards and languages: ${kib(everything)}`);
if (everything > most) {
  console.error(`more than ${kib(most)}`);
  process.exit(1);
}
