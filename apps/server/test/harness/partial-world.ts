import { makeIdentity, makeUser } from '@coffer/domain/testing';
import { ok } from './groups.ts';
import type { Thing, World } from './matrix-world.ts';
import type { Caller, TestServer } from './test-server.ts';

/** What names begin with, and the folder, that the callers of `PartialWorld` have rights to. */
const MARK = 'zopen';
const OPEN = `/${MARK}`;

/** Two callers with all rights to a part of a world, by each condition that rules have. */
export interface PartialWorld {
  readonly machine: Caller;
  readonly person: Caller;
  /** The things of that part. */
  readonly has: Readonly<Partial<Record<Thing, string>>>;
  /** The folder of that part, which imports folders of the rest. */
  readonly path: string;
  /** The name of a folder of the rest that lies in that folder. */
  readonly below: string;
}

const PLACE = { environment: 'dev', secretPath: { $glob: `${OPEN}{,/**}` } };
const NAMED = { $glob: `${MARK}*` };
const ALL = ['read', 'create', 'edit', 'delete'];

/** `secret-imports` is not among them: the sources of imports are not theirs to know. */
const RULES = [
  { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'], conditions: PLACE },
  { subject: 'secret-folders', action: ALL, conditions: PLACE },
  {
    subject: 'dynamic-secrets',
    action: ['read-root-credential', 'edit-root-credential', 'delete-root-credential', 'lease'],
    conditions: PLACE,
  },
  { subject: 'secret-rotation', action: ALL, conditions: PLACE },
  { subject: 'secret-syncs', action: ALL, conditions: PLACE },
  { subject: 'commits', action: ['read', 'perform-rollback'] },
  { subject: 'secret-rollback', action: ['read', 'create'] },
  { subject: 'cmek', action: [...ALL, 'encrypt', 'decrypt'], conditions: { keyName: NAMED } },
  { subject: 'certificate-authorities', action: ALL, conditions: { name: NAMED } },
  { subject: 'certificates', action: [...ALL, 'read-private-key'], conditions: { commonName: NAMED } },
  { subject: 'certificate-templates', action: [...ALL, 'list-certs'], conditions: { name: NAMED } },
  { subject: 'pki-subscribers', action: [...ALL, 'list-certs'], conditions: { name: NAMED } },
  { subject: 'certificate-policies', action: ALL, conditions: { name: NAMED } },
  { subject: 'certificate-profiles', action: ALL, conditions: { slug: NAMED } },
  { subject: 'pki-syncs', action: ALL, conditions: { name: NAMED } },
  { subject: 'ssh-hosts', action: ALL, conditions: { hostname: NAMED } },
];

/** A folder of the rest that lies in that part. Rules do not name it, which callers are shown as their own. */
const BELOW = 'zbelowz';
const DENIALS = RULES.filter(({ conditions }) => conditions === PLACE).map(({ subject, action }) => ({
  ...{ subject, action, inverted: true },
  conditions: { environment: 'dev', secretPath: { $glob: `${OPEN}/zb*{,/**}` } },
}));

/** Adds to a world the part that two new members see. `hidden` begins the names of the rest. */
export async function makePartialWorld(test: TestServer, world: World, hidden: string): Promise<PartialWorld> {
  const { organizationId } = world;
  const projectId = world.has.project;
  const make = (method: 'POST' | 'PATCH', url: string, body: object) => ok(world.machine(method, url, body));
  const here = { projectId, workspaceId: projectId, environment: 'dev' };
  const { folder } = await make('POST', '/api/v2/folders', { ...here, name: MARK, path: '/' });
  await make('POST', '/api/v2/folders', { ...here, name: 'below', path: OPEN });
  const at = { ...here, secretPath: OPEN };
  const { secret } = await make('POST', `/api/v4/secrets/${MARK}`, { ...at, secretValue: MARK });
  await make('POST', '/api/v4/secrets/REFERENCES', { ...at, secretValue: `\${dev.${hidden}} \${prod.ABSENT}` });
  await make('POST', '/api/v2/folders', { ...here, name: BELOW, path: OPEN });
  const below = { ...here, secretPath: `${OPEN}/${BELOW}` };
  const history = `/api/v1/projects/${projectId}/history`;
  const { tree } = await ok(world.machine('GET', `${history}/tree?environment=dev&secretPath=${OPEN}`));
  await make('POST', `/api/v4/secrets/${hidden}`, { ...below, secretValue: hidden });
  const undone = { ...below, revision: tree.revision, message: `without ${hidden}` };
  await make('POST', `${history}/restore`, undone);
  for (const path of ['/', `/${hidden}-folder`])
    await make('POST', '/api/v2/secret-imports', { ...here, path: OPEN, import: { environment: 'dev', path } });
  const { key } = await make('POST', '/api/v1/kms/keys', { projectId, name: `${MARK}-key` });
  const authority = await make('POST', '/api/v1/cert-manager/ca/internal', {
    projectId,
    name: `${MARK}-authority`,
    configuration: { type: 'root', commonName: `${MARK} Root`, keyAlgorithm: 'EC_prime256v1' },
  });
  const certificate = await make('POST', `/api/v1/pki/ca/${authority.id}/issue-certificate`, {
    commonName: `${MARK}.example.com`,
    ttl: '1d',
  });
  const subscriber = await make('POST', '/api/v1/pki/subscribers', {
    projectId,
    caId: authority.id,
    name: `${MARK}-subscriber`,
    commonName: `${MARK}.example.net`,
  });
  const host = await make('POST', '/api/v1/ssh/hosts', { projectId, hostname: `${MARK}.ssh.example.com` });
  await make('POST', `/api/v1/projects/${projectId}/roles`, {
    slug: MARK,
    name: MARK,
    permissions: [...RULES, ...DENIALS],
  });
  const none = { organizationId, organizationRole: 'no-access', projectId, projectRole: 'no-access' };
  const machine = await makeIdentity(test.coffer, none);
  const roles = [{ role: MARK, isTemporary: false }];
  await make('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${machine.id}`, { roles });
  const person = await makeUser(test.coffer, { organizationId, role: 'no-access' });
  const member = { usernames: [person.email], emails: [], roleSlugs: [MARK] };
  await make('POST', `/api/v1/projects/${projectId}/memberships`, member);
  return {
    machine: test.as(machine.token),
    person: test.as(person.token),
    path: OPEN,
    below: BELOW,
    has: {
      folder: folder.id,
      secret: secret.id,
      secretName: MARK,
      kmsKey: key.id,
      kmsKeyName: key.name,
      certificateAuthority: authority.id,
      certificate: certificate.certificateId,
      subscriber: subscriber.id,
      subscriberName: subscriber.name,
      sshHost: host.id,
    },
  };
}
