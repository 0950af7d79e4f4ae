import { createHash } from 'node:crypto';
import type { ConfiguredSync } from './sync.ts';

/**
 * A hash of the target. Syncs to the same document run one at a time; others do not wait. Rows of earlier releases were
 * hashed with the name of the integration.
 */
export function targetOf({ sync, layout }: ConfiguredSync, id: string): string {
  const texts = [
    sync.integration?.name ?? sync.destination,
    layout.location,
    ...(layout.as === 'document' ? [] : [id]),
  ];
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
