import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { restsSoFar } from '../kernel/index.ts';
import { hashInTurns } from './hash-in-turns.ts';

describe('the hash of content of any length', () => {
  it.each([0, 1, 1024 * 1024, 3 * 1024 * 1024 + 1])('is SHA-256: of %i bytes', async (length) => {
    const content = Buffer.alloc(length, 'content');
    expect(await hashInTurns(content)).toEqual(createHash('sha256').update(content).digest());
  });

  it('is computed in turns', async () => {
    const before = restsSoFar();
    await hashInTurns(Buffer.alloc(128 * 1024 * 1024));
    expect(restsSoFar() - before).toBeGreaterThan(1);
  });
});
