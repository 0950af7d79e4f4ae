import { runs, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptedFor, type Accepted } from '../harness/certificate-worlds/accepted.ts';
import {
  worlds,
  type CertificateRule,
  type Order,
  type Restrictions,
  type World,
} from '../harness/certificate-worlds/arbitrary.ts';
import { againstPolicy, againstRules, againstTemplate } from '../harness/certificate-worlds/objections.ts';
import { Certificates, makeIssuer, nameOf, NEWER, ok, V1, type Issuer } from '../harness/certificates.ts';
import { makeRequest } from '../harness/csr.ts';
import { openssl } from '../harness/openssl.ts';
import { SUBSCRIBERS, subscriberUrl } from '../harness/subscribers.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';
import { expectNoObjections } from '../harness/worlds.ts';

const WORLDS = runs(4, 1_000);
const MANAGER = '/api/v1/cert-manager';

let test: TestServer;
let of: Certificates;
let projectId: string;
/** Without names: what is asked for comes with it. */
let csr: string;
beforeAll(async () => {
  test = await testServer();
  of = await Certificates.in(test);
  projectId = of.projectId;
  ({ csr } = makeRequest({ subject: '/' }));
});
afterAll(() => test.close());

/** What holds when a certificate is issued. */
interface Terms extends Restrictions {
  readonly rules: readonly CertificateRule[];
}

/** What issues certificates in a world. */
interface Place {
  readonly ca: Issuer;
  readonly policyId: string;
  readonly profileId: string;
  readonly templateId: string;
}

async function placeFor({ nameConstraints, before }: Pick<World, 'nameConstraints' | 'before'>): Promise<Place> {
  const { admin } = test;
  const ca = await makeIssuer(test, projectId, { nameConstraints });
  const policy = { projectId, name: nameOf('policy'), ...before.policy };
  const policyId = ok(await admin('POST', `${MANAGER}/certificate-policies`, policy)).certificatePolicy.id;
  const profile = { projectId, caId: ca.id, certificatePolicyId: policyId, slug: nameOf('p'), enrollmentType: 'api' };
  const made = ok(await admin('POST', `${MANAGER}/certificate-profiles`, profile));
  const template = { caId: ca.id, name: nameOf('template'), ...before.template };
  const { id } = ok(await admin('POST', '/api/v1/pki/certificate-templates', template));
  return { ca, policyId, profileId: made.certificateProfile.id, templateId: id };
}

type Way = 'certificate-templates' | 'certificate-profiles' | 'pki-subscribers' | undefined;
interface Issued {
  readonly id: string;
  readonly way: Way;
  readonly accepted: Accepted;
}

const KINDS = [
  [/^[\d.]+$/, 'ip_address'],
  [/:\/\//, 'uri'],
  [/@/, 'email'],
  [/./, 'dns_name'],
] as const;

/** Every way to order a certificate with this content. */
function waysFor(call: Caller, { ca, profileId, templateId }: Place, order: Order) {
  const { commonName, altNames, extendedKeyUsages, days, organization } = order;
  const ttl = `${days}d`;
  const names = { commonName, altNames: altNames.join() };
  const body = { ...names, extendedKeyUsages, ttl };
  const attributes = {
    ...{ commonName: commonName || undefined, organization, extendedKeyUsages, ttl },
    altNames: altNames.map((value) => ({ type: KINDS.find(([form]) => form.test(value))![1], value })),
  };
  const ways: [Way, () => Promise<Answer>][] = [
    [undefined, () => call('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, body)],
    [undefined, () => call('POST', `${V1}/sign-certificate`, { caId: ca.id, csr, ...body })],
    [
      'certificate-templates',
      () => call('POST', `${V1}/issue-certificate`, { ...body, certificateTemplateId: templateId }),
    ],
    [
      'certificate-templates',
      () => call('POST', `${V1}/sign-certificate`, { ...names, csr, certificateTemplateId: templateId }),
    ],
    ['certificate-profiles', () => call('POST', NEWER, { profileId, attributes })],
    ['certificate-profiles', () => call('POST', NEWER, { profileId, attributes, csr })],
    ['certificate-profiles', () => call('POST', `${NEWER}/issue-certificate`, { profileId, ...attributes })],
    [
      'pki-subscribers',
      async () => {
        const content = { commonName, subjectAlternativeNames: altNames, extendedKeyUsages, ttl };
        const name = nameOf('subscriber');
        const subscriber = { projectId, caId: ca.id, name, ...content, properties: { organization } };
        const made = await test.admin('POST', SUBSCRIBERS, subscriber);
        return made.status === 200 ? call('POST', subscriberUrl(name, '/issue-certificate'), { projectId }) : made;
      },
    ],
  ];
  return ways;
}

/** What a naive reading of the terms objects to in an answer; it is empty if nothing was issued. */
function objectionsTo(
  answer: Answer,
  way: Way,
  { rules, policy, template }: Terms,
): { issued?: Issued; found: string[] } {
  const { status, body } = answer;
  if (status >= 500) return { found: [`${status}: ${JSON.stringify(body)}`] };
  if (status !== 200) return { found: [] };
  const { certificate, certificateId } = typeof body.certificate === 'string' ? body : body.certificate;
  const accepted = acceptedFor(certificate);
  const now = test.coffer.now().getTime();
  const found = [
    ...againstRules(accepted, { rules, by: way, isSet: way === 'pki-subscribers' }),
    ...(way === 'certificate-profiles' ? againstPolicy(accepted, policy, now) : []),
    ...(way === 'certificate-templates' ? againstTemplate(accepted, template, now) : []),
    ...(accepted.isAuthority ? ['it is an authority'] : []),
  ];
  return { issued: { id: certificateId, way, accepted }, found };
}

const memberBy = async (rules: Terms['rules']): Promise<Caller> => (await test.identity({ projectId, rules })).call;

async function change({ policyId, templateId }: Place, { policy, template }: Restrictions): Promise<void> {
  const none = { subject: null, sans: null, extendedKeyUsages: null, validity: null };
  ok(await test.admin('PATCH', `${MANAGER}/certificate-policies/${policyId}`, { ...none, ...policy }));
  ok(await test.admin('PATCH', `/api/v1/pki/certificate-templates/${templateId}`, { ...template }));
}

const differences = (before: Accepted, after: Accepted): string[] => {
  const said = ({ commonName, organizations, altNames, extendedKeyUsages }: Accepted) =>
    JSON.stringify([commonName, organizations, altNames, extendedKeyUsages]);
  return said(before) === said(after) ? [] : ['it is not what was renewed'];
};

/** Which of these certificates OpenSSL accepts with the revocation list of their authority. */
async function withList({ ca }: Place, all: readonly Issued[]): Promise<boolean[]> {
  const keyId = await of.keyOf(ca.id);
  await of.rebuild(keyId);
  const list = (await test.app.inject({ method: 'GET', url: `/api/v1/pki/crl/${keyId}` })).body;
  const names = all.map((_, index) => `leaf-${index}.pem`);
  const leaves = Object.fromEntries(all.map(({ accepted }, index) => [names[index]!, accepted.pem]));
  const args = ['verify', '-x509_strict', '-CAfile', 'root.pem', '-crl_check', '-CRLfile', 'list.pem', ...names];
  const { text } = openssl(args, { 'root.pem': ca.certificate, 'list.pem': list, ...leaves });
  return names.map((name) => text.includes(`${name}: OK`));
}

/** What is objected to in a world: of each certificate that is issued or renewed, and of what clients make of them. */
async function objectionsIn(world: World): Promise<string[]> {
  const { before, after, orders, rules } = world;
  const place = await placeFor(world);
  const objections: string[] = [];
  const held: Issued[] = [];
  const judge = (what: string, answer: Answer, way: Way, terms: Terms): Issued | undefined => {
    const { issued, found } = objectionsTo(answer, way, terms);
    objections.push(...found.map((one) => `${what} by ${way ?? 'the authority'}: ${one}`));
    if (issued) held.push(issued);
    return issued;
  };
  for (const { order, rules: own } of orders)
    for (const [way, go] of waysFor(await memberBy(own), place, order))
      judge(JSON.stringify(order), await go(), way, { ...before, rules: own });

  await change(place, after);
  const next = await memberBy(rules);
  for (const { id, way, accepted } of [...held]) {
    const renewed = judge('renewal', await next('POST', `${NEWER}/${id}/renew`, {}), way, { ...after, rules });
    if (renewed) objections.push(...differences(accepted, renewed.accepted));
  }

  const [revoked, deleted, ...others] = held;
  if (revoked) ok(await test.admin('POST', `${NEWER}/${revoked.id}/revoke`, { revocationReason: 'SUPERSEDED' }));
  if (deleted) ok(await test.admin('DELETE', `${NEWER}/${deleted.id}`));
  if (held.length > 0) {
    const isAccepted = await withList(place, held);
    if (isAccepted.slice(0, 2).some(Boolean)) objections.push('clients accept what was revoked');
    if (!isAccepted.slice(2).every(Boolean) && others.length > 0) objections.push('clients reject what is valid');
  }
  return objections;
}

const ANY: Terms = {
  rules: [{ subject: 'certificates', action: 'create' }],
  policy: {},
  template: { commonName: '.*', subjectAlternativeName: '.*', ttl: '400d', extendedKeyUsages: [] },
};
const only = (conditions: Readonly<Record<string, unknown>>, inverted = false): Partial<Terms> => {
  const rule = { subject: 'certificates', action: 'create', conditions };
  return { rules: inverted ? [...ANY.rules, { ...rule, inverted }] : [rule] };
};
const dns = (more: object): Partial<Terms> => ({ policy: { sans: [{ type: 'dns_name', ...more }] } });
const template = (more: object): Partial<Terms> => ({ template: { ...ANY.template, ...more } });
const [PROFILE, TEMPLATE] = ['certificate-profiles', 'certificate-templates'] as const;

describe('certificates of generated worlds', () => {
  it(
    'are accepted by clients for nothing that rules, policies and templates do not allow',
    () => expectNoObjections(worlds, objectionsIn, WORLDS),
    searchTime(300_000),
  );

  const [admin, wildcard] = ['ADMIN.example.com', '*.example.com'];
  it.each<[string, Partial<Terms>, Way, [commonName: string, ...altNames: string[]]]>([
    ['no rule allows it', only({ altNames: 'app.example.com' }), undefined, ['ann', 'admin.example.com']],
    ['forbidden name admin.example.com', only({ altNames: 'admin.example.com' }, true), undefined, [admin]],
    [
      'forbidden name admin@example.com',
      only({ altNames: 'admin@example.com' }, true),
      undefined,
      ['ann', 'admin@example.com'],
    ],
    ['forbidden name admin.example.com', only({ altNames: 'admin.example.com' }, true), undefined, ['ann', wildcard]],
    ['forbidden common name vault', only({ commonName: 'vault' }, true), undefined, ['Vault']],
    [
      'host my_db.example.com',
      only({ altNames: 'ann@example.com' }),
      undefined,
      ['my_db.example.com', 'ann@example.com'],
    ],
    [
      'admin.example.com, which the rule leaves out',
      only({ altNames: { $ne: 'admin.example.com' } }),
      undefined,
      ['ann', wildcard],
    ],
    [
      'admin.example.com, which the rule leaves out',
      only({ commonName: { $ne: 'admin.example.com' } }),
      undefined,
      [admin],
    ],
    ['takes *.example.com for a name', only({ altNames: { $glob: '?.example.com' } }), undefined, ['ann', wildcard]],
    ['denied host admin.example.com', dns({ denied: ['admin.*'] }), PROFILE, ['ann', wildcard]],
    ['accept the host admin.example.com', dns({ allowed: ['app.*'] }), PROFILE, [admin]],
    ['the policy: all usages', { policy: { extendedKeyUsages: { denied: ['code_signing'] } } }, PROFILE, ['ann']],
    ['the policy: validity', { policy: { validity: { max: '1d' } } }, PROFILE, ['ann']],
    [
      'the template: *.example.com',
      template({ subjectAlternativeName: String.raw`[^.]{1,8}\.example\.com` }),
      TEMPLATE,
      ['ann', wildcard],
    ],
    ['the template: common name', template({ commonName: 'a' }), TEMPLATE, ['ann']],
    ['the template: validity', template({ ttl: '1d' }), TEMPLATE, ['ann']],
  ])(
    'are objected to, where they are what other rules, policies and templates do not allow: %s',
    async (objection, strict, way, [commonName, ...altNames]) => {
      const place = await placeFor({ before: ANY });
      const [found] = waysFor(test.admin, place, { commonName, altNames, days: 30 }).filter(([one]) => one === way);
      const answer = await found![1]();
      expect(answer.status).toBe(200);
      expect(objectionsTo(answer, way, ANY).found).toEqual([]);
      expect(objectionsTo(answer, way, { ...ANY, ...strict }).found).toContainEqual(expect.stringContaining(objection));
    },
  );
});
