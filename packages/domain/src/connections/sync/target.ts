import { createHash } from 'node:crypto';
import type { ConfiguredSync } from './sync.ts';

/**
 * Where a sync writes, hashed. Those that write one document have to wait for each other; others do not. Rows of earlier
 * releases have been hashed with the name of the integration.
 */
export function targetOf({ sync, layout }: ConfiguredSync, id: string): string {
  const texts = [sync.integration.name, layout.location, ...(layout.as === 'document' ? [] : [id])];
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
