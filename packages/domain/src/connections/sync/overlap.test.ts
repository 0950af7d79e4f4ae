import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { syncs } from '../registry.ts';
import { nameAtTarget } from './difference.ts';
import { namingOf } from './naming.ts';
import { mayOverlap } from './overlap.ts';
import type { ConfiguredSync } from './sync.ts';

type Placed = ConfiguredSync & { readonly base: string; readonly environment: string };

/** The items that a sync writes under some names, spelled out for each destination. */
const ITEMS: Record<string, (config: Record<string, string>, name: string, base: string) => string[]> = {
  'hashicorp-vault': ({ mount, path }, name, base) =>
    [`${mount}/${path}`, `${mount}/data/${path}`].map((at, way) => `${way} ${base && `${base}/`}${at} ${name}`),
  'aws-parameter-store': ({ region, path }, name) => [`${region} ${path}${name}`],
  'aws-secrets-manager': ({ region, secretName, mappingBehavior }, name) =>
    mappingBehavior === 'one-to-one'
      ? [`${region} ${name}`]
      : [`${region} ${secretName}`, `${region} ${secretName} ${name}`],
  'external-infisical': ({ projectId, environment, secretPath }, name) => [
    `${projectId} ${environment} ${secretPath} ${name}`,
  ],
  'azure-app-configuration': ({ configurationUrl, label }, name) => [`${configurationUrl} ${label} ${name}`],
  'azure-key-vault': ({ vaultBaseUrl }, name) => [`${vaultBaseUrl} ${name}`.toLowerCase()],
  'gcp-secret-manager': ({ projectId, locationId }, name) => [`${projectId} ${locationId ?? ''} ${name}`],
  vercel: ({ teamId, app, env, branch }, name) => [`${teamId} ${app} ${env} ${branch ?? ''} ${name}`],
  camunda: ({ clusterUUID }, name) => [`${clusterUUID} ${name}`],
  databricks: ({ scope }, name) => [`${scope} ${name}`.toLowerCase()],
  humanitec: ({ org, app, env }, name) => [`${org}/${app}/${env ?? ''} ${name}`],
  'terraform-cloud': ({ workspaceId, variableSetId, category }, name) => [
    `${workspaceId ?? variableSetId} ${category} ${name}`,
  ],
  github: ({ owner, repo, env }, name) => [`${owner}/${repo}/${env ?? ''} ${name}`.toUpperCase()],
};
const isSameDocument = (one: Placed, other: Placed) => one.layout.as === 'document' && other.layout.as === 'document';

const text = fc.constantFrom('a', 'b', 'a/b', 'data', 'a/data/b', 'A');
const word = fc.constantFrom('a', 'b', 'A');
const project = fc.constantFrom('prj_a', 'prj_b');
const region = fc.constantFrom('eu-central-1', 'us-east-1');
const category = fc.constantFrom('env', 'terraform');
const CONFIGS: Record<string, fc.Arbitrary<object>> = {
  'hashicorp-vault': fc.record({ mount: text, path: text }),
  'aws-parameter-store': fc.record({ region, path: text }),
  'aws-secrets-manager': fc.oneof(
    fc.record({ mappingBehavior: fc.constant('many-to-one'), region, secretName: text }),
    fc.record({ mappingBehavior: fc.constant('one-to-one'), region }),
  ),
  'external-infisical': fc.record({
    projectId: word,
    environment: word,
    secretPath: fc.constantFrom('/', '/a', '/a/'),
  }),
  'azure-app-configuration': fc.record({
    configurationUrl: fc.constantFrom(
      'https://shop-a.azconfig.io',
      'https://SHOP-A.azconfig.io/',
      'https://shop-b.azconfig.io',
    ),
    label: fc.constantFrom('', 'a', 'A'),
  }),
  'azure-key-vault': fc.record({
    vaultBaseUrl: fc.constantFrom('https://shop-a.vault.azure.net', 'https://shop-b.vault.azure.net'),
  }),
  'gcp-secret-manager': fc.oneof(
    fc.record({ scope: fc.constant('global'), projectId: fc.constantFrom('shop-a', 'shop-b') }),
    fc.record({ scope: fc.constant('region'), projectId: fc.constantFrom('shop-a', 'shop-b'), locationId: region }),
  ),
  vercel: fc.oneof(
    fc.record({ teamId: word, app: project, env: fc.constantFrom('production', 'env_a') }),
    fc.record({
      teamId: word,
      app: project,
      env: fc.constant('preview'),
      branch: fc.constantFrom(undefined, 'a', 'a/b'),
    }),
  ),
  camunda: fc.record({ scope: fc.constant('cluster'), clusterUUID: word }),
  databricks: fc.record({ scope: word }),
  humanitec: fc.oneof(
    fc.record({ scope: fc.constant('application'), org: word, app: word }),
    fc.record({ scope: fc.constant('environment'), org: word, app: word, env: word }),
  ),
  'terraform-cloud': fc.oneof(
    fc.record({ scope: fc.constant('workspace'), workspaceId: fc.constantFrom('ws-a', 'ws-b'), category }),
    fc.record({ scope: fc.constant('variable-set'), variableSetId: fc.constantFrom('varset-a', 'varset-b'), category }),
  ),
  github: fc.oneof(
    fc.record({ scope: fc.constant('repository'), owner: word, repo: word }),
    fc.record({ scope: fc.constant('repository-environment'), owner: word, repo: word, env: word }),
  ),
};
const options = fc.record({
  prefix: fc.constantFrom('', 'a', 'A', 'ab'),
  suffix: fc.constantFrom('', 'b', 'B', '/b'),
  keySchema: fc.constantFrom(undefined, undefined, 'a{{secretKey}}', '{{environment}}{{secretKey}}b'),
});
const NAMES = ['a', 'b', 'A', 'ab', 'a/b', 'bb', '/b', 'data'];

const itemsOf = (configured: Placed): Set<string> => {
  const { sync, config, layout, base } = configured;
  const named = NAMES.map((name) => nameAtTarget(name, namingOf(configured)));
  const writable = named.filter((name) => layout.limits.name.test(name));
  return new Set(writable.flatMap((name) => ITEMS[sync.destination]!(config as Record<string, string>, name, base)));
};

/** The items of two syncs; two documents are compared by their entries. */
function sharesItems(one: Placed, other: Placed): boolean {
  const others = itemsOf(other);
  const isCompared = (item: string) => !isSameDocument(one, other) || item.split(' ').length > 2;
  return [...itemsOf(one)].some((item) => isCompared(item) && others.has(item));
}

describe('mayOverlap', () => {
  it.each(syncs.members.map(({ destination }) => destination))(
    'finds any two syncs that have an item in common: %s',
    (destination) => {
      const sync = syncs.require(destination);
      const configured = fc
        .tuple(CONFIGS[destination]!, options, fc.constantFrom('', '', 'a'))
        .map(([config, naming, base]) => ({ ...sync.configure(config, naming), base, environment: 'dev' }));
      const found = { shared: 0, apart: 0 };
      fc.assert(
        fc.property(configured, configured, (one, other) => {
          const isFound = mayOverlap(one, other);
          expect(mayOverlap(other, one)).toBe(isFound);
          expect(isFound || !sharesItems(one, other)).toBe(true);
          found[isFound ? 'shared' : 'apart']++;
        }),
        { numRuns: 3_000, seed: 1 },
      );
      expect(Math.min(found.shared, found.apart)).toBeGreaterThan(20);
    },
  );
});
