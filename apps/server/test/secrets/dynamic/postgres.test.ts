import { startBackground, parseRootKey } from '@coffer/domain';
import { makeAuthority, type TargetCase } from '@coffer/domain/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { postgresTarget, type PostgresTarget } from '../../harness/dynamic-postgres.ts';
import {
  describeDynamicProvider,
  describeTarget,
  dynamicSecretsOf,
  DynamicSecretAtWork,
  dynamicPlace,
  LEASES,
  SECRETS,
  sentInGuide,
} from '../../harness/dynamic-secret.ts';

let target: PostgresTarget;
beforeAll(async () => {
  target = await postgresTarget();
});
afterAll(() => target.close());

const inputs = () => target.inputs();
const postgres: TargetCase = {
  type: 'sql-database',
  inputs,
  wrong: () => ({ ...inputs(), password: 'not the password' }),
  elsewhere: () => ({ host: 'localhost', port: 1, ca: makeAuthority('Database').cert }),
  weaker: ({ DB_USERNAME, DB_PASSWORD }) => ({ username: DB_USERNAME, password: DB_PASSWORD }),
  sealed: ['password'],
  works: (data) => target.works(data),
  outage: { begin: () => target.gate.shut(), end: () => target.gate.open() },
};

const { made, unmade } = dynamicSecretsOf(
  () => target.test,
  'sql-database',
  () => target.inputs(),
);

describe('logins of a PostgreSQL', () => {
  describeDynamicProvider(() => target.test, postgres);
  describeTarget(() => target.test, postgres);

  it('have names and passwords as configured', async () => {
    const one = await made(
      {
        passwordRequirements: {
          length: 20,
          required: { lowercase: 2, uppercase: 2, digits: 2, symbols: 8 },
          allowedSymbols: `'"\\\`$;{}%`,
        },
      },
      { usernameTemplate: '{{identity.name}}.{{random 16}}' },
    );
    for (let i = 0; i < 10; i++) {
      const { data } = (await one.lease()).body;
      expect(data.DB_USERNAME).toMatch(/^machine\.[a-z][a-z0-9]{15}$/);
      expect(data.DB_PASSWORD.replaceAll(/[A-Za-z0-9]/g, '').length).toBeGreaterThanOrEqual(8);
      expect([data.DB_PASSWORD, await target.works(data)]).toEqual([data.DB_PASSWORD, true]);
    }
    for (const { id } of await one.leases()) expect((await one.revoke(id)).status).toBe(200);
  });

  it('are created by statements without quotes, too', async () => {
    const one = await made({
      creationStatement: 'create role {{username}} login password {{password}} valid until {{expiration}}',
      revocationStatement: 'drop role {{username}}; -- the end',
    });
    const { data, lease } = (await one.lease()).body;
    expect(await target.works(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await target.works(data)).toBe(false);
  });

  it('are created atomically, and errors of the database are reported without the password', async () => {
    const before = await target.logins();
    const create = String(inputs()['creationStatement']);
    const one = await made({ creationStatement: `${create}; select '{{password}}'::integer` });
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([
      400,
      '127.0.0.1 reports: invalid input syntax for type integer: "[hidden]"',
    ]);
    expect(await one.leases()).toEqual([]);
    expect(await target.logins()).toEqual(before);
  });

  it('are identified by their names: a creationStatement that creates none is rejected', async () => {
    const one = await made({
      creationStatement: `create role "x{{username}}" login`,
      revocationStatement: 'drop role if exists "x{{username}}"',
    });
    expect(await one.lease()).toMatchObject({
      status: 400,
      body: { message: 'The creationStatement did not create a login named {{username}}' },
    });
    await one.reapFailed();
  });

  it('are not taken for revoked while they can log in', async () => {
    const one = await made({ revocationStatement: 'select 1' });
    const { data, lease } = (await one.lease()).body;
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: { message: 'The revocationStatement did not delete the login' },
    });
    expect(await one.leases()).toMatchObject([
      { status: 'Failed to delete', statusDetails: 'The revocationStatement did not delete the login' },
    ]);
    expect((await one.update({ inputs: { revocationStatement: 'alter role "{{username}}" nologin' } })).status).toBe(
      200,
    );
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await target.works(data)).toBe(false);
    await target.test.owner.query(`drop role "${data.DB_USERNAME}"`);
  });

  it('are revoked without an error if they were already removed', async () => {
    const one = await made();
    const { data, lease } = (await one.lease()).body;
    await target.test.owner.query(`drop role "${data.DB_USERNAME}"`);
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('leave nothing behind in a pooled connection', async () => {
    const one = await made({
      creationStatement: `select 1 / (case current_setting('application_name') when 'left' then 0 else 1 end);
        ${String(inputs()['creationStatement'])}; set application_name = 'left'`,
    });
    const before = target.gate.passed;
    for (let i = 0; i < 3; i++) {
      const { lease } = (await one.lease()).body;
      expect((await one.revoke(lease.id)).status).toBe(200);
    }
    expect(target.gate.passed - before).toBeLessThan(6);
  });

  it('are created correctly in a database with backslash escapes', async () => {
    const { owner } = target.test;
    const database = String(inputs()['database']);
    await owner.query(`alter database ${database} set standard_conforming_strings = off`);
    const one = await made({
      passwordRequirements: { length: 20, required: { digits: 2, symbols: 18 }, allowedSymbols: `'\\` },
    });
    for (let i = 0; i < 3; i++) {
      const { data, lease } = (await one.lease()).body;
      expect([data.DB_PASSWORD, await target.works(data)]).toEqual([data.DB_PASSWORD, true]);
      expect((await one.revoke(lease.id)).status).toBe(200);
    }
    await owner.query(`alter database ${database} reset standard_conforming_strings`);
  });

  it('are created as in the guide', async () => {
    const [made_, leased] = sentInGuide('SQL database') as [{ provider: { inputs: object } }, object];
    const place = await dynamicPlace(target.test);
    const { creationStatement: _c, revocationStatement: _r, renewStatement: _n, ...server } = inputs();
    const provider = { ...made_.provider, inputs: { ...made_.provider.inputs, ...server } };
    const create = await target.test.admin('POST', SECRETS, { ...made_, ...place.here, provider });
    expect([create.status, create.body.message]).toEqual([200, undefined]);
    const { status, body } = await target.test.admin('POST', LEASES, { ...leased, ...place.here });
    expect([status, await target.works(body.data)]).toEqual([200, true]);
    const revoked = await target.test.admin('DELETE', `${LEASES}/${body.lease.id}`, place.here);
    expect([revoked.status, revoked.body.message, await target.works(body.data)]).toEqual([200, undefined, false]);
  });

  it('are never created in plaintext if a root is configured', async () => {
    const one = await unmade();
    const ca = makeAuthority('Database').cert;
    expect(await one.create('sql-database', { ...inputs(), ca })).toMatchObject({
      status: 400,
      body: { message: '127.0.0.1 does not support TLS, which its configuration requires' },
    });
  });

  it('are revoked by their job after their expiry, also while in use', async () => {
    const fresh = await postgresTarget();
    onTestFinished(() => fresh.close());
    const one = new DynamicSecretAtWork(fresh.test, await dynamicPlace(fresh.test));
    expect((await one.create('sql-database', fresh.inputs())).status).toBe(200);
    const background = await startBackground(fresh.test.coffer, parseRootKey(fresh.test.rootKey));
    onTestFinished(() => background.stop());
    const { data } = (await one.lease({ ttl: '1h' })).body;
    const { pathname, hostname, port } = new URL(fresh.test.databaseUrl);
    const [user, password] = [data.DB_USERNAME, data.DB_PASSWORD];
    const session = new Client({ host: hostname, port: Number(port), database: pathname.slice(1), user, password });
    const ended = new Promise((resolve) => session.on('error', resolve));
    await session.connect();
    fresh.test.advance(3_600_000);
    await fresh.test.coffer.pool.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()');
    await expect.poll(() => one.leases()).toEqual([]);
    await ended;
    expect(await fresh.works(data)).toBe(false);
    await session.end().catch(() => undefined);
  });

  it.each([
    [{ client: 'oracledb' }, 422],
    [{ host: '' }, 422],
    [{ host: 'postgres://db' }, 422],
    [{ port: 0 }, 422],
    [{ port: '5432' }, 422],
    [{ gatewayId: 'x' }, 422],
    [{ ca: 'no certificate' }, 422],
    [{ passwordRequirements: { length: 1, required: { digits: 2 } } }, 422],
    [{ creationStatement: 'create role "{{user}}"' }, 400],
    [{ creationStatement: `create role 'a` }, 400],
    [{ creationStatement: 'create role a -- {{username}}' }, 400],
    [{ revocationStatement: `drop role "{{username}}" '{{password}}'` }, 400],
    [{ renewStatement: 'alter role x{{username}}' }, 400],
    [{ creationStatement: 'x'.repeat(20_001) }, 422],
    [{ creationStatement: 'a\0b' }, 422],
    [{ database: 'there is none' }, 400],
  ])('are not created from inputs such as %j: %i', async (more, status) => {
    const one = await unmade();
    expect((await one.create('sql-database', { ...inputs(), ...more })).status).toBe(status);
  });
});
