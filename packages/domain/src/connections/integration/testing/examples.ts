import { examplesOf } from '../../../family/testing/examples.ts';
import { destinations } from '../registry.ts';
import type { DestinationExample } from './example.ts';

/** For each destination: credentials, and the least that an integration with them needs. */
export const integrationExamples = await examplesOf<DestinationExample>(
  new URL('../destinations/', import.meta.url),
  destinations.names,
);
