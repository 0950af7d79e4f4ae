// @long: makes a project with one of everything for each rule
import { appRouter, openApiDocument, operationsOf, permissionsOf } from '@coffer/api';
import { organizationSubjects, projectSubjects } from '@coffer/domain';
import { sampleOf, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { allBut, callerOf, makeLimitedMembers } from '../harness/limited-members.ts';
import { ask, nameOf } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type World } from '../harness/matrix-world.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

interface Ending {
  readonly place: 'project' | 'organization';
  /** The permission to end it. */
  readonly subject: string;
  readonly action: string;
  /** The rows of what stands. */
  readonly rows: string;
}

const inProject = (subject: string, rows = subject.replaceAll('-', '_'), action = 'delete'): Ending => ({
  ...{ place: 'project', subject, action, rows },
});
const inOrganization = (subject: string, action: string, rows: string): Ending => ({
  ...{ place: 'organization', subject, action, rows },
});

/** What can end with something else, and by which permission it ends alone. */
const ENDINGS: readonly Ending[] = [
  inProject('secrets'),
  inProject('secret-folders', 'folders where not is_reserved'),
  inProject('secret-imports'),
  inProject('dynamic-secrets', 'dynamic_secrets', 'delete-root-credential'),
  inProject('secret-syncs', 'secret_syncs where given is null'),
  inProject('integrations', 'secret_syncs where given is not null'),
  inProject('webhooks'),
  inProject('secret-approval', 'approval_policies where deleted_at is null'),
  inProject('certificates'),
  inProject('certificate-templates'),
  inProject('certificate-profiles'),
  inProject('certificate-policies'),
  inProject('pki-subscribers'),
  inProject('pki-collections'),
  inProject('pki-alerts'),
  inProject('pki-syncs'),
  inProject('ssh-certificate-templates'),
  inProject('ssh-certificates', 'ssh_certificates where revoked_at is null'),
  inProject('ssh-hosts'),
  inProject('ssh-host-groups'),
  inProject('cmek', 'kms_keys where deletion_at is null'),
  inProject('tags'),
  inProject('app-connections', 'app_connections where name is not null'),
  inOrganization('identity', 'delete-token', 'client_secrets where not is_revoked'),
  inOrganization('identity', 'revoke-auth', 'identity_auth_methods'),
  inOrganization('groups', 'remove-members', 'group_members'),
];

/** Whoever may delete a project or the organization ends all that is in it (docs/security.md). */
const ENDS_ALL = /\/(?:workspace|projects|organizations?)\/\{\w+\}$/;
/** Deleted last, in this order, since most is in them. */
const HOLDING = [/\/folders\/\{folderId\}$/, /\/environments\/\{id\}$/];
const orderOf = ({ operation: { url } }: Sample): number => HOLDING.findIndex((pattern) => pattern.test(url));

let test: TestServer;
let deletions: Sample[];
beforeAll(async () => {
  test = await testServer({ poolSize: 2 });
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  deletions = operationsOf(appRouter)
    .filter(({ method, url, meta }) => method === 'DELETE' && typeof meta.needs === 'object' && !ENDS_ALL.test(url))
    .map((operation) => new Sample(operation, document))
    .toSorted((a, b) => orderOf(a) - orderOf(b));
}, searchTime(60_000));
afterAll(() => test.close());

let number = 0;
/** A project with one of everything, in which nothing at other systems keeps an environment. */
async function world(): Promise<World> {
  const made = await makeWorld(test, `zends${number++}`);
  await ok(made.machine('DELETE', `/api/v2/secret-rotations/postgres-credentials/${made.has.secretRotation}`));
  await test.owner.query('delete from dynamic_secret_leases where organization_id = $1', [made.organizationId]);
  return made;
}

async function countOf({ rows }: Ending, { organizationId }: World): Promise<number> {
  const { rows: counted } = await test.owner.query<{ count: number }>(
    `select count(*)::integer as count from (select * from ${rows}) t where t.organization_id = $1`,
    [organizationId],
  );
  return counted[0]!.count;
}

/** The deletions of something else after which fewer stand, by somebody with all rights, or all but the one to end them. */
async function deletionsThatEnd(ending: Ending, isForbidden: boolean): Promise<string[]> {
  const { place, subject, action } = ending;
  const made = await world();
  const denial = isForbidden ? [{ subject, action, inverted: true }] : [];
  const callers = await makeLimitedMembers(test, made, {
    slug: `limited-${number++}`,
    organization: [...allBut(organizationSubjects, []), ...(place === 'organization' ? denial : [])],
    projectId: made.has.project,
    project: [...allBut(projectSubjects, []), ...(place === 'project' ? denial : [])],
  });
  const found: string[] = [];
  let before = await countOf(ending, made);
  const own = `${place}:${subject}:${action}`;
  const others = deletions.filter(
    ({ operation: { meta } }) => !permissionsOf(meta.needs).some(({ key }) => key === own),
  );
  for (const sample of others) {
    const { status } = await ask(
      callerOf(callers, sample.operation),
      sample,
      sample.input((thing) => made.has[thing]),
    );
    const after = status < 300 ? await countOf(ending, made) : before;
    if (after < before) found.push(nameOf(sample.operation));
    before = after;
  }
  return found;
}

describe('attack: what a rule forbids to end', () => {
  it(
    'ends with nothing else, by any deletion',
    async () => {
      const found: Record<string, string[]> = {};
      for (const ending of sampleOf(ENDINGS, 2)) {
        const by = await deletionsThatEnd(ending, true);
        if (by.length > 0) found[`${ending.subject}: ${ending.action}`] = by;
      }
      expect(found).toEqual({});
    },
    searchTime(600_000),
  );

  it.each<[what: string, by: string]>([
    ['secret-syncs', 'DELETE /api/v1/projects/{projectId}/environments/{id}'],
    ['webhooks', 'DELETE /api/v1/projects/{projectId}/environments/{id}'],
    ['certificates', 'DELETE /api/v1/cert-manager/ca/internal/{caId}'],
    ['pki-alerts', 'DELETE /api/v1/pki/collections/{collectionId}'],
    ['groups', 'DELETE /api/v1/groups/{id}'],
  ])(
    'ends with something else where nothing is forbidden: %s',
    async (what, by) => {
      const ending = ENDINGS.find(({ subject }) => subject === what)!;
      expect(await deletionsThatEnd(ending, false)).toContain(by);
    },
    searchTime(60_000),
  );
});
