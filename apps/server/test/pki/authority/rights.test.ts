import { createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { signerOf, signerOfKey } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLog } from '../../../src/log.ts';
import { Authorities } from '../../harness/authorities.ts';
import { CA, ok } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../../harness/test-server.ts';

const lines: string[] = [];
const log = makeLog('trace', { write: (line: string) => void lines.push(line) });

let test: TestServer;
let of: Authorities;
let projectId: string;
let slug: string;
beforeAll(async () => {
  test = await testServer({ log }, { logger: log });
  ({ id: projectId, slug } = await test.project());
  of = new Authorities(test, projectId);
});
afterAll(() => test.close());

describe('rights', () => {
  const OPERATIONS: [string, 'GET' | 'POST' | 'PATCH' | 'DELETE', string, object?][] = [
    ['read', 'GET', ''],
    ['read', 'GET', '/certificate'],
    ['read', 'GET', '/ca-certificates'],
    ['read', 'GET', '/auto-renewal'],
    ['read', 'GET', '/signing-config'],
    ['edit', 'PATCH', '', { status: 'active' }],
    ['renew', 'PATCH', '/auto-renewal', { enableAutoRenewal: false }],
    ['renew', 'POST', '/renew', { type: 'existing', notAfter: '2039-01-01T00:00:00Z' }],
    ['delete', 'DELETE', ''],
  ];

  it('apply by name: matching ones are accessible, others are not', async () => {
    const mine = await of.make({}, { name: 'team-a-root' });
    const other = await of.make({}, { name: 'team-b-root' });
    const { call } = await holder([
      {
        subject: 'certificate-authorities',
        action: ['read', 'create', 'edit', 'delete', 'renew'],
        conditions: { name: { $glob: 'team-a-*' } },
      },
    ]);
    for (const [action, method, path, body] of OPERATIONS) {
      const refused = await call(method, `${CA}/${other.id}${path}`, body);
      expect([action, method, path, refused.status]).toEqual([action, method, path, 403]);
    }
    expect((await call('PATCH', `${CA}/${mine.id}`, { name: 'team-b-second' })).status).toBe(403);
    const listed = ok(await call('GET', `${CA}?projectId=${projectId}`));
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['team-a-root']);
    const create = (name: string, configuration: object) =>
      call('POST', CA, {
        projectId,
        name,
        configuration: { commonName: name, keyAlgorithm: 'ED25519', ...configuration },
      });
    expect((await create('team-b-new', { type: 'root' })).status).toBe(403);
    ok(await create('team-a-new', { type: 'root' }));
    // Having it signed by another one is a separate permission.
    expect((await create('team-a-below', { type: 'intermediate', parentCaId: mine.id })).status).toBe(403);
    const signing = { csr: makeRequest().csr, notAfter: of.inDays(3) };
    expect((await call('POST', `${CA}/${mine.id}/sign-intermediate`, signing)).status).toBe(403);
    for (const [, method, path, body] of OPERATIONS) ok(await call(method, `${CA}/${mine.id}${path}`, body));
  });

  it('of others need a token, and are unknown to another organization', async () => {
    const root = await of.make({});
    const foreign = await test.foreign();
    const all: typeof OPERATIONS = [
      ...OPERATIONS,
      ['read', 'GET', '/csr'],
      ['renew', 'POST', '/csr'],
      ['renew', 'POST', '/import-certificate', { certificate: 'a', certificateChain: 'b' }],
      ['sign-intermediate', 'POST', '/sign-intermediate', { csr: 'a', notAfter: of.inDays(1) }],
      ['edit', 'POST', '/signing-config', { parentCaId: root.id }],
    ];
    const { call: nobody } = await holder([]);
    for (const [, method, path, body] of all) {
      expect((await test.as()(method, `${CA}/${root.id}${path}`, body)).status).toBe(401);
      expect((await nobody(method, `${CA}/${root.id}${path}`, body)).status).toBe(403);
      const [there, unknown, text] = [
        await foreign.call(method, `${CA}/${root.id}${path}`, body),
        await foreign.call(method, `${CA}/${randomUUID()}${path}`, body),
        await foreign.call(method, `${CA}/no-uuid${path}`, body),
      ];
      const bare = ({ status, body: { reqId: _, ...rest } }: Answer) => [status, rest];
      expect(bare(there)).toEqual([
        404,
        { statusCode: 404, error: 'NotFound', message: 'There is no such certificate authority' },
      ]);
      expect([bare(unknown), bare(text)]).toEqual([bare(there), bare(there)]);
    }
    expect(
      (await foreign.call('POST', CA, { projectId, name: 'x', configuration: { type: 'root', commonName: 'x' } }))
        .status,
    ).toBe(404);
    expect((await foreign.call('GET', `${CA}?projectId=${projectId}`)).status).toBe(404);
    expect((await foreign.call('GET', `/api/v2/workspace/${slug}/cas`)).status).toBe(404);
  });

  it('to have intermediates signed do not go on after their end, by auto-renewal below another authority', async () => {
    const [former, other] = [await of.make({}, { name: 'former' }), await of.make({}, { name: 'other' })];
    const renewed = await of.make({ type: 'intermediate', parentCaId: former.id }, { name: 'renewed' });
    const { id, call } = await holder([{ subject: 'certificate-authorities', action: ['read', 'edit', 'renew'] }]);
    const permissions = [{ subject: 'certificate-authorities', action: ['sign-intermediate'] }];
    const type = { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h' };
    const temporaryAccessStartTime = test.coffer.now().toISOString();
    const privilege = { projectId, identityId: id, permissions, type: { ...type, temporaryAccessStartTime } };
    ok(await test.admin('POST', '/api/v2/identity-project-additional-privilege', privilege));
    const [config, renewal] = ['signing-config', 'auto-renewal'].map((path) => `${CA}/${renewed.id}/${path}`);
    const below = (parent: { id: string }) => call('PATCH', config!, { parentCaId: parent.id });
    ok(await below(other));
    expect((await call('PATCH', renewal!, { enableAutoRenewal: true })).body.error).toBe('PermissionBoundaryError');
    ok(await below(former));
    ok(await test.admin('PATCH', renewal!, { enableAutoRenewal: true }));
    expect((await below(other)).body.error).toBe('PermissionBoundaryError');
    ok(await below(former));
    ok(await test.admin('PATCH', config!, { parentCaId: other.id }));
  });

  /** A member of the project with these rules. */
  async function holder(permissions: object[]) {
    const role = `role-${randomUUID().slice(0, 8)}`;
    ok(await test.admin('POST', `/api/v1/projects/${projectId}/roles`, { slug: role, name: role, permissions }));
    const identity = await test.identity();
    ok(await test.admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${identity.id}`, { role }));
    return identity;
  }
});

describe('the key of an authority', () => {
  it('is cached, and found by its authority and by its own ID', async () => {
    const { id } = await of.make({});
    const signer = await signerOf(of.platform(), id);
    // After the invalidation of the cache by the new one.
    await expect
      .poll(async () => (await signerOf(of.platform(), id)) === (await signerOf(of.platform(), id)))
      .toBe(true);
    expect((await signerOfKey(of.platform(), signer.caKeyId))?.caId).toBe(id);
    expect(signer.crlUrls).toEqual([`${test.coffer.settings.siteUrl}/api/v1/pki/crl/${signer.caKeyId}/der`]);
  });

  it('is in no answer, no line of the log, no event and no column', async () => {
    const answers: string[] = [];
    const call: Caller = async (...asked) => {
      const answer = await test.admin(...asked);
      answers.push(JSON.stringify(answer.body));
      return answer;
    };
    const keys: KeyObject[] = [];
    for (const keyAlgorithm of ['EC_prime256v1', 'ED25519', 'RSA_2048']) {
      const { id } = await of.make({ keyAlgorithm }, {}, call);
      const url = `${CA}/${id}`;
      const { caKeyId, issuer } = await signerOf(of.platform(), id);
      const waiting = await of.make({ type: 'intermediate', keyAlgorithm }, {}, call);
      const { csr } = ok(await call('GET', `${CA}/${waiting.id}/csr`));
      const signed = ok(await call('POST', `${url}/sign-intermediate`, { csr, notAfter: of.inDays(9) }));
      // Rejected with the reason.
      await call('POST', `${url}/import-certificate`, signed);
      await call('POST', `${CA}/${waiting.id}/import-certificate`, { ...signed, certificate: csr });
      ok(await call('POST', `${CA}/${waiting.id}/import-certificate`, signed));
      keys.push(issuer.privateKey, (await signerOf(of.platform(), waiting.id)).issuer.privateKey);
      ok(await call('POST', `${url}/renew`, { type: 'existing', notAfter: of.inDays(90) }));
      for (const path of ['', '/certificate', '/ca-certificates', '/crls', '/auto-renewal', '/signing-config'])
        ok(await call('GET', `${url}${path}`));
      for (const path of [`crl/${caKeyId}`, `ocsp/${caKeyId}/MAA=`]) await call('GET', `/api/v1/pki/${path}`);
      ok(await call('PATCH', url, { status: 'disabled' }));
    }
    const columns = await allColumns();
    // The search finds existing text.
    for (const key of keys) expect(columns).toContain(spkiHexOf(key));
    for (const [place, text] of Object.entries({ columns, answers: answers.join(''), log: lines.join('') })) {
      const whole = bare(text);
      expect([place, keys.flatMap(formsOf).filter((form) => whole.includes(form))]).toEqual([place, []]);
    }
  });

  /** Without line ends, also escaped ones. */
  const bare = (text: string) => text.replaceAll(/\\n|\s/g, '');
  const spkiHexOf = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('hex');

  /** The marks of a private key: its secret number, in the possible encodings, and within PKCS #8. */
  function formsOf(key: KeyObject): string[] {
    const { d } = key.export({ format: 'jwk' });
    const secret = Buffer.from(d!, 'base64url').subarray(0, 24);
    const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
    const at = pkcs8.indexOf(secret);
    expect(at).toBeGreaterThan(0);
    const aligned = at + ((3 - (at % 3)) % 3);
    return [
      secret.toString('hex'),
      secret.toString('base64'),
      secret.toString('base64url'),
      pkcs8.subarray(aligned, aligned + 18).toString('base64'),
    ];
  }

  /** All that the database has, as text; octets as hexadecimal. */
  async function allColumns(): Promise<string> {
    const { pool } = test.coffer;
    const tables = await pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const texts = [];
    for (const { name } of tables.rows) {
      const { rows } = await pool.query<{ text: string }>(`select string_agg(t::text, ' ') as text from ${name} t`);
      texts.push(rows[0]!.text ?? '');
    }
    return texts.join('\n');
  }
});
