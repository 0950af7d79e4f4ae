import { migration } from './migration.ts';

/**
 * Integrations become syncs by connections of apps. What each destination needs is one document that its schema reads, in place
 * of a column for each field; what `/api/v1/integration` was given is kept as it is answered. The release before reads and
 * writes by views (docs/decisions/0026-connections.md).
 */
export const m0048Connections = migration(
  '0048-connections',
  `
alter table integration_auths rename to app_connections;
alter index integration_auths_pkey rename to app_connections_pkey;
alter index integration_auths_project rename to app_connections_project;
alter index integration_auths_organization rename to app_connections_organization;
alter table app_connections rename column sealed to credentials;
alter table app_connections
  -- The published name of the app.
  add column app text,
  -- What /api/v1/integration-auth answers of it; null where it was made otherwise, as is the name of the integration.
  add column given jsonb,
  alter column integration drop not null;
create function integration_app(integration text) returns text language sql immutable as $$
  select case when integration in ('aws-parameter-store', 'aws-secret-manager') then 'aws' else integration end
$$;
update app_connections set
  app = integration_app(integration),
  given = jsonb_build_object('url', url, 'namespace', namespace);
alter table app_connections
  alter column app set not null,
  drop column team_id, drop column url, drop column namespace, drop column account_id, drop column metadata;

alter table integrations rename to secret_syncs;
alter index integrations_pkey rename to secret_syncs_pkey;
alter index integrations_project rename to secret_syncs_project;
alter index integrations_organization rename to secret_syncs_target;
alter index integrations_auth rename to secret_syncs_connection;
alter index integrations_environment rename to secret_syncs_environment;
alter index integrations_folder rename to secret_syncs_folder;
alter index integrations_due rename to secret_syncs_due;
alter index integrations_claimed rename to secret_syncs_claimed;
alter table secret_syncs rename column integration_auth_id to connection_id;
alter table secret_syncs rename column sponsor to run_as;
alter table secret_syncs rename column sealed to hash_key;
alter table secret_syncs
  -- The published name.
  add column destination text,
  -- Where it writes, as the destination's schema has it.
  add column config jsonb,
  -- How it writes: what all syncs are told, and what the destination is.
  add column options jsonb,
  -- What /api/v1/integration was given ({fields, metadata}) and answers; null where it was made otherwise.
  add column given jsonb;

-- The fields of an integration as the configuration of its destination.
create function integration_config(integration text, fields jsonb, metadata jsonb) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(case
    when integration = 'aws-secret-manager' then jsonb_build_object(
      'mappingBehavior', coalesce(metadata ->> 'mappingBehavior', 'many-to-one'),
      'region', fields -> 'region', 'secretName', fields -> 'app')
    when integration = 'hashicorp-vault' then jsonb_build_object('mount', fields -> 'app', 'path', fields -> 'path')
    when fields ->> 'scope' = 'github-org' then jsonb_build_object('scope', 'organization', 'org', fields -> 'owner',
      'visibility', metadata -> 'githubVisibility', 'selectedRepositoryIds', (
        select jsonb_agg(id::bigint) from jsonb_array_elements_text(metadata -> 'githubVisibilityRepoIds') id))
    when integration = 'github' then jsonb_build_object(
      'scope', case when fields ->> 'scope' = 'github-env' then 'repository-environment' else 'repository' end,
      'owner', fields -> 'owner', 'repo', fields -> 'app', 'env', fields -> 'targetEnvironmentId')
    else fields
  end)
$$;
create function integration_options(integration text, metadata jsonb) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'initialSyncBehavior', case metadata ->> 'initialSyncBehavior' when 'prefer-source' then 'import-prioritize-source'
      when 'prefer-target' then 'import-prioritize-destination' else 'overwrite-destination' end,
    'prefix', metadata -> 'secretPrefix', 'suffix', metadata -> 'secretSuffix',
    'disableSecretDeletion', coalesce((metadata ->> 'shouldDisableDelete')::boolean, false)
      or (integration = 'github' and not coalesce((metadata ->> 'shouldEnableDelete')::boolean, false)),
    'keyId', metadata -> 'kmsKeyId', 'tags', metadata -> 'secretAWSTag'))
$$;
create function integration_destination(integration text) returns text language sql immutable as $$
  select case integration when 'aws-secret-manager' then 'aws-secrets-manager' else integration end
$$;

update secret_syncs set given = jsonb_build_object('metadata', metadata, 'fields', jsonb_strip_nulls(jsonb_build_object(
  'url', url, 'app', app, 'appId', app_id, 'owner', owner, 'path', path, 'region', region, 'scope', scope,
  'targetEnvironment', target_environment, 'targetEnvironmentId', target_environment_id,
  'targetService', target_service, 'targetServiceId', target_service_id)));
update secret_syncs set
  destination = integration_destination(integration),
  config = integration_config(integration, given -> 'fields', metadata),
  options = integration_options(integration, metadata);
alter table secret_syncs
  alter column destination set not null, alter column config set not null, alter column options set not null,
  drop column integration, drop column url, drop column app, drop column app_id, drop column target_environment,
  drop column target_environment_id, drop column target_service, drop column target_service_id, drop column owner,
  drop column path, drop column region, drop column scope, drop column metadata;

alter table integration_entries rename to secret_sync_entries;
alter index integration_entries_pkey rename to secret_sync_entries_pkey;
alter table secret_sync_entries rename column integration_id to sync_id;

-- For the release before, which runs beside this one: what it changes while it syncs, it changes here.
create view integration_entries as
  select sync_id as integration_id, name, organization_id, hash, next_hash from secret_sync_entries;

create view integration_auths as
  select id, organization_id, project_id, integration, null::text as team_id, given ->> 'url' as url,
    given ->> 'namespace' as namespace, null::text as account_id, null::jsonb as metadata, credentials as sealed,
    created_at, updated_at
  from app_connections where integration is not null;
create function integration_auths_insert() returns trigger language plpgsql as $$
begin
  insert into app_connections (id, organization_id, project_id, integration, app, given, credentials)
  values (new.id, new.organization_id, new.project_id, new.integration,
    integration_app(new.integration), jsonb_build_object('url', new.url, 'namespace', new.namespace), new.sealed);
  return new;
end $$;
create trigger insert_connection instead of insert on integration_auths
  for each row execute function integration_auths_insert();

create view integrations as
  select id, organization_id, project_id, connection_id as integration_auth_id,
    case destination when 'aws-secrets-manager' then 'aws-secret-manager' else destination end as integration,
    is_active, environment_id, folder_id, secret_path, run_as as sponsor, given -> 'fields' ->> 'url' as url,
    given -> 'fields' ->> 'app' as app, given -> 'fields' ->> 'appId' as app_id,
    given -> 'fields' ->> 'targetEnvironment' as target_environment,
    given -> 'fields' ->> 'targetEnvironmentId' as target_environment_id,
    given -> 'fields' ->> 'targetService' as target_service, given -> 'fields' ->> 'targetServiceId' as target_service_id,
    given -> 'fields' ->> 'owner' as owner, given -> 'fields' ->> 'path' as path, given -> 'fields' ->> 'region' as region,
    given -> 'fields' ->> 'scope' as scope, given -> 'metadata' as metadata, hash_key as sealed, target, is_initialized,
    last_used, is_synced, sync_message, last_sync_job_id, source_hash, due_at, rests_until, failures, claim_id,
    claimed_until, created_at, updated_at
  from secret_syncs where given is not null;
create function integrations_insert() returns trigger language plpgsql as $$
declare
  fields jsonb := jsonb_strip_nulls(jsonb_build_object('url', new.url, 'app', new.app, 'appId', new.app_id,
    'owner', new.owner, 'path', new.path, 'region', new.region, 'scope', new.scope,
    'targetEnvironment', new.target_environment, 'targetEnvironmentId', new.target_environment_id,
    'targetService', new.target_service, 'targetServiceId', new.target_service_id));
begin
  insert into secret_syncs (id, organization_id, project_id, connection_id, destination, is_active, environment_id, folder_id,
    secret_path, run_as, config, options, given, hash_key, target)
  values (new.id, new.organization_id, new.project_id, new.integration_auth_id, integration_destination(new.integration),
    new.is_active, new.environment_id, new.folder_id, new.secret_path, new.sponsor,
    integration_config(new.integration, fields, new.metadata), integration_options(new.integration, new.metadata),
    jsonb_build_object('fields', fields, 'metadata', new.metadata), new.sealed, new.target);
  return new;
end $$;
create trigger insert_sync instead of insert on integrations for each row execute function integrations_insert();
`,
);
