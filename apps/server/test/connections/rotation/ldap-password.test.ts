import { createOutbound, parseCidrs } from '@coffer/domain';
import { inDirectory, LDAP_MANAGER, LDAP_SERVICES, slapdServer, startSlapd, type Slapd } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../harness/groups.ts';
import { behindGate, type OwnSystem } from '../../harness/rotated-system.ts';
import { describeRotation, RotationAtWork } from '../../harness/rotation.ts';

const KIND = { type: 'ldap-password', fields: ['dn', 'password'], slots: 1 } as const;

describe.skipIf(slapdServer.isMissing)(`a directory${slapdServer.orSkipped}`, () => {
  let slapd: Slapd;
  let system: OwnSystem;
  let number = 0;
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  const bytes = (text: string) => [Buffer.from(text)];

  /** A new entry with a password. */
  async function addEntry(): Promise<string> {
    const dn = `uid=rotated${++number},${LDAP_SERVICES}`;
    const attributes = [
      { type: 'objectClass', values: bytes('inetOrgPerson') },
      { type: 'cn', values: bytes('rotated') },
      { type: 'sn', values: bytes('rotated') },
      { type: 'userPassword', values: bytes('before') },
    ];
    await inDirectory({ url: slapd.url, ...LDAP_MANAGER }, outbound, (session) =>
      session.doAll([{ change: 'add', dn, attributes }]),
    );
    return dn;
  }

  const changePassword = (dn: string): Promise<void> =>
    inDirectory({ url: slapd.url, ...LDAP_MANAGER }, outbound, (session) => {
      const attributes = [{ operation: 'replace' as const, type: 'userPassword', values: bytes('changed') }];
      return session.doAll([{ change: 'modify', dn, attributes }]);
    });

  beforeAll(async () => {
    slapd = await startSlapd();
    system = await behindGate(Number(new URL(slapd.url).port), ({ host, port }) => ({
      app: 'ldap',
      credentials: {
        method: 'simple-bind',
        ...{ provider: 'openldap', url: `ldap://${host}:${port}` },
        ...{ dn: LDAP_MANAGER.binddn, password: LDAP_MANAGER.bindpass },
      },
      accounts: async () => ({ parameters: { dn: await addEntry() } }),
      rejected: async () => ({ parameters: { dn: `uid=nobody,${LDAP_SERVICES}` }, message: 'NoSuchObject' }),
      works: ({ dn, password }) => slapd.logsIn(dn!, password!),
      invalidate: ({ dn }) => changePassword(dn!),
    }));
  });
  afterAll(async () => {
    await system.close();
    await slapd.stop();
    await outbound.close();
  });

  describeRotation('LDAP Password', { ...KIND, system: () => system });

  it('is reconciled by the entry of the connection, where the entry sets its own password', async () => {
    const one = await RotationAtWork.unmade(system, KIND.type, KIND.fields);
    const parameters = { dn: await addEntry(), rotationMethod: 'target-principal' };
    await ok(one.create({ parameters, temporaryParameters: { password: 'before' } }));
    await changePassword(parameters.dn);
    expect((await one.rotate()).status).toBe(400);
    expect(await ok(one.reconcile())).toMatchObject({ reconciled: true });
    expect(await system.works(await one.active())).toBe(true);
  });

  it('changes an entry that no other rotation changes, however its name is spelled', async () => {
    const one = await RotationAtWork.unmade(system, KIND.type, KIND.fields);
    const dn = await addEntry();
    await ok(one.create({ parameters: { dn } }));
    const before = await one.active();
    const secretsMapping = { dn: 'OTHER_DN', password: 'OTHER_PASSWORD' };
    for (const spelled of [dn, dn.toUpperCase(), dn.replaceAll(',', ' , '), dn.replace('uid=r', 'userId=\\72')]) {
      const { status, body } = await one.create({ name: 'other', parameters: { dn: spelled }, secretsMapping });
      expect([spelled, status, body.message]).toEqual([spelled, 400, expect.stringContaining('Another rotation')]);
    }
    expect(await system.works(before)).toBe(true);
  });

  it('does not log in without a password, whoever sets the new one', async () => {
    const one = await RotationAtWork.unmade(system, KIND.type, KIND.fields);
    const parameters = { dn: await addEntry(), rotationMethod: 'target-principal' };
    const { status, body } = await one.create({ parameters });
    expect([status, body.message]).toEqual([400, expect.stringContaining('needs the present password')]);
    expect(await one.list()).toEqual([]);
  });
});
