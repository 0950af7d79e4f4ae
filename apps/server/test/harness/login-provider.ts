import { faults, type LoginMethodCase, type StandIns } from '@coffer/domain/testing';
import { expect, it } from 'vitest';
import { loginMethodWorld } from './login-method.ts';
import type { TestServer } from './test-server.ts';

/** Proofs that a remote verifies. */
export interface ProviderCase extends LoginMethodCase {
  readonly standIns: StandIns;
  /** The remote; faulty at the end. */
  readonly host: string;
  /** What `proof` proves. */
  readonly claims: () => object;
  /** The body of a login with an invalid proof. */
  readonly rejectedCredentials: (identityId: string) => Promise<object>;
}

/** Longer than the cache lifetime of published documents, in milliseconds. */
const FORGOTTEN = 601_000;

/** Registers the tests for methods that call a remote. They come last, because the remote is stopped. */
export function describeProvider(server: () => TestServer, given: ProviderCase): void {
  const { kind, standIns, host } = given;
  const { attached } = loginMethodWorld(server, given);

  it('stores the verified facts with the token', async () => {
    const { identityId, logIn } = await attached();
    expect((await logIn()).status).toBe(200);
    const { rows } = await server().coffer.pool.query(
      'select claims, auth_method from identity_access_tokens where identity_id = $1',
      [identityId],
    );
    expect(rows).toEqual([{ claims: given.claims(), auth_method: kind }]);
  });

  it('refuses rejected credentials, records it, and continues to accept valid ones', async () => {
    const { identityId, logIn } = await attached();
    const presented = (await given.rejectedCredentials(identityId)) as Record<string, string>;
    const { body } = await logIn(presented);
    expect(body).toMatchObject({ statusCode: 401, error: 'UnauthorizedError', message: expect.any(String) });
    for (const text of Object.values(presented).filter((one) => one.length > 50))
      expect(JSON.stringify(body)).not.toContain(text);
    expect((await logIn()).status).toBe(200);
    const noted = async () => {
      const { rows } = await server().coffer.pool.query<{ published: string }>(
        `select published from audit_events where data ->> 'identityId' = $1 and published like '%login%'`,
        [identityId],
      );
      return rows.map(({ published }) => published).toSorted();
    };
    expect(await noted()).toEqual([`fail-login-identity-${kind}`, `login-identity-${kind}`]);
  });

  it.each(Object.keys(faults))(
    `returns 400 with the reason and in time if ${host} %s, without delaying others`,
    async (fault) => {
      const { identityId, url, logIn } = await attached();
      const presented = await given.proof(identityId);
      server().advance(FORGOTTEN);
      standIns.patience = { [host]: 300 };
      await standIns.serve(host, faults[fault]!);
      const login = logIn(presented);
      expect((await server().admin('GET', url)).status).toBe(200);
      const { body } = await login;
      expect(body).toMatchObject({ statusCode: 400, error: 'BadRequest', message: expect.any(String) });
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|169\.254/);
      standIns.patience = {};
    },
  );
}
