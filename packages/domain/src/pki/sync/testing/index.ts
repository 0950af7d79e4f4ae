import { examplesOf } from '../../../family/testing/examples.ts';
import { pkiSyncs } from '../registry.ts';
import type { PkiSyncExample } from './example.ts';

export type * from './example.ts';

const examples = await examplesOf<PkiSyncExample>(new URL('../destinations/', import.meta.url), pkiSyncs.names);

/** For each destination of certificates: a new target. */
export const pkiSyncTargets = Object.fromEntries(
  Object.entries(examples).map(([destination, { target }]) => [destination, target]),
);
