/**
 * How long the event loop of a server is blocked while it builds and serves a revocation list of many entries. The
 * entries are written into the database; a real revocation then triggers the rebuild.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { noteOf, stillness } from './measure/event-loop.ts';
import { median } from './measure/sample.ts';
import { onDatabase, Run } from './subject/stage.ts';

const HELP = `pnpm revocation-list [options]
  --entries N   revoked certificates (100000)
  --rounds N    lists that are made of each kind of key (3)`;
const MONITOR = new URL('./measure/event-loop.ts', import.meta.url).href;
const KEYS = ['EC_prime256v1', 'RSA_4096'];
/** Milliseconds: what the design allows. */
const ALLOWED = 100;

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});

/** `revokedCertificates` elements as DER: a serial number of 20 octets, and a time. */
const FILL = `
  insert into revocation_entries (ca_key_id, serial_number, organization_id, project_id, not_after, revoked_at, reason, entry)
  select k.id, s.serial, k.organization_id, k.project_id, now() + interval '1 year', now() - interval '1 hour', 0,
    decode('30250214' || s.serial || '170d' || encode('260101000000Z', 'hex'), 'hex')
  from ca_keys k, (
    select '40' || md5(n::text) || lpad(to_hex(n), 6, '0') as serial from generate_series(1, $2::integer) n) s
  where k.id = $1`;

const latest = new Map<string, string>();

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else process.exitCode = (await measure()) ? 0 : 1;
} finally {
  await run.close();
}

/** Whether the typical block is within the limit. */
async function measure(): Promise<boolean> {
  const stage = await run.stage('revocation', { nodeFlags: ['--import', MONITOR] });
  const { server, world, databaseUrl } = stage;
  const all = new Map<string, number[]>();
  console.log('ms      of a list, and the longest block of the event loop\n');
  for (const keyAlgorithm of KEYS) {
    const authority = await world.admin<{ id: string }>('POST', '/api/v1/cert-manager/ca/internal', {
      projectId: world.projectId,
      name: `bench-${keyAlgorithm.toLowerCase().replace('_', '-')}`,
      configuration: { type: 'root', commonName: 'Bench', keyAlgorithm },
    });
    const crlId = await onDatabase(databaseUrl, async (db) => {
      const { rows } = await db.query<{ id: string }>('select id from ca_keys where ca_id = $1', [authority.id]);
      await db.query(FILL, [rows[0]!.id, Number(values.entries)]);
      return rows[0]!.id;
    });
    const url = `${server.url}/api/v1/pki/crl/${crlId}/der`;
    for (let round = 0; round < Number(values.rounds); round++) {
      const before = await sizeAt(url);
      const made = await stillness(server.pid, async () => {
        await revokeOne(world.admin, authority.id);
        while ((await etagAt(url)) === before.etag) await sleep(250);
      });
      const after = { size: 0 };
      const served = await stillness(server.pid, async () => Object.assign(after, await sizeAt(url)));
      const asPem = await stillness(server.pid, async () =>
        Object.assign(after, { pem: await sizeAt(url.replace('/der', '')) }),
      );
      for (const [what, ms] of Object.entries({ made, served, 'served as PEM': asPem })) {
        const name = `${keyAlgorithm}, ${what}`;
        all.set(name, [...(all.get(name) ?? []), ms]);
        console.log(`${ms.toFixed(1).padEnd(7)} ${name}, ${(after.size / 1e6).toFixed(1)} MB`);
      }
    }
  }
  await rm(noteOf(server.pid), { force: true });
  const medians = [...all].map(([name, times]) => [name, median(times)] as const);
  const [slowest, worst] = medians.reduce((a, b) => (b[1] > a[1] ? b : a));
  console.log(`\nAt the most ${worst.toFixed(1)} ms (median, ${slowest}); ${ALLOWED} are allowed`);
  return worst <= ALLOWED;
}

async function revokeOne(admin: (method: string, path: string, body?: object) => Promise<unknown>, caId: string) {
  const names = { commonName: 'a.example.com', altNames: 'a.example.com', ttl: '30d' };
  const issued = await admin('POST', '/api/v1/pki/certificates/issue-certificate', { caId, ...names });
  const { serialNumber } = issued as { serialNumber: string };
  await admin('POST', `/api/v1/pki/certificates/${serialNumber}/revoke`, { revocationReason: 'SUPERSEDED' });
}

async function sizeAt(url: string): Promise<{ size: number; etag: string | null }> {
  const answer = await fetch(url);
  return { size: (await answer.arrayBuffer()).byteLength, etag: answer.headers.get('etag') };
}

/** Of the newest list, without being sent it each time. */
async function etagAt(url: string): Promise<string | null> {
  const answer = await fetch(url, { method: 'GET', headers: { 'if-none-match': latest.get(url) ?? '' } });
  await answer.arrayBuffer();
  const etag = answer.headers.get('etag');
  if (etag) latest.set(url, etag);
  return etag;
}
