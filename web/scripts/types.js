// The types of the protocol, from its one schema.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

const schema = JSON.parse(await readFile(new URL('../../docs/protocol.schema.json', import.meta.url), 'utf8'));
const text = await compile(schema, 'Protocol', {
  additionalProperties: false,
  bannerComment: '// Made from docs/protocol.schema.json by scripts/types.js.',
  unreachableDefinitions: true,
});
const folder = new URL('../src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('protocol.ts', folder), text);
