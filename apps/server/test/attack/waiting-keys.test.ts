import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CA, issueBy, makeIssuer, nameOf, NEWER, ok, ordered, V1, type Issuer } from '../harness/certificates.ts';
import { onEveryQuery } from '../harness/every-query.ts';
import { makeProfile } from '../harness/issuing.ts';
import { KEYS, keyName } from '../harness/kms.ts';
import { SSH_CA, SshProject } from '../harness/ssh.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const RSA = { keyAlgorithm: 'RSA_2048' };

let test: TestServer;
let ssh: SshProject;
let sshCaId: string;
let templateId: string;
let issuer: Issuer;
let serialNumber: string;
beforeAll(async () => {
  test = await testServer();
  ssh = await SshProject.in(test);
  sshCaId = (await ssh.authority()).id;
  templateId = (await ssh.template(sshCaId)).id;
  issuer = await makeIssuer(test, ssh.projectId);
  ({ serialNumber } = await issueBy(test, issuer.id));
});
afterAll(() => test.close());

const orders: [what: string, order: (call: Caller, projectId: string) => Promise<Answer>][] = [
  ['a key of the KMS', (call, projectId) => call('POST', KEYS, { projectId, name: keyName(), algorithm: 'RSA_2048' })],
  ['an SSH authority', (call, projectId) => call('POST', SSH_CA, { projectId, friendlyName: 'late', ...RSA })],
  ['another key of one', (call) => call('POST', `${SSH_CA}/${sshCaId}/rotate`, RSA)],
  ['SSH credentials', (call) => ssh.issue(templateId, RSA, call)],
  [
    'a certificate authority',
    (call, projectId) => {
      const name = nameOf('late');
      return call('POST', CA, { projectId, name, configuration: { type: 'root', commonName: name, ...RSA } });
    },
  ],
  ['a certificate', (call) => call('POST', `/api/v1/pki/ca/${issuer.id}/issue-certificate`, ordered(RSA))],
  // Its keys are derived from a password, in the same threads and turns.
  [
    'a PKCS #12 bundle',
    (call) => call('POST', `${V1}/${serialNumber}/pkcs12`, { password: 'of a key store', alias: 'key' }),
  ],
];

/** The answer to an order whose key is made after a change. */
async function answerAfter(order: () => Promise<Answer>, change: () => Promise<unknown>): Promise<Answer> {
  const { threadTurns } = test.coffer;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const others = ['a', 'b', 'c'].map((caller) => threadTurns.run(caller, () => held));
  const run = vi.spyOn(threadTurns, 'run');
  const answer = order();
  await expect.poll(() => run.mock.calls.length).toBe(1);
  await change();
  release();
  await Promise.all(others);
  run.mockRestore();
  return answer;
}

/** Of a profile of its own: an order by it, and its path. */
async function ofProfile() {
  const slug = nameOf('p');
  const { profileId } = await makeProfile(test, { projectId: ssh.projectId, caId: issuer.id, slug });
  const attributes = { commonName: 'app.example.com', ttl: '1d', keyAlgorithm: 'RSA_2048' };
  return {
    order: () => test.admin('POST', NEWER, { profileId, attributes }),
    path: `/api/v1/cert-manager/certificate-profiles/${profileId}`,
  };
}

/** Of a template of its own. */
async function ofTemplate() {
  const templates = '/api/v1/pki/certificate-templates';
  const any = { commonName: '.*', subjectAlternativeName: '.*', ttl: '30d' };
  const { id } = ok(await test.admin('POST', templates, { caId: issuer.id, name: nameOf('t'), ...any }));
  const order = { ...ordered(RSA), certificateTemplateId: id };
  return {
    order: () => test.admin('POST', '/api/v1/pki/certificates/issue-certificate', order),
    path: `${templates}/${id}`,
  };
}

/** An order of a certificate, and what narrows it. */
interface Narrowed {
  readonly order: () => Promise<Answer>;
  readonly narrow: () => Promise<Answer>;
}

const narrowed: [what: string, make: () => Promise<Narrowed>][] = [
  [
    'its template allows other names only',
    async () => {
      const { order, path } = await ofTemplate();
      return { order, narrow: () => test.admin('PATCH', path, { commonName: 'nothing' }) };
    },
  ],
  [
    'its template has another authority',
    async () => {
      const { order, path } = await ofTemplate();
      const { id } = await makeIssuer(test, ssh.projectId);
      return { order, narrow: () => test.admin('PATCH', path, { caId: id }) };
    },
  ],
  [
    'its template was deleted',
    async () => {
      const { order, path } = await ofTemplate();
      return { order, narrow: () => test.admin('DELETE', path) };
    },
  ],
  [
    'its profile has another authority',
    async () => {
      const { order, path } = await ofProfile();
      const { id } = await makeIssuer(test, ssh.projectId);
      return { order, narrow: () => test.admin('PATCH', path, { caId: id }) };
    },
  ],
  [
    'the policy of its profile allows other names only',
    async () => {
      const { order, path } = await ofProfile();
      const { certificatePolicyId } = ok(await test.admin('GET', path)).certificateProfile;
      const policy = `/api/v1/cert-manager/certificate-policies/${certificatePolicyId}`;
      const subject = [{ type: 'common_name', allowed: ['nothing'] }];
      return { order, narrow: () => test.admin('PATCH', policy, { subject }) };
    },
  ],
  [
    'the authority issues by templates and profiles only',
    async () => {
      const { id } = await makeIssuer(test, ssh.projectId);
      const order = () => test.admin('POST', `/api/v1/pki/ca/${id}/issue-certificate`, ordered(RSA));
      return { order, narrow: () => test.admin('PATCH', `${CA}/${id}`, { enableDirectIssuance: false }) };
    },
  ],
  [
    'the authority has another key',
    async () => {
      const { id } = await makeIssuer(test, ssh.projectId);
      const notAfter = new Date(test.coffer.now().getTime() + 900 * 86_400_000).toISOString();
      const order = () => test.admin('POST', `/api/v1/pki/ca/${id}/issue-certificate`, ordered(RSA));
      return { order, narrow: () => test.admin('POST', `/api/v1/pki/ca/${id}/renew`, { type: 'new', notAfter }) };
    },
  ],
];

describe('attack: orders that wait for RSA keys', () => {
  it.each(orders)('do nothing once the right has ended: %s', async (_what, order) => {
    const { projectId } = ssh;
    const { id, call } = await test.identity({ projectId, projectRole: 'admin' });
    const remove = () => test.admin('DELETE', `/api/v1/projects/${projectId}/memberships/identities/${id}`);
    const answer = await answerAfter(
      () => order(call, projectId),
      async () => ok(await remove()),
    );
    expect(answer.status).toBe(404);
  });

  it.each(narrowed)('bring no certificate once %s', async (_what, make) => {
    const { order, narrow } = await make();
    const { status, body } = await answerAfter(order, async () => ok(await narrow()));
    expect([status, body.message]).toEqual([400, expect.stringContaining('in the meantime')]);
  });

  it('bring one where nothing was changed', async () => {
    for (const { order } of [await ofTemplate(), await ofProfile()])
      expect((await answerAfter(order, async () => undefined)).status).toBe(200);
  });
});

describe('attack: the deletion of an authority with an RSA key, whose last responder needs one', () => {
  const inTransactions = async (): Promise<number> => {
    const { rows } = await test.coffer.pool.query(
      `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    return rows.length;
  };

  interface Made {
    readonly id: string;
    readonly projectId: string;
  }

  it.each([
    ['alone', ({ id }: Made) => `${CA}/${id}`],
    ['with its project', ({ projectId }: Made) => `/api/v1/projects/${projectId}`],
  ])('waits for its turn without a transaction: %s', async (_, pathOf) => {
    const { id: projectId } = await test.project();
    const { id } = await makeIssuer(test, projectId, RSA);
    let found = Infinity;
    const answer = await answerAfter(
      () => test.admin('DELETE', pathOf({ id, projectId })),
      async () => {
        found = await inTransactions();
      },
    );
    expect([found, answer.status]).toEqual([0, 200]);
  });

  it('is done where its project gets the first such authority meanwhile', async () => {
    const { id: projectId } = await test.project();
    await makeIssuer(test, projectId);
    const [looked, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let looks = 0;
    let isHeld = false;
    onEveryQuery(test.coffer, () => ({ name }, send) => {
      if (name === 'certificate_authorities.any_rsa') looks++;
      if (looks === 0 || isHeld || !/^begin/i.test(name)) return send();
      isHeld = true;
      looked.resolve();
      return changed.promise.then(send);
    });
    const answer = test.admin('DELETE', `/api/v1/projects/${projectId}`);
    await looked.promise;
    await makeIssuer(test, projectId, RSA);
    changed.resolve();
    expect([(await answer).status, looks]).toEqual([200, 2]);
  });
});
