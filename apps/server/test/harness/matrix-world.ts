import { deepEqual, equal, partialDeepStrictEqual } from 'node:assert/strict';
import {
  loginMethodExamples,
  makeConnection,
  makeExternalAuthority,
  makeRotation,
  makeUser,
  providerExamples,
  type MadeIdentity,
} from '@coffer/domain/testing';
import { API_KEYS, withKey } from './api-keys.ts';
import type { Caller, TestServer } from './test-server.ts';

/** A server for worlds: in this process or in another one. */
export type WorldMaker = Pick<TestServer, 'coffer' | 'foreign' | 'as'>;

/** One organization with one of everything, and two actors with all permissions. */
export interface World {
  readonly organizationId: string;
  /** A machine identity that administers everything. */
  readonly machine: Caller;
  readonly machineToken: string;
  /** A person who administers everything. */
  readonly person: Caller;
  readonly personToken: string;
  /** A service token of the project with every permission. */
  readonly service: Caller;
  readonly serviceToken: string;
  /** The person with an API key. */
  readonly keyholder: Caller;
  readonly apiKey: string;
  /** The IDs and names of existing resources, by type. */
  readonly has: Readonly<Record<Thing, string>>;
}

export type Thing = (typeof THINGS)[number];

const THINGS = [
  'accessPolicy',
  'accessRequest',
  'accessToken',
  'apiKey',
  'appConnection',
  'acmeAuthority',
  'awsPcaAuthority',
  'digicertAuthority',
  'appConnectionName',
  'certificate',
  'certificateAlert',
  'certificateAuthority',
  'certificateAuthorityCertificate',
  'certificateAuthorityKey',
  'certificateCollection',
  'certificateCollectionItem',
  'certificatePolicy',
  'certificateProfile',
  'certificateProfileSlug',
  'certificateRequest',
  'certificateTemplate',
  'changePolicy',
  'changeRequest',
  'client',
  'clientSecret',
  'commit',
  'dynamicSecretName',
  'environment',
  'folder',
  'group',
  'identity',
  'identityMembership',
  'identityPrivilege',
  'identityPrivilegeSlug',
  'incidentContact',
  'integration',
  'integrationAuth',
  'kmsKey',
  'kmsKeyName',
  'lease',
  'organization',
  'organizationMembership',
  'organizationRole',
  'organizationRoleSlug',
  'pkiSync',
  'pkiSyncConnection',
  'project',
  'projectIdentity',
  'projectMembership',
  'projectRole',
  'projectRoleSlug',
  'projectSlug',
  'projectTemplate',
  'secret',
  'secretRotation',
  'secretRotationName',
  'secretImport',
  'secretName',
  'secretSync',
  'secretSyncName',
  'serviceToken',
  'session',
  'snapshot',
  'sshAuthority',
  'sshHost',
  'sshHostGroup',
  'sshSerialNumber',
  'sshTemplate',
  'subscriber',
  'subscriberName',
  'tag',
  'tagSlug',
  'trustedIp',
  'user',
  'userMembership',
  'userPrivilege',
  'username',
  'webhook',
] as const;

/**
 * What a field of an operation refers to, by its path and name; the first match counts. A new type of ID gets a line
 * here and a row in `makeWorld`, and its operations are in the matrix.
 */
const FIELDS: readonly (readonly [field: RegExp, thing: Thing])[] = [
  [/#(projectId|workspaceId)$/, 'project'],
  [/#(projectSlug|workspaceSlug)$/, 'projectSlug'],
  [/\/(projects|workspace)\/(slug\/)?\{slug\}.*#slug$/, 'projectSlug'],
  [/#(organizationId|orgId)$/, 'organization'],
  [/\/organization\/(\{organizationId\}\/)?roles.*#roleId$/, 'organizationRole'],
  [/\/organization\/roles.*#roleSlug$/, 'organizationRoleSlug'],
  [/#roleId$/, 'projectRole'],
  [/\/roles\/.*#(roleSlug|slug)$/, 'projectRoleSlug'],
  [/\/organizations\/.*#membershipIds?$/, 'organizationMembership'],
  [/#(membershipIds?|projectMembershipId)$/, 'projectMembership'],
  [/\/identity-project-additional-privilege\/.*#id$/, 'identityPrivilege'],
  [/\/user-project-additional-privilege\/.*#privilegeId$/, 'userPrivilege'],
  [/#privilegeSlug$/, 'identityPrivilegeSlug'],
  [/#identityMembershipId$/, 'identityMembership'],
  [/\/projects\/\{projectId\}\/identities\/.*#identityId$/, 'projectIdentity'],
  [/#(identityIds?|machineIdentityId)$/, 'identity'],
  [/\/v1\/groups\/\{id\}.*#id$/, 'group'],
  [/#groupId$/, 'group'],
  [/#clientId$/, 'client'],
  [/#clientSecretId$/, 'clientSecret'],
  [/#tokenId$/, 'accessToken'],
  [/#apiKeyDataId$/, 'apiKey'],
  [/#userIds?$/, 'user'],
  [/#usernames?$/, 'username'],
  [/#serviceTokenId$/, 'serviceToken'],
  [/#sessionId$/, 'session'],
  [/#commitId$/, 'commit'],
  [/#secretSnapshotId$/, 'snapshot'],
  [/#incidentContactId$/, 'incidentContact'],
  [/\/(app-connections|secret-syncs)\/.*#connectionId$/, 'appConnection'],
  [/\/secret-syncs\/.*#syncId$/, 'secretSync'],
  [/#syncName$/, 'secretSyncName'],
  [/\/cert-manager\/syncs\/.*#connectionId$/, 'pkiSyncConnection'],
  [/\/cert-manager\/syncs\/.*#subscriberId$/, 'subscriber'],
  [/\/cert-manager\/syncs.*#certificateIds?$/, 'certificate'],
  [/#pkiSyncId$/, 'pkiSync'],
  [/\/cert-manager\/ca\/acme.*#id$/, 'acmeAuthority'],
  [/\/cert-manager\/ca\/aws-pca.*#id$/, 'awsPcaAuthority'],
  [/\/cert-manager\/ca\/digicert.*#id$/, 'digicertAuthority'],
  [/#connectionName$/, 'appConnectionName'],
  [/#rotationId$/, 'secretRotation'],
  [/#rotationName$/, 'secretRotationName'],
  [/#integrationAuthId$/, 'integrationAuth'],
  [/#integrationId$/, 'integration'],
  [/environments\/.*#id$/, 'environment'],
  [/#tagIds?$/, 'tag'],
  [/\{tagSlug\}.*#tagSlug$/, 'tagSlug'],
  [/#trustedIpId$/, 'trustedIp'],
  [/\/ssh-logins.*#sshHostId$/, 'sshHost'],
  [/\/ssh\/.*#(sshHostId|hostId)$/, 'sshHost'],
  [/#sshHostGroupId$/, 'sshHostGroup'],
  [/#folderId$/, 'folder'],
  [/#secretIds?$/, 'secret'],
  [/\{secretName\}.*#secretName$/, 'secretName'],
  [/#secretImportId$/, 'secretImport'],
  [/\/dynamic-secrets\/\{name\}.*#name$/, 'dynamicSecretName'],
  [/#dynamicSecretName$/, 'dynamicSecretName'],
  [/#leaseId$/, 'lease'],
  [/\/project-templates\/.*#templateId$/, 'projectTemplate'],
  [/#sapId$/, 'changePolicy'],
  [/\/secret-approval-requests\/\{id\}.*#id$/, 'changeRequest'],
  [/\/access-approvals\/policies\/.*#policyId$/, 'accessPolicy'],
  [/\/access-approvals\/requests\/.*#requestId$/, 'accessRequest'],
  [/#authorProjectMembershipId$/, 'projectMembership'],
  [/#committer$/, 'user'],
  [/#webhookId$/, 'webhook'],
  [/#(caIds?|parentCaId)$/, 'certificateAuthority'],
  [/#(sshCaId|(default)?(User|user|Host|host)SshCaId)$/, 'sshAuthority'],
  [/\/ssh\/certificates\/\{serialNumber\}.*#serialNumber$/, 'sshSerialNumber'],
  [/\/ssh\/.*#certificateTemplateId$/, 'sshTemplate'],
  [/\/certificates\/\{(id|serialNumber)\}.*#(id|serialNumber)$/, 'certificate'],
  [/#certificateTemplateId$/, 'certificateTemplate'],
  [/#certificatePolicyId$/, 'certificatePolicy'],
  [/\/certificate-profiles\/slug\/.*#slug$/, 'certificateProfileSlug'],
  [/\/cert-manager\/certificate.*#profileIds?$/, 'certificateProfile'],
  [/\/certificate-requests\/.*#requestId$/, 'certificateRequest'],
  [/#caCertId$/, 'certificateAuthorityCertificate'],
  [/#crlId$/, 'certificateAuthorityKey'],
  [/#(collectionId|pkiCollectionId)$/, 'certificateCollection'],
  [/#collectionItemId$/, 'certificateCollectionItem'],
  [/\/pki\/collections\/.*#itemId$/, 'certificateAuthority'],
  [/#alertId$/, 'certificateAlert'],
  [/#subscriberName$/, 'subscriberName'],
  [/\/kms\/keys.*#keyIds?$/, 'kmsKey'],
  [/#keyName$/, 'kmsKeyName'],
];

/** What a field of the operation at `url` refers to; `undefined` for other fields. */
export const thingOf = (url: string, field: string): Thing | undefined =>
  FIELDS.find(([pattern]) => pattern.test(`${url}#${field}`))?.[1];

/** The same again in the organization of a world: another project with one of everything, and what belongs to nobody. */
export function makeWorldBeside(
  { coffer, as }: WorldMaker,
  { organizationId, machine: call, machineToken: token }: World,
  mark: string,
): Promise<World> {
  const foreign = async () => ({ organizationId, call, identity: { token } as MadeIdentity });
  return makeWorld({ coffer, as, foreign }, mark);
}

/** Creates an organization and one of everything in it; all names contain the mark. */
export async function makeWorld(test: WorldMaker, mark: string): Promise<World> {
  const { organizationId, call: machine, identity: admin } = await test.foreign();
  const user = await makeUser(test.coffer, {
    organizationId,
    role: 'admin',
    email: `${mark}-${organizationId}@example.com`,
  });
  const person = test.as(user.token);

  const make = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await machine(method, url, body);
    deepEqual([url, answer.status, answer.status === 200 ? undefined : answer.body], [url, 200, undefined]);
    return answer.body;
  };
  const { project } = await make('POST', '/api/v1/projects', { projectName: `${mark} project` });
  const projectId: string = project.id;
  const here = { projectId, workspaceId: projectId, environment: 'dev' };
  const { identity } = await make('POST', '/api/v1/identities', {
    name: `${mark} machine`,
    organizationId,
    role: 'admin',
  });
  const { identityUniversalAuth } = await make('POST', `/api/v1/auth/universal-auth/identities/${identity.id}`, {});
  const { clientSecretData } = await make(
    'POST',
    `/api/v1/auth/universal-auth/identities/${identity.id}/client-secrets`,
    { description: mark },
  );
  for (const [kind, { least }] of Object.entries(loginMethodExamples)) {
    if (kind !== 'universal-auth') await make('POST', `/api/v1/auth/${kind}/identities/${identity.id}`, least);
  }
  const { tokenData } = await make('POST', `/api/v1/auth/token-auth/identities/${identity.id}/tokens`, { name: mark });
  await make('POST', `/api/v1/projects/${projectId}/memberships/identities/${identity.id}`, { role: 'admin' });
  await make('POST', `/api/v2/workspace/${projectId}/memberships`, { usernames: [user.email], emails: [] });
  const group = await make('POST', '/api/v1/groups', { name: `${mark} group`, slug: `${mark}-group` });
  await make('POST', `/api/v1/groups/${group.id}/users/${user.email}`);
  await make('POST', `/api/v1/projects/${projectId}/memberships/groups/${group.id}`, { role: 'viewer' });
  const { role: organizationRole } = await make('POST', '/api/v1/organization/roles', {
    slug: `${mark}-org`,
    name: mark,
    permissions: [],
  });
  const { role: projectRole } = await make('POST', `/api/v1/projects/${projectId}/roles`, {
    slug: `${mark}-project`,
    name: mark,
    permissions: [],
  });
  const { identity: projectIdentity } = await make('POST', `/api/v1/projects/${projectId}/identities`, {
    name: `${mark} of the project`,
  });
  const { projectTemplate } = await make('POST', '/api/v1/project-templates', { name: `${mark}-template` });
  const { workspaceTag: tag } = await make('POST', `/api/v1/projects/${projectId}/tags`, {
    slug: `${mark}-tag`,
    color: '',
  });
  // Active, it would close the project to everybody who calls from elsewhere.
  const { trustedIp } = await make('POST', `/api/v1/workspace/${projectId}/trusted-ips`, {
    ipAddress: '10.0.0.0/8',
    comment: mark,
    isActive: false,
  });
  const loginMappings = [{ loginUser: 'deploy', allowedPrincipals: { usernames: [user.email], groups: [group.slug] } }];
  const sshHost = await make('POST', '/api/v1/ssh/hosts', {
    projectId,
    hostname: `${mark}.ssh.example.com`,
    alias: mark,
    loginMappings,
  });
  const sshHostGroup = await make('POST', '/api/v1/ssh/host-groups', {
    projectId,
    name: `${mark}-hosts`,
    loginMappings,
  });
  await make('POST', `/api/v1/ssh/host-groups/${sshHostGroup.id}/hosts/${sshHost.id}`);
  const { folder } = await make('POST', '/api/v2/folders', { ...here, name: `${mark}-folder`, path: '/' });
  const { secret } = await make('POST', `/api/v4/secrets/${mark}`, { ...here, secretValue: `${mark} value` });
  const { secretImport } = await make('POST', '/api/v2/secret-imports', {
    ...here,
    path: '/',
    import: { environment: 'prod', path: '/' },
    isReplication: true,
  });
  const dynamic = { projectSlug: project.slug, environmentSlug: 'dev', path: '/' };
  await make('POST', '/api/v1/dynamic-secrets', {
    ...dynamic,
    name: mark,
    defaultTTL: '1h',
    provider: { type: 'totp', inputs: providerExamples['totp']!.least },
  });
  const { lease } = await make('POST', '/api/v1/dynamic-secrets/leases', { ...dynamic, dynamicSecretName: mark });
  const connection = await makeConnection(test.coffer, { organizationId, projectId, app: 'github', name: mark });
  const rotation = await makeRotation(test.coffer, { organizationId, projectId, name: mark });
  const { integrationAuth } = await make('POST', '/api/v1/integration-auth/access-token', {
    workspaceId: projectId,
    integration: 'github',
    accessToken: `${mark}-token`,
  });
  const { integration } = await make('POST', '/api/v1/integration', {
    integrationAuthId: integrationAuth.id,
    sourceEnvironment: 'dev',
    owner: mark,
    app: mark,
  });
  const { secretSync } = await make('POST', '/api/v1/secret-syncs/github', {
    ...{ name: `${mark}-sync`, projectId, connectionId: connection.id, environment: 'dev', secretPath: '/' },
    ...{ syncOptions: {}, destinationConfig: { scope: 'repository', owner: mark, repo: 'synced' } },
  });
  const externalAuthority = (type: 'acme' | 'aws-pca' | 'digicert', configuration: object) =>
    makeExternalAuthority(test.coffer, {
      ...{ organizationId, projectId, connectionId: connection.id, name: `${mark}-${type}`, type, configuration },
    });
  const acmeAuthority = await externalAuthority('acme', {
    dnsAppConnectionId: connection.id,
    dnsProviderConfig: { provider: 'route53', hostedZoneId: 'Z0123456789ABC' },
    directoryUrl: 'https://acme.example.com/directory',
    accountEmail: `${mark}@example.com`,
  });
  const awsPcaAuthority = await externalAuthority('aws-pca', {
    appConnectionId: connection.id,
    certificateAuthorityArn:
      'arn:aws:acm-pca:eu-central-1:123456789012:certificate-authority/11112222-bbbb-3333-cccc-4444dddd5555',
    region: 'eu-central-1',
  });
  const digicertAuthority = await externalAuthority('digicert', {
    ...{ appConnectionId: connection.id, organizationId: 1, productNameId: 'ssl_basic' },
  });
  const authority = await make('POST', '/api/v1/cert-manager/ca/internal', {
    projectId,
    name: `${mark}-authority`,
    configuration: { type: 'root', commonName: `${mark} Root`, keyAlgorithm: 'EC_prime256v1' },
  });
  const template = await make('POST', '/api/v1/cert-manager/certificate-templates', {
    caId: authority.id,
    name: `${mark}-template`,
    commonName: '.*',
    subjectAlternativeName: '.*',
    ttl: '30d',
  });
  const certificate = await make('POST', `/api/v1/pki/ca/${authority.id}/issue-certificate`, {
    commonName: `${mark}.example.com`,
    ttl: '1d',
  });
  const collection = await make('POST', '/api/v1/pki/collections', { projectId, name: `${mark} collection` });
  const collectionItem = await make('POST', `/api/v1/pki/collections/${collection.id}/items`, {
    type: 'ca',
    itemId: authority.id,
  });
  const alert = await make('POST', '/api/v1/pki/alerts', {
    projectId,
    pkiCollectionId: collection.id,
    name: `${mark} alert`,
    alertBeforeDays: 30,
    emails: [`${mark}@example.com`],
  });
  const subscriber = await make('POST', '/api/v1/pki/subscribers', {
    projectId,
    caId: authority.id,
    name: `${mark}-subscriber`,
    commonName: `${mark}.example.net`,
  });
  await make('POST', `/api/v1/pki/subscribers/${subscriber.name}/issue-certificate`, { projectId });
  const pkiSyncConnection = await makeConnection(test.coffer, {
    ...{ organizationId, projectId, app: 'aws', name: `${mark}-aws` },
    credentials: { method: 'access-key', accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: `${mark}-key` },
  });
  const pkiSync = await make('POST', '/api/v1/cert-manager/syncs/aws-certificate-manager', {
    ...{ projectId, name: `${mark}-pki-sync`, connectionId: pkiSyncConnection.id },
    ...{ certificateIds: [certificate.certificateId], destinationConfig: { region: 'eu-central-1' } },
  });
  const { ca: sshAuthority } = await make('POST', '/api/v1/ssh/ca', { projectId, friendlyName: `${mark} SSH` });
  const sshTemplate = await make('POST', '/api/v1/ssh/certificate-templates', {
    sshCaId: sshAuthority.id,
    name: `${mark}-ssh`,
    allowedUsers: ['*'],
    allowedHosts: ['*'],
    allowUserCertificates: true,
    allowHostCertificates: true,
    allowCustomKeyIds: true,
  });
  const sshCertificate = await make('POST', '/api/v1/ssh/certificates/issue', {
    certificateTemplateId: sshTemplate.id,
    principals: [mark],
  });
  const { key: kmsKey } = await make('POST', '/api/v1/kms/keys', { projectId, name: `${mark}-key` });
  const { webhook } = await make('POST', '/api/v1/webhooks', {
    ...here,
    webhookUrl: `https://${mark}.example/hook`,
    webhookSecretKey: `${mark} key`,
  });
  const { incidentContactsOrg } = await make('POST', `/api/v1/organization/${organizationId}/incidentContactOrg`, {
    email: `${mark}@example.com`,
  });

  const serviceToken = await person('POST', '/api/v2/service-token', {
    name: `${mark} service`,
    workspaceId: projectId,
    scopes: ['dev', 'staging', 'prod'].map((environment) => ({ environment, secretPath: '/**' })),
    permissions: ['read', 'write'],
    expiresIn: null,
  });
  equal(serviceToken.status, 200);

  const idOf = async (sql: string, ...values: string[]): Promise<string> => {
    const { rows } = await test.coffer.pool.query<{ id: string }>(sql, values);
    deepEqual([sql, rows.length], [sql, 1]);
    return rows[0]!.id;
  };
  const certificateProfile = await idOf(
    `with policy as (
       insert into certificate_policies (id, organization_id, project_id, name, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, $3, $5, $5) returning id
     )
     insert into certificate_profiles (id, organization_id, project_id, ca_id, certificate_policy_id, slug, enrollment_type,
       created_at, updated_at)
     select gen_random_uuid(), $1, $2, $4, policy.id, $3, 'acme', $5, $5 from policy returning id`,
    organizationId,
    projectId,
    `${mark}-profile`,
    authority.id,
    test.coffer.now().toISOString(),
  );
  const { certificatePolicy } = await make('POST', '/api/v1/cert-manager/certificate-policies', {
    projectId,
    name: `${mark}-used-policy`,
  });
  const { certificateProfile: issuing } = await make('POST', '/api/v1/cert-manager/certificate-profiles', {
    projectId,
    caId: authority.id,
    certificatePolicyId: certificatePolicy.id,
    slug: `${mark}-issuing`,
    enrollmentType: 'api',
  });
  const { certificateRequestId } = await make('POST', '/api/v1/cert-manager/certificates', {
    profileId: issuing.id,
    attributes: { commonName: `${mark}.example.org`, ttl: '1d' },
  });
  const membershipOf = (whose: 'user_id' | 'identity_id', id: string, where: 'is null' | '= $2', ...more: string[]) =>
    idOf(`select id from memberships where ${whose} = $1 and project_id ${where}`, id, ...more);
  const projectMembershipId = await membershipOf('user_id', user.id, '= $2', projectId);
  const privilege = { slug: `${mark}-privilege`, permissions: [], type: { isTemporary: false } };
  const { privilege: identityPrivilege } = await make('POST', '/api/v2/identity-project-additional-privilege', {
    ...privilege,
    projectId,
    identityId: identity.id,
  });
  const { privilege: userPrivilege } = await make('POST', '/api/v1/user-project-additional-privilege', {
    ...privilege,
    projectMembershipId,
  });
  // A person's writes to staging wait for approvals.
  const approvers = [{ type: 'user', id: user.id }];
  const { approval: changePolicy } = await make('POST', '/api/v1/secret-approvals', {
    ...here,
    environment: 'staging',
    name: `${mark} changes`,
    approvers,
  });
  const changeRequest = await person('POST', `/api/v4/secrets/${mark}`, {
    projectId,
    environment: 'staging',
    secretValue: `${mark} value`,
  });
  partialDeepStrictEqual(changeRequest.body.approval, { status: 'open' });
  const { approval: accessPolicy } = await make('POST', '/api/v1/access-approvals/policies', {
    projectSlug: project.slug,
    environment: 'dev',
    name: `${mark} access`,
    approvers,
  });
  const accessRequest = await person('POST', `/api/v1/access-approvals/requests?projectSlug=${project.slug}`, {
    permissions: [{ subject: 'secrets', action: 'readValue', conditions: { environment: 'dev' } }],
    isTemporary: true,
    temporaryRange: '1h',
    note: mark,
  });
  equal(accessRequest.status, 200);
  const apiKey = await person('POST', API_KEYS, { name: mark, expiresIn: 90 * 24 * 3600 });
  equal(apiKey.status, 200);
  return {
    organizationId,
    machine,
    machineToken: admin.token,
    person,
    personToken: user.token,
    service: test.as(serviceToken.body.serviceToken),
    serviceToken: serviceToken.body.serviceToken,
    keyholder: withKey(test, apiKey.body.apiKey),
    apiKey: apiKey.body.apiKey,
    has: {
      accessPolicy: accessPolicy.id,
      accessRequest: accessRequest.body.approval.id,
      certificate: certificate.certificateId,
      certificateAuthority: authority.id,
      certificateAuthorityCertificate: authority.configuration.activeCaCertId,
      certificateAuthorityKey: await idOf('select id from ca_keys where ca_id = $1', authority.id),
      certificateAlert: alert.id,
      certificateCollection: collection.id,
      certificateTemplate: template.id,
      certificatePolicy: certificatePolicy.id,
      certificateProfile,
      certificateProfileSlug: issuing.slug,
      certificateRequest: certificateRequestId,
      certificateCollectionItem: collectionItem.id,
      changePolicy: changePolicy.id,
      changeRequest: changeRequest.body.approval.id,
      accessToken: tokenData.id,
      apiKey: apiKey.body.apiKeyData.id,
      acmeAuthority: acmeAuthority.id,
      awsPcaAuthority: awsPcaAuthority.id,
      digicertAuthority: digicertAuthority.id,
      appConnection: connection.id,
      appConnectionName: connection.name,
      secretSync: secretSync.id,
      secretSyncName: secretSync.name,
      secretRotation: rotation.id,
      secretRotationName: rotation.name,
      client: identityUniversalAuth.clientId,
      clientSecret: clientSecretData.id,
      dynamicSecretName: mark,
      commit: await idOf('select id from commits where project_id = $1 order by revision limit 1', projectId),
      environment: await idOf(`select id from environments where project_id = $1 and slug = 'dev'`, projectId),
      folder: folder.id,
      group: group.id,
      identity: identity.id,
      identityMembership: await membershipOf('identity_id', identity.id, '= $2', projectId),
      identityPrivilege: identityPrivilege.id,
      identityPrivilegeSlug: identityPrivilege.slug,
      incidentContact: incidentContactsOrg.id,
      integration: integration.id,
      integrationAuth: integrationAuth.id,
      kmsKey: kmsKey.id,
      kmsKeyName: kmsKey.name,
      lease: lease.id,
      organization: organizationId,
      organizationMembership: await membershipOf('user_id', user.id, 'is null'),
      organizationRole: organizationRole.id,
      organizationRoleSlug: organizationRole.slug,
      project: projectId,
      projectIdentity: projectIdentity.id,
      projectMembership: projectMembershipId,
      projectRole: projectRole.id,
      projectRoleSlug: projectRole.slug,
      projectSlug: project.slug,
      projectTemplate: projectTemplate.id,
      secret: secret.id,
      secretImport: secretImport.id,
      secretName: mark,
      serviceToken: serviceToken.body.serviceTokenData.id,
      session: await idOf('select id from user_sessions where user_id = $1', user.id),
      snapshot: await idOf(
        'select c.id from commit_folders c join secrets s on s.commit_id = c.commit_id where s.id = $1',
        secret.id,
      ),
      sshAuthority: sshAuthority.id,
      sshSerialNumber: sshCertificate.serialNumber,
      sshTemplate: sshTemplate.id,
      pkiSync: pkiSync.id,
      pkiSyncConnection: pkiSyncConnection.id,
      subscriber: subscriber.id,
      subscriberName: subscriber.name,
      tag: tag.id,
      tagSlug: tag.slug,
      sshHost: sshHost.id,
      sshHostGroup: sshHostGroup.id,
      trustedIp: trustedIp.id,
      user: user.id,
      userMembership: await membershipOf('user_id', user.id, 'is null'),
      userPrivilege: userPrivilege.id,
      username: user.email,
      webhook: webhook.id,
    },
  };
}
