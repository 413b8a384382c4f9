// Tests in a real browser against a real server: one after the other, because they share a small machine. Waits are long, so that a busy
// machine is no failure; a test goes on as soon as what it waits for is there.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/**/*.test.ts'], fileParallelism: false, testTimeout: 400_000, hookTimeout: 120_000, retry: 0, expect: { poll: { timeout: 40_000, interval: 50 } } },
});
