import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { runs, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueBy, makeIssuer, NEWER, ok, ordered, type Issuer } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { issuingServer } from '../../harness/issuing.ts';
import type { Caller, TestServer } from '../../harness/test-server.ts';

const LONG = searchTime(600_000);
let test: TestServer;
let projectId: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, ca } = await issuingServer());
});
afterAll(() => test.close());

type Rules = NonNullable<Parameters<TestServer['identity']>[0]>['rules'];
const create = (conditions?: Record<string, unknown>, more: object = {}) => ({
  ...{ subject: 'certificates', action: 'create', ...more },
  ...(conditions && { conditions }),
});
const member = async (rules: Rules): Promise<Caller> => (await test.identity({ projectId, rules })).call;
const signs = (call: Caller, csr: string, more: object = {}) =>
  call('POST', `/api/v1/pki/ca/${ca.id}/sign-certificate`, { csr, ttl: '1d', ...more });
const called = (subject: string) => makeRequest({ subject }).csr;
const rulesOf = ({ body }: { body: { details?: { findings?: { rule: string }[] } } }) =>
  body.details?.findings?.map(({ rule }) => rule);

describe('the subject of a certificate', () => {
  it('is issued from a request with a common name, and refused with what nothing allows', async () => {
    expect((await signs(test.admin, called('/CN=app.example.com'))).status).toBe(200);
    for (const [subject, rule] of [
      ['/CN=app.example.com/O=system:masters', 'organization'],
      ['/CN=app.example.com/OU=Ops', 'organizational_unit'],
      ['/CN=app.example.com/C=DE', 'country'],
      ['/CN=app.example.com/ST=Bavaria', 'province'],
      ['/CN=app.example.com/L=Rome', 'locality'],
      ['/DC=com/DC=example/CN=app.example.com', 'domain_component'],
    ] as const) {
      const answer = await signs(test.admin, called(subject));
      expect([answer.status, rulesOf(answer)]).toEqual([400, [`certificate.${rule}`]]);
    }
  });

  it('has the attributes that a condition of the caller names', async () => {
    const call = await member([create({ organization: 'Example', organizationalUnit: { $glob: 'Team *' } })]);
    const { certificate } = ok(await signs(call, called('/O=Example/OU=Team A/CN=app.example.com')));
    expect(new X509Certificate(certificate).subject.split('\n').toSorted()).toEqual(
      ['CN=app.example.com', 'O=Example', 'OU=Team A'].toSorted(),
    );
    expect((await signs(call, called('/O=Example/OU=Ops/CN=app.example.com'))).status).toBe(403);
    expect((await signs(call, called('/O=Example/OU=Team A/L=Rome/CN=app.example.com'))).status).toBe(400);
  });

  it('is judged by every generated set of rules as a naive reading does', { timeout: LONG }, async () => {
    const subjects = ['', '/O=Example', '/O=Other', '/OU=Ops', '/O=Example/OU=Ops', '/C=DE', '/O=Example/C=DE'];
    const requests = new Map(subjects.map((text) => [text, called(`${text}/CN=app.example.com`)]));
    const fields = { O: 'organization', OU: 'organizationalUnit', C: 'country' } as const;
    const values = { O: ['Example', 'Other'], OU: ['Ops'], C: ['DE', 'FR'] } as const;
    type Short = keyof typeof fields;
    const rule = fc.record({
      inverted: fc.boolean(),
      conditions: fc.uniqueArray(
        fc
          .constantFrom<Short>('O', 'OU', 'C')
          .chain((short) => fc.tuple(fc.constant(short), fc.constantFrom(...values[short]))),
        { maxLength: 2, selector: ([short]) => short },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 3 }), async (drawn) => {
        const rules = drawn.map(({ inverted, conditions }) =>
          create(Object.fromEntries(conditions.map(([short, value]) => [fields[short], value])), { inverted }),
        );
        const call = await member(rules);
        for (const [text, csr] of requests) {
          const has = new Map(
            text
              .split('/')
              .slice(1)
              .map((part) => part.split('=') as [Short, string]),
          );
          const says = (of: typeof drawn) =>
            of.findLast(({ conditions }) => conditions.every(([short, value]) => has.get(short) === value));
          const isAllowed = (of: typeof drawn) => says(of)?.inverted === false;
          const naming = (short: Short) =>
            drawn.filter(({ inverted, conditions }) => inverted || conditions.some(([one]) => one === short));
          const isNamed = [...has.keys()].every((short) => isAllowed(naming(short)));
          const status = !isAllowed(drawn) ? 403 : isNamed ? 200 : 400;
          expect([drawn, text, (await signs(call, csr)).status]).toEqual([drawn, text, status]);
        }
      }),
      { numRuns: runs(20, 1_000) },
    );
  });

  it('is allowed by a policy, or set by the profile itself', async () => {
    const url = '/api/v1/cert-manager';
    const make = async (subject: object[], defaults?: object) => {
      const name = `policy-${crypto.randomUUID()}`;
      const policy = ok(await test.admin('POST', `${url}/certificate-policies`, { projectId, name, subject }));
      const profile = {
        projectId,
        caId: ca.id,
        certificatePolicyId: policy.certificatePolicy.id,
        slug: name,
        defaults,
      };
      const made = await test.admin('POST', `${url}/certificate-profiles`, { ...profile, enrollmentType: 'api' });
      return ok(made).certificateProfile.id as string;
    };
    const order = async (profileId: string, attributes: object, csr?: string) =>
      test.admin('POST', NEWER, { profileId, csr, attributes: { ttl: '1d', ...attributes } });
    const silent = await make([]);
    const named = await make([{ type: 'organization', allowed: ['Example'] }]);
    const usual = await make([], { organization: 'Example' });
    const asked = called('/CN=app.example.com/O=Example');
    for (const [profileId, status] of [
      [silent, 400],
      [named, 200],
      [usual, 200],
    ] as const) {
      expect((await order(profileId, {}, asked)).status).toBe(status);
      expect((await order(profileId, { commonName: 'a', organization: 'Example' })).status).toBe(status);
      expect((await order(profileId, { commonName: 'a', organization: 'system:masters' })).status).toBe(400);
      expect((await order(profileId, {}, called('/CN=app.example.com/O=system:masters'))).status).toBe(400);
    }
  });

  it('is used by permissions on existing certificates', async () => {
    const call = await member([create({ organization: 'Seen' })]);
    const { certificateId } = ok(await signs(call, called('/O=Seen/CN=app.example.com')));
    const reads = (conditions: object) => member([{ subject: 'certificates', action: 'read', conditions } as never]);
    const [same, other] = [await reads({ organization: 'Seen' }), await reads({ organization: 'Nobody' })];
    expect((await same('GET', `${NEWER}/${certificateId}`)).status).toBe(200);
    expect((await other('GET', `${NEWER}/${certificateId}`)).status).toBe(403);
    const { certificates } = ok(await same('GET', `${NEWER}?projectId=${projectId}`));
    expect(certificates).toHaveLength(1);
    expect(ok(await other('GET', `${NEWER}?projectId=${projectId}`)).certificates).toEqual([]);
  });
});

describe('a rule that forbids a name', () => {
  it.each([
    'admin.example.com',
    { $glob: 'admin.*' },
    { $glob: '*admin*.example.com' },
    { $in: ['root.example.com', 'admin.example.com'] },
    { $glob: '{admin,root}.example.com' },
  ])('forbids wildcards that cover it: %j', async (altNames) => {
    const { id } = await makeIssuer(test, projectId);
    const asks = (call: Caller, name: string) =>
      call('POST', `/api/v1/pki/ca/${id}/issue-certificate`, ordered({ commonName: name, altNames: name }));
    const rules = [create(), create({ altNames }, { inverted: true })];
    const call = await member(rules);
    expect((await asks(call, 'app.example.com')).status).toBe(200);
    const isAnywhere = typeof altNames === 'object' && altNames.$glob === 'admin.*';
    expect((await asks(call, '*.example.org')).status).toBe(isAnywhere ? 403 : 200);
    expect((await asks(call, 'admin.example.com')).status).toBe(403);
    expect((await asks(call, '*.example.com')).status).toBe(403);
  });

  it('hides wildcards that cover it, if it forbids to read', async () => {
    const { certificateId } = await issueBy(test, ca.id, { commonName: '*.seen.example', altNames: '*.seen.example' });
    const read = { subject: 'certificates', action: 'read' };
    const call = await member([read, { ...read, inverted: true, conditions: { altNames: 'admin.seen.example' } }]);
    expect((await call('GET', `${NEWER}/${certificateId}`)).status).toBe(403);
    const { certificates } = ok(await call('GET', `${NEWER}?projectId=${projectId}&limit=100`));
    expect(certificates.map(({ id }: { id: string }) => id)).not.toContain(certificateId);
  });
});
