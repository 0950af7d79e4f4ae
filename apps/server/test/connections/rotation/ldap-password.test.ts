import { createOutbound, parseCidrs } from '@coffer/domain';
import { inDirectory, LDAP_MANAGER, LDAP_SERVICES, slapdServer, startSlapd, type Slapd } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { behindGate, type OwnSystem } from '../../harness/rotated-system.ts';
import { describeRotation } from '../../harness/rotation.ts';

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
    }));
  });
  afterAll(async () => {
    await system.close();
    await slapd.stop();
    await outbound.close();
  });

  describeRotation('LDAP Password', { ...KIND, system: () => system });
});
