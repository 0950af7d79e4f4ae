import { examplesOf } from '../../../family/testing/examples.ts';
import { syncs } from '../../registry.ts';
import type { DestinationExample } from './example.ts';

const examples = await examplesOf<DestinationExample>(new URL('../destinations/', import.meta.url), syncs.names);

/** For each integration: credentials, and a minimal configuration. */
export const integrationExamples = Object.fromEntries(
  syncs.members.map(({ destination, integration }) => [integration.name, examples[destination]!]),
);
