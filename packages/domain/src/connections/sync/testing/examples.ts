import { examplesOf } from '../../../family/testing/examples.ts';
import { NO_APP_SETTINGS, type AppSettings } from '../../../kernel/index.ts';
import { syncs } from '../../registry.ts';
import type { DestinationExample } from './example.ts';

const examples = await examplesOf<DestinationExample>(new URL('../destinations/', import.meta.url), syncs.names);

/** For each destination: a new target. */
export const syncTargets = Object.fromEntries(
  Object.entries(examples).map(([destination, { target }]) => [destination, target]),
);

/** What the operator has to set for all of them. */
export const syncSettings: AppSettings = Object.assign(
  { ...NO_APP_SETTINGS },
  ...Object.values(examples).map(({ settings }) => settings),
);

/** For each integration: credentials, and a minimal configuration. */
export const integrationExamples = Object.fromEntries(
  syncs.members.flatMap(({ destination, integration: names }) => {
    const { auth, integration, standIn } = examples[destination]!;
    if (!names || !auth || !integration) return [];
    return [[names.name, { auth, integration, standIn }] as const];
  }),
);
