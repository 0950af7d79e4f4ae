import { v5 } from 'uuid';
import type { Metadata } from '../../kernel/index.ts';

/** The published form of metadata: an entry's ID is derived from its identity, its place and its key. */
export const publishMetadata = (identityId: string, metadata: Metadata) =>
  metadata.map(({ key, value }, index) => ({ id: v5(`${index} ${key}`, identityId), key, value }));
