import { projectSubjects, type Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CA, createAuthority, NEWER, ok, V1, nameOf, type Issuer } from '../harness/certificates.ts';
import { giveForAnHour } from '../harness/field-changes.ts';
import { issuingServer, makeProfile } from '../harness/issuing.ts';
import { createKey, KEYS } from '../harness/kms.ts';
import { HOSTS, hostUrl } from '../harness/ssh-hosts.ts';
import { subscriberUrl, SUBSCRIBERS } from '../harness/subscribers.ts';
import type { Answer, Caller, TestServer } from '../harness/test-server.ts';

/** An actor changes fields that rules use, so that more is allowed afterwards, or less is forbidden. */

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
  /** No name, tag or metadata that somebody chooses. */
  readonly isState?: true;
  /** What changes it. */
  readonly edit: string;
  /** A condition on one value of the field, if it has an unusual form. */
  readonly is?: (value: string) => NonNullable<Rule['conditions']>;
  /** The old value, the new one, and another one; default: any names. */
  readonly values?: readonly [from: string, to: string, third: string];
  /** Creates a resource with this value; returns a function that changes it. */
  readonly create: (value: string) => Promise<(call: Caller, to: string) => Promise<Answer>>;
}

const issue = async (more: object): Promise<string> => {
  const body = { caId: ca.id, commonName: 'app.example.com', altNames: 'app.example.com', ttl: '30d', ...more };
  return ok(await test.admin('POST', `${V1}/issue-certificate`, body)).certificateId;
};

/** Every field that conditions name and an operation can change, as `subject.field`. */
const CHANGEABLE: Readonly<Record<string, Changeable>> = {
  'certificate-authorities.name': {
    edit: 'edit',
    create: async (name) => {
      const { id } = await createAuthority(test.admin, { projectId, more: { name } });
      return (call, to) => call('PATCH', `${CA}/${id}`, { name: to });
    },
  },
  'certificates.friendlyName': {
    edit: 'edit',
    create: async (friendlyName) => {
      const id = await issue({ friendlyName });
      return (call, to) => call('PATCH', `${NEWER}/${id}`, { friendlyName: to });
    },
  },
  'certificates.status': {
    edit: 'delete',
    isState: true,
    values: ['active', 'revoked', 'expired'],
    create: async () => {
      const id = await issue({});
      return (call) => call('POST', `${NEWER}/${id}/revoke`, { revocationReason: 'SUPERSEDED' });
    },
  },
  'certificate-templates.name': {
    edit: 'edit',
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
  'pki-subscribers.name': {
    edit: 'edit',
    create: async (name) => {
      const body = { projectId, caId: ca.id, name, commonName: 'app.example.com', ttl: '30d' };
      ok(await test.admin('POST', SUBSCRIBERS, body));
      return (call, to) => call('PATCH', subscriberUrl(name), { projectId, name: to });
    },
  },
  'certificate-policies.name': {
    edit: 'edit',
    create: async (name) => {
      const { certificatePolicy } = ok(
        await test.admin('POST', `${MANAGER}/certificate-policies`, { projectId, name }),
      );
      return (call, to) => call('PATCH', `${MANAGER}/certificate-policies/${certificatePolicy.id}`, { name: to });
    },
  },
  'certificate-profiles.slug': {
    edit: 'edit',
    create: async (slug) => {
      const { profileId } = await makeProfile(test, { projectId, caId: ca.id, slug });
      return (call, to) => call('PATCH', `${MANAGER}/certificate-profiles/${profileId}`, { slug: to });
    },
  },
  'cmek.keyName': {
    edit: 'edit',
    create: async (name) => {
      const { id } = await createKey(test.admin, projectId, { name });
      return (call, to) => call('PATCH', `${KEYS}/${id}`, { name: to });
    },
  },
  'ssh-hosts.hostname': {
    edit: 'edit',
    create: async (hostname) => {
      const host = ok(await test.admin('POST', HOSTS, { projectId, hostname }));
      return (call, to) => call('PATCH', hostUrl(host), { hostname: to });
    },
  },
  'dynamic-secrets.metadata': {
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

const conditional = Object.entries(projectSubjects).flatMap(([subject, entry]) =>
  'conditions' in entry ? entry.conditions.map((field) => `${subject}.${field}`) : [],
);

/** Places are changed by moves and renames, the fields of secrets also by writes: these have searches of their own. */
const isElsewhere = (field: string) => /^secrets\.|\.(environment|secretPath)$/.test(field);
/** No operation changes them; certificates are immutable. */
const FIXED = [
  ...[
    'commonName',
    'altNames',
    'serialNumber',
    'organization',
    'organizationalUnit',
    'country',
    'state',
    'locality',
  ].map((field) => `certificates.${field}`),
  ...['identity.identityId', 'pki-syncs.name', 'app-connections.connectionId'],
];

describe('attack: changing fields that rules use', () => {
  it('is tried with every field that conditions name', () => {
    const known = [...Object.keys(CHANGEABLE), ...FIXED];
    expect(conditional.filter((field) => !isElsewhere(field)).toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.keys(CHANGEABLE))(
    '%s: gains no permission of other values, and lifts no denial of this one',
    async (name) => {
      const { others, valuesOf, base, only, except, create } = changeOf(name);
      const found: unknown[] = [];
      for (const action of others) {
        const [from, to, third] = valuesOf();
        const change = await create(from);
        const tried: Answer[] = [];
        for (const rules of [only(action, to), except(action, from), only(action, third)]) {
          const { call, leave } = await machine([base(), ...rules]);
          tried.push(await change(call, to));
          await leave();
        }
        found.push([action, ...tried.map(said)]);
      }
      // What gains nothing is done.
      expect(found).toEqual(others.map((action) => [action, REFUSED, REFUSED, DONE]));
    },
  );

  it.each(Object.keys(CHANGEABLE))(
    '%s: gives others no permission that the caller lacks, now or later',
    async (name) => {
      const { others, valuesOf, base, only, except, never, create } = changeOf(name);
      const found: unknown[] = [];
      for (const action of others) {
        const [from, to] = valuesOf();
        const change = await create(from);
        const own = await machine([base()]);
        const tried: Answer[] = [];
        const isGivenTo = async ({ call, leave }: Machine) => {
          tried.push(await change(call, to));
          await leave();
        };
        for (const rules of [only(action, to), except(action, from)]) {
          const other = await machine(rules);
          tried.push(await change(own.call, to));
          await other.leave();
        }
        const [begins, ends] = [await machine([base()]), await machine([base(), ...only(action, to)])];
        await begins.privilege(only(action, to), inAnHour());
        await isGivenTo(begins);
        await ends.privilege(never(action));
        await isGivenTo(ends);
        // An actor that left has no rights.
        tried.push(await change(own.call, to));
        found.push([action, ...tried.map(said)]);
      }
      expect(found).toEqual(others.map((action) => [action, REFUSED, REFUSED, REFUSED, REFUSED, DONE]));
    },
  );
});

describe('attack: renaming a resource to where the caller may not create it', () => {
  const chosen = Object.keys(CHANGEABLE).filter((name) => !CHANGEABLE[name]!.isState);
  const onThing = (name: string) => {
    const { valuesOf, is, subject, edit, actions, create } = changeOf(name);
    const action = (verb: string) => [actions.find((one) => one === verb || one === `${verb}-root-credential`)!];
    return { create, edit, is, values: valuesOf(), all: { subject, action: [...actions] }, subject, action };
  };
  const attempt = async (change: (call: Caller) => Promise<Answer>, rules: Rule[]): Promise<unknown> => {
    const { call, leave } = await machine(rules);
    const answer = await change(call);
    await leave();
    return said(answer);
  };

  it.each(chosen)('%s: is rejected if a rule forbids to create it so, also without a condition', async (name) => {
    const { create, edit, is, values, all, subject, action } = onThing(name);
    const [from, to, third] = values;
    const change = await create(from);
    const forbid = (conditions?: Rule['conditions']): Rule => ({
      ...{ subject, action: action('create'), inverted: true, ...(conditions && { conditions }) },
    });
    const give = (call: Caller) => change(call, to);
    expect([
      await attempt(give, [all, forbid(is(to))]),
      await attempt(give, [all, forbid()]),
      await attempt(give, [all, forbid(is(third))]),
    ]).toEqual([REFUSED, REFUSED, DONE]);
    // Whoever may edit alone changes what no rule forbids.
    const again = await create(values[2]);
    const [other] = changeOf(name).valuesOf();
    expect(await attempt((call) => again(call, other), [{ subject, action: [edit] }])).toEqual(DONE);
  });

  it.each(chosen.filter((name) => !name.endsWith('.metadata')))(
    '%s: keeps its name if a rule forbids to delete it',
    async (name) => {
      const { create, is, values, all, subject, action } = onThing(name);
      const [from, to, third] = values;
      const change = await create(from);
      const forbid = (conditions?: Rule['conditions']): Rule => ({
        ...{ subject, action: action('delete'), inverted: true, ...(conditions && { conditions }) },
      });
      const give = (call: Caller) => change(call, to);
      expect([
        await attempt(give, [all, forbid(is(from))]),
        await attempt(give, [all, forbid()]),
        await attempt(give, [all, forbid(is(third))]),
      ]).toEqual([REFUSED, REFUSED, DONE]);
    },
  );

  it('a dynamic secret keeps the name by which leases are requested if a rule forbids to delete it', async () => {
    const may = (action: readonly string[]): Rule => ({ subject: 'dynamic-secrets', action: [...action] });
    const all = may(projectSubjects['dynamic-secrets'].actions);
    const place = { projectSlug, environmentSlug: 'dev', path: '/' };
    const guarded = { metadata: { $elemMatch: { key: 'protected', value: 'yes' } } };
    const metadata = [{ key: 'protected', value: 'yes' }];
    const make = (call: Caller, name: string, more: object = {}) =>
      call('POST', DYNAMIC, { ...place, name, provider: totp, defaultTTL: '1h', ...more });
    const [name, other] = [value(nameOf('login')), value(nameOf('other'))];
    ok(await make(test.admin, name, { metadata }));
    const change =
      (data: object, of = name) =>
      (call: Caller) =>
        call('PATCH', `${DYNAMIC}/${of}`, { ...place, data });
    const forbid = (verb: string): Rule => ({
      ...{ ...may([`${verb}-root-credential`]), conditions: guarded, inverted: true },
    });
    const { call } = await machine([all, forbid('delete'), forbid('create')]);
    expect(said(await call('DELETE', `${DYNAMIC}/${name}`, place))).toEqual(REFUSED);
    expect(said(await change({ newName: other })(call))).toEqual(REFUSED);
    // The genuine one is still the one that others lease from; a forged one does not come under their rules.
    expect((await make(call, name)).status).toBe(400);
    ok(await make(call, other));
    expect(said(await change({ metadata }, other)(call))).toEqual(REFUSED);
    const consumer = await machine([{ ...may(['lease']), conditions: guarded }]);
    const leased = (dynamicSecretName: string) =>
      consumer.call('POST', `${DYNAMIC}/leases`, { ...place, dynamicSecretName });
    expect(said(await leased(other))).toEqual(REFUSED);
    ok(await leased(name));
    // Metadata leave it where it is; with `edit` alone a name is given that no rule forbids.
    expect(await attempt(change({ newName: `${other}-2` }, other), [all, forbid('delete')])).toEqual(DONE);
    expect(await attempt(change({ newName: `${name}-2` }), [may(['edit-root-credential'])])).toEqual(DONE);
  });
});

const REFUSED = [403, 'PermissionDenied'];
const DONE = [200, undefined];
const said = ({ status, body }: Answer): unknown[] => [status, body.error];
const inAnHour = () => new Date(test.coffer.now().getTime() + 3_600_000);

/** The other actions on a resource with the field, the values to try, and rules on them. */
function changeOf(name: string) {
  const [subject, field] = name.split('.') as [keyof typeof projectSubjects, string];
  const { edit, is = (one: string) => ({ [field]: one }), values, create } = CHANGEABLE[name]!;
  return {
    ...{ create, subject, edit, is },
    actions: projectSubjects[subject].actions as readonly string[],
    others: projectSubjects[subject].actions.filter((action) => action !== edit),
    valuesOf: () => values ?? ([value(nameOf('from')), value(nameOf('to')), value(nameOf('third'))] as const),
    never: (action: string): Rule[] => [{ subject, action: [action], inverted: true }],
    base: (): Rule => ({ subject, action: [edit] }),
    only: (action: string, one: string): Rule[] => [{ subject, action: [action], conditions: is(one) }],
    except: (action: string, one: string): Rule[] => [
      { subject, action: [action] },
      { subject, action: [action], conditions: is(one), inverted: true },
    ],
  };
}

/** A machine identity in the project. */
async function machine(rules: Rule[]) {
  const { id: identityId, call } = await test.identity({ projectId, rules });
  return {
    call,
    leave: async () =>
      void ok(await test.admin('DELETE', `/api/v2/workspace/${projectId}/identity-memberships/${identityId}`)),
    privilege: (permissions: readonly Rule[], starts?: Date) =>
      giveForAnHour(test, { identityId, projectId }, permissions, starts),
  };
}
type Machine = Awaited<ReturnType<typeof machine>>;
