import { defineFamily } from '../../family/index.ts';
import { badRequest } from '../../kernel/index.ts';
import type { Connector } from '../connection/index.ts';
import { syncs } from '../registry.ts';
import {
  canImport,
  TARGET_FIELDS,
  type ConfiguredSync,
  type IntegrationNames,
  type Sync,
  type TargetField,
} from '../sync/index.ts';
import { published } from './published.ts';
import type { IntegrationSettings } from './settings.ts';

/** A destination that is published at `/api/v1/integration`. */
type IntegratedSync = Sync & { readonly integration: IntegrationNames };

const isIntegrated = (sync: Sync): sync is IntegratedSync => sync.integration !== undefined;

const members: readonly Sync[] = syncs.members;

/** The destinations under the names that `/api/v1/integration` has for them. */
export const integrations = defineFamily<'name', { readonly name: string; readonly sync: IntegratedSync }>(
  members.filter(isIntegrated).map((sync) => ({ name: sync.integration.name, sync })),
  'name',
  (name, offered) => badRequest('integration.not_offered', `Nothing is synced to ${name} yet; offered are ${offered}`),
);

/** Nothing if the service is not supported: its fields are unknown and stored as given. */
export const connectorOf = (integration: string): Connector | undefined =>
  integrations.find(integration)?.sync.connector;

/** @throws DomainError 400 for a name that is not even published. */
export function requirePublished(name: string): void {
  if (!Object.hasOwn(published, name)) throw badRequest('integration.unknown', 'There is no such integration');
}

/** The fields of an integration besides its source: stored and returned as given. */
export type GivenFields = Partial<Readonly<Record<TargetField | 'url', string>>>;
export interface Given {
  readonly fields: GivenFields;
  readonly metadata: IntegrationSettings;
}

const INITIAL_SYNC = {
  'overwrite-target': 'overwrite-destination',
  'prefer-source': 'import-prioritize-source',
  'prefer-target': 'import-prioritize-destination',
} as const;

/**
 * The sync that an integration is.
 *
 * @throws DomainError 400 for a service that is not offered, for a field that is missing or wrong, and for what the
 * destination cannot do.
 */
export function configure(integration: string, { fields, metadata }: Given): ConfiguredSync {
  const { sync } = integrations.require(integration);
  const { fields: names, mappings, keepsByDefault = false } = sync.integration;
  const { mappingBehavior = mappings[0], initialSyncBehavior = 'overwrite-target' } = metadata;
  if (!mappings.includes(mappingBehavior))
    throw badRequest('integration.mapping', `${sync.title} takes as mappingBehavior: ${mappings.join(', ')}`);
  if (metadata.metadataSyncMode === 'secret-metadata')
    throw badRequest('integration.metadata_sync', 'The metadata of secrets is not written to other services');
  const named = Object.fromEntries(
    Object.entries(names).flatMap(([name, field]) => (fields[field] ? [[name, fields[field]]] : [])),
  );
  const configured = sync.configure(
    {
      ...(sync.integration.config?.(named) ?? named),
      mappingBehavior,
      visibility: metadata.githubVisibility,
      selectedRepositoryIds: metadata.githubVisibilityRepoIds?.map(Number),
    },
    {
      initialSyncBehavior: INITIAL_SYNC[initialSyncBehavior],
      prefix: metadata.secretPrefix,
      suffix: metadata.secretSuffix,
      disableSecretDeletion:
        metadata.shouldDisableDelete === true || (keepsByDefault && metadata.shouldEnableDelete !== true),
      keyId: metadata.kmsKeyId,
      tags: metadata.secretAWSTag,
    },
    names,
  );
  if (initialSyncBehavior !== 'overwrite-target' && !canImport(configured))
    throw badRequest(
      'integration.initial_sync',
      `${sync.title} cannot be read back like this: initialSyncBehavior has to be overwrite-target`,
    );
  return configured;
}

type Named = Partial<Readonly<Record<TargetField | 'url', string | null | undefined>>>;

/** The given fields merged over the previous ones; an empty string removes a field. */
export function merged(before: GivenFields, given: Named): GivenFields {
  const after: Named = { ...before };
  const all = ['url', ...TARGET_FIELDS] as const;
  return Object.fromEntries(
    all.flatMap((name) => {
      const value = given[name] === undefined ? after[name] : given[name];
      return value ? [[name, value]] : [];
    }),
  );
}
