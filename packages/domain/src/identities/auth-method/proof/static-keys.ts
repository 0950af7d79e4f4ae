import { createPublicKey } from 'node:crypto';
import type { FindKeys } from '../../../kernel/index.ts';

/** Configured keys. They have no names: each is tried, whatever `kid` is. */
export const staticKeys =
  (pems: readonly string[]): FindKeys =>
  async () =>
    pems.map((pem) => createPublicKey(pem));
