import { projectSubjects } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CA, createAuthority, NEWER, ok, V1, nameOf, type Issuer } from '../testing/certificates.ts';
import { issuingServer, makeProfile } from '../testing/issuing.ts';
import { subscriberUrl, SUBSCRIBERS } from '../testing/subscribers.ts';
import type { Answer, Caller, TestServer } from '../testing/test-server.ts';

/** Somebody changes what rules look at, so that more is allowed afterwards, or less is forbidden. */

let test: TestServer;
let projectId: string;
let projectSlug: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, slug: projectSlug, ca } = await issuingServer());
});
afterAll(() => test.close());

const MANAGER = '/api/v1/cert-manager';
const TEMPLATES = '/api/v1/pki/certificate-templates';
const DYNAMIC = '/api/v1/dynamic-secrets';
const totp = { type: 'totp', inputs: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' } };
const value = (name: string) => name.toLowerCase();

interface Changeable {
  readonly edit: string;
  /** The field of the thing that rules look at, as a condition on one value of it. */
  readonly is: (value: string) => object;
  /** Creates a thing with this value; what changes it to another value. */
  readonly create: (value: string) => Promise<(call: Caller, to: string) => Promise<Answer>>;
}

const is = (field: string) => (one: string) => ({ [field]: one });

/** Every subject with conditions on a field that an operation can change. */
const CHANGEABLE: Readonly<Record<string, Changeable>> = {
  'certificate-authorities': {
    edit: 'edit',
    is: is('name'),
    create: async (name) => {
      const { id } = await createAuthority(test.admin, { projectId, more: { name } });
      return (call, to) => call('PATCH', `${CA}/${id}`, { name: to });
    },
  },
  certificates: {
    edit: 'edit',
    is: is('friendlyName'),
    create: async (friendlyName) => {
      const body = {
        caId: ca.id,
        commonName: 'app.example.com',
        altNames: 'app.example.com',
        ttl: '30d',
        friendlyName,
      };
      const { serialNumber, certificateId } = ok(await test.admin('POST', `${V1}/issue-certificate`, body));
      expect(serialNumber).toBeDefined();
      return (call, to) => call('PATCH', `${NEWER}/${certificateId}`, { friendlyName: to });
    },
  },
  'certificate-templates': {
    edit: 'edit',
    is: is('name'),
    create: async (name) => {
      const { id } = ok(
        await test.admin('POST', TEMPLATES, {
          caId: ca.id,
          name,
          commonName: '.*',
          subjectAlternativeName: '.*',
          ttl: '30d',
        }),
      );
      return (call, to) => call('PATCH', `${TEMPLATES}/${id}`, { name: to });
    },
  },
  'pki-subscribers': {
    edit: 'edit',
    is: is('name'),
    create: async (name) => {
      const body = { projectId, caId: ca.id, name, commonName: 'app.example.com', ttl: '30d' };
      ok(await test.admin('POST', SUBSCRIBERS, body));
      return (call, to) => call('PATCH', subscriberUrl(name), { projectId, name: to });
    },
  },
  'certificate-policies': {
    edit: 'edit',
    is: is('name'),
    create: async (name) => {
      const { certificatePolicy } = ok(
        await test.admin('POST', `${MANAGER}/certificate-policies`, { projectId, name }),
      );
      return (call, to) => call('PATCH', `${MANAGER}/certificate-policies/${certificatePolicy.id}`, { name: to });
    },
  },
  'certificate-profiles': {
    edit: 'edit',
    is: is('slug'),
    create: async (slug) => {
      const { profileId } = await makeProfile(test, { projectId, caId: ca.id, slug });
      return (call, to) => call('PATCH', `${MANAGER}/certificate-profiles/${profileId}`, { slug: to });
    },
  },
  'dynamic-secrets': {
    edit: 'edit-root-credential',
    is: (one) => ({ metadata: { $elemMatch: { key: 'team', value: one } } }),
    create: async (team) => {
      const name = nameOf('totp');
      const place = { projectSlug, environmentSlug: 'dev', path: '/' };
      const metadata = [{ key: 'team', value: team }];
      ok(await test.admin('POST', DYNAMIC, { ...place, name, provider: totp, defaultTTL: '1h', metadata }));
      return (call, to) =>
        call('PATCH', `${DYNAMIC}/${name}`, { ...place, data: { metadata: [{ key: 'team', value: to }] } });
    },
  },
};

/** Their fields are changed by moves and renames, which have searches of their own; or by nothing that is offered. */
const ELSEWHERE = ['secrets', 'secret-folders', 'secret-imports', 'secret-events'];
const FIXED = ['identity', 'secret-rotation', 'secret-syncs', 'pki-syncs', 'ssh-hosts', 'app-connections'];

const conditional = Object.entries(projectSubjects).filter(([, entry]) => 'conditions' in entry);

describe('attack: changing what rules look at', () => {
  it('is tried with every subject that has conditions', () => {
    const known = [...Object.keys(CHANGEABLE), ...ELSEWHERE, ...FIXED];
    expect(conditional.map(([subject]) => subject).toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.keys(CHANGEABLE))(
    '%s: gives no action that is allowed under other values only, nor one that is forbidden under this one',
    async (subject) => {
      const { edit, is: isValue, create } = CHANGEABLE[subject]!;
      const { actions } = projectSubjects[subject as keyof typeof projectSubjects];
      const others = actions.filter((action) => action !== edit);
      const found: unknown[] = [];
      for (const action of others) {
        const [from, to, third] = [value(nameOf('from')), value(nameOf('to')), value(nameOf('third'))] as const;
        const base = { subject, action: [edit] };
        const change = await create(from);
        const only = (one: string) => [base, { subject, action: [action], conditions: isValue(one) }];
        const except = (one: string) => [
          { subject, action: [edit, action] },
          { subject, action: [action], conditions: isValue(one), inverted: true },
        ];
        const as = async (rules: object[]) => (await test.identity({ projectId, rules: rules as never })).call;
        const gains = [await change(await as(only(to)), to), await change(await as(except(from)), to)];
        // What gains nothing is done.
        const innocent = await change(await as(only(third)), to);
        found.push([action, ...gains.map(({ status, body }) => [status, body.error]), innocent.status]);
      }
      const refused = [403, 'PermissionDenied'];
      expect(found).toEqual(others.map((action) => [action, refused, refused, 200]));
    },
  );
});
