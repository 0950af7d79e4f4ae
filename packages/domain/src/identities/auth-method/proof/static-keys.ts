import { createPublicKey } from 'node:crypto';
import type { FindKeys } from '../../../kernel/index.ts';

/** Keys that the configuration itself holds. They have no names: each is tried, whatever `kid` says. */
export const staticKeys =
  (pems: readonly string[]): FindKeys =>
  async () =>
    pems.map((pem) => createPublicKey(pem));
