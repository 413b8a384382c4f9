// Tests in a real browser against a real server: one after the other, because they share a small machine.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['tests/**/*.test.ts'], fileParallelism: false, testTimeout: 240_000, hookTimeout: 60_000, retry: 0 } });
