// @long: kills processes
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRootKey } from '@coffer/domain';
import { openGate, sampleOf, testDatabase } from '@coffer/domain/testing';
import { Pool } from 'pg';
import { expect, it } from 'vitest';
import { CA } from '../../harness/certificates.ts';
import { PUBLIC_KEY, SSH_CA, SSH_CERTIFICATES, SSH_TEMPLATES, templateOf } from '../../harness/ssh.ts';
import { HOSTS, hostUrl } from '../../harness/ssh-hosts.ts';
import { killProcess, startProcess } from '../../harness/server-process.ts';

// The server is killed when a certificate of an authority is signed and not stored yet, or stored and not committed: at one of
// these moments in `npm test`, at both in `pnpm search authority/crash`.

const PATIENCE = 300_000;

it(
  'what was signed by a server that was killed before storing it is not trusted for anyone: certificates of authorities, and of SSH',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'coffer-pki-crash-'));
    const own = await testDatabase();
    const at = new URL(own.url);
    const gate = await openGate({ port: Number(at.port) });
    const database = new Pool({ connectionString: own.url, max: 2 });
    const through = new URL(own.url);
    through.port = String(gate.port);
    through.hostname = gate.host;
    const environment = {
      DATABASE_URL: through.href,
      COFFER_ROOT_KEY: makeRootKey(),
      COFFER_DATA_DIR: directory,
      LOG_LEVEL: 'info',
    };
    let server = await startProcess(environment);
    const send = async (path: string, body: object, token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    };
    try {
      const account = { email: 'admin@example.com', password: 'a long password for nobody', organization: 'Acme' };
      const { token } = (await send('/api/v1/admin/bootstrap', account)).body.identity.credentials;
      const { project } = (await send('/api/v1/projects', { projectName: 'Shop' }, token)).body;
      const create = (name: string, configuration: object) =>
        send(
          CA,
          {
            projectId: project.id,
            name,
            configuration: { commonName: name, keyAlgorithm: 'ED25519', ...configuration },
          },
          token,
        );
      const root = (await create('root', { type: 'root' })).body;
      const below = { type: 'intermediate', parentCaId: root.id };
      const handedOut: string[] = [root.configuration.serialNumber];
      // By the names of prepared statements, which are sent each time.
      const moments = [
        ['certificate_authorities.issue', false],
        ['ca_certificates.add', true],
      ] as const;
      const killedAt = async (text: string, isHeard: boolean, ask: () => Promise<{ status: number }>) => {
        const caught = gate.stallAt(text, isHeard);
        const answer = ask().then(
          ({ status }) => status,
          () => 'nothing',
        );
        expect(await Promise.race([caught, answer])).toBe(undefined);
        await killProcess(server);
        expect(await answer).toBe('nothing');
        await gate.open();
        server = await startProcess(environment);
      };
      for (const [text, isHeard] of sampleOf(moments, 2)) {
        const name = `below-${handedOut.length}`;
        await killedAt(text, isHeard, () => create(name, below));
        const again = await create(name, below);
        expect([again.status, again.body.status]).toEqual([200, 'active']);
        handedOut.push(again.body.configuration.serialNumber);
      }
      const serials = async (table: string) =>
        (await database.query<{ serial_number: string }>(`select serial_number from ${table}`)).rows.map(
          (row) => row.serial_number,
        );
      // Stored certificates equal the returned ones, and no serial number is repeated.
      expect((await serials('ca_certificates')).toSorted()).toEqual(handedOut.toSorted());
      expect((await serials('certificates')).toSorted()).toEqual(handedOut.slice(1).toSorted());
      const { rows } = await database.query('select count(*)::int as keys from ca_keys');
      expect(rows).toEqual([{ keys: handedOut.length }]);

      const { ca } = (await send(SSH_CA, { projectId: project.id, friendlyName: 'users' }, token)).body;
      const template = (await send(SSH_TEMPLATES, templateOf(ca.id), token)).body;
      const issue = () => {
        const asked = { certificateTemplateId: template.id, principals: ['deploy'] };
        return send(`${SSH_CERTIFICATES}/issue`, asked, token);
      };
      await killedAt('ssh_certificates.issue', false, issue);
      const issued = await issue();
      expect(issued.status).toBe(200);
      expect(await serials('ssh_certificates')).toEqual([issued.body.serialNumber]);
      const host = (await send(HOSTS, { projectId: project.id, hostname: 'db1.example.com' }, token)).body;
      const certify = () => send(hostUrl(host, '/issue-host-cert'), { publicKey: PUBLIC_KEY }, token);
      const renewed = async () =>
        (await database.query('select host_public_key as key from ssh_hosts')).rows.map(({ key }) => key !== null);
      const certifying = [
        ['ssh_certificates.issue', false],
        ['ssh_hosts.set_public_key', true],
      ] as const;
      for (const [text, isHeard] of sampleOf(certifying, 2, 1)) {
        await killedAt(text, isHeard, certify);
        const none = [await serials('ssh_certificates'), await renewed()];
        expect(none).toEqual([[issued.body.serialNumber], [false]]);
      }
      const certified = await certify();
      expect(certified.status).toBe(200);
      const both = [issued.body.serialNumber, certified.body.serialNumber];
      expect([await serials('ssh_certificates'), await renewed()]).toEqual([both, [true]]);
      const { rows: events } = await database.query(
        `select data->>'serialNumber' as serial from audit_events where type like 'ssh_certificate.%' order by id`,
      );
      expect(events).toEqual(both.map((serial) => ({ serial })));
    } finally {
      await killProcess(server);
      await gate.close();
      await database.end();
      await own.drop();
      await rm(directory, { recursive: true, force: true });
    }
  },
  PATIENCE,
);
