import { v5 } from 'uuid';
import type { Metadata } from '../../kernel/index.ts';

/** Metadata as it is answered: an entry's id follows from its identity, its place and its key. */
export const publishMetadata = (identityId: string, metadata: Metadata) =>
  metadata.map(({ key, value }, index) => ({ id: v5(`${index} ${key}`, identityId), key, value }));
