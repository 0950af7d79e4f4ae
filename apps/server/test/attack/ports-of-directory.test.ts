import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  inDirectory,
  LDAP_ACCOUNT,
  LDAP_MANAGER,
  LDAP_SERVICES,
  slapdServer,
  startSlapd,
  type Slapd,
} from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const HOST = 'directory.example.com';
/** The ways to one directory. That of port 636 needs no TLS here: what counts is the port. */
const WAYS = [`ldap://${HOST}`, `ldap://${HOST}:636`, `ldap://${HOST}:3268`, `ldap://${HOST}:3269`];

const CHANGED = expect.stringContaining('Another rotation');
const IN_USE = expect.stringContaining('uses one of these logins');

describe.skipIf(slapdServer.isMissing)(`attack: one directory by its ports${slapdServer.orSkipped}`, () => {
  let slapd: Slapd;
  let test: TestServer;
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  beforeAll(async () => {
    slapd = await startSlapd();
    const { port } = new URL(slapd.url);
    const connect: typeof outbound.connect = (target) =>
      outbound.connect(target.host === HOST ? { ...target, host: '127.0.0.1', port: Number(port) } : target);
    test = await testServer({ connect, clock: 'standing' });
  });
  afterAll(async () => {
    await test.close();
    await slapd.stop();
    await outbound.close();
  });

  let made = 0;
  const connection = (projectId: string, url: string, login: { dn: string; password: string }) =>
    test.admin('POST', '/api/v1/app-connections/ldap', {
      ...{ projectId, name: `directory-${++made}`, method: 'simple-bind' },
      credentials: { provider: 'openldap', url, ...login },
    });
  const manager = { dn: LDAP_MANAGER.binddn, password: LDAP_MANAGER.bindpass };
  const account = { dn: LDAP_ACCOUNT.bindDN, password: LDAP_ACCOUNT.bindPass };

  /** Rotates the password of an entry, by one way to the directory. */
  async function rotate(projectId: string, url: string, dn: string = account.dn) {
    const { appConnection } = await ok(connection(projectId, url, manager));
    return test.admin('POST', '/api/v2/secret-rotations/ldap-password', {
      ...{ projectId, environment: 'dev', secretPath: '/', connectionId: appConnection.id, name: `rotation-${made}` },
      ...{ rotationInterval: 30, rotateAtUtc: { hours: 0, minutes: 0 }, isAutoRotationEnabled: false },
      parameters: { dn },
      secretsMapping: { dn: `DN_${made}`, password: `PASSWORD_${made}` },
    });
  }

  it('has a login rotated that a connection uses by another port', async () => {
    const { id } = await test.project();
    await ok(connection(id, WAYS[0]!, account));
    for (const way of WAYS) expect(await rotate(id, way)).toMatchObject({ status: 400, body: { message: IN_USE } });
  });

  it('has one entry changed by two rotations, by two ports', async () => {
    const { id } = await test.project();
    const dn = `uid=entry,${LDAP_SERVICES}`;
    const attributes = Object.entries({
      objectClass: 'inetOrgPerson',
      cn: 'entry',
      sn: 'entry',
      userPassword: 'before',
    });
    await inDirectory({ url: slapd.url, ...LDAP_MANAGER }, outbound, (session) =>
      session.doAll([
        { change: 'add', dn, attributes: attributes.map(([type, text]) => ({ type, values: [Buffer.from(text)] })) },
      ]),
    );
    await ok(rotate(id, WAYS[1]!, dn));
    for (const way of WAYS)
      expect(await rotate(id, way, dn)).toMatchObject({ status: 400, body: { message: CHANGED } });
  });

  it('has more guesses at a password by another port', async () => {
    const { id } = await test.project();
    const statuses: number[] = [];
    for (let at = 0; at < 12; at++) {
      const guess = { dn: account.dn, password: `guess ${at}` };
      statuses.push((await connection(id, WAYS[at % WAYS.length]!, guess)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
  });
});
