import { ENVIRONMENT, writeBatch, type World } from '../../subject/world.ts';
import { onDatabase, type Stage } from '../../subject/stage.ts';
import { asked, HUNDRED, HUNDRED_SECRETS, place, reading } from '../lines/line.ts';
import { makeIdentities, otherLines } from '../lines/others.ts';
import type { Load } from '../load.ts';

/** What is measured beside what grows: a project of usual size, with everything in it that the works need. */
export async function worksOf({ world, databaseUrl }: Stage): Promise<ReadonlyMap<string, Load>> {
  const { admin, projectId } = world;
  await writeBatch(world, '/', HUNDRED_SECRETS);
  const members = await makeIdentities(
    world,
    Array.from({ length: 20 }, (_, n) => `member-${n}`),
  );
  for (const id of members)
    await admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { role: 'member' });
  const login = otherLines.find(({ name }) => name === 'login')!;
  const at = place(projectId, '/');
  const crlId = await authorityWithList(world, databaseUrl);
  const post = (path: string, body: object) =>
    asked(world, { method: 'POST', paths: [path], body: JSON.stringify(body) });
  return new Map([
    ['read one secret', reading(world, ...HUNDRED.map((key) => `/api/v4/secrets/${key}?${at}`))],
    ['list 100 secrets', reading(world, `/api/v4/secrets?${at}`)],
    ['login', await login.prepare(world, databaseUrl)],
    [
      'search an identity by name',
      post('/api/v2/identities/search', { search: { name: { $contains: 'member-1' } }, limit: 20 }),
    ],
    [
      'search certificates by name',
      post(`/api/v1/projects/${projectId}/certificates/search`, { commonName: 'a.example.com', limit: 20 }),
    ],
    ['page of the audit log', reading(world, '/api/v1/organization/audit-logs?limit=20')],
    ['page of one project', reading(world, `/api/v1/organization/audit-logs?limit=20&projectId=${projectId}`)],
    ['revocation list', reading(world, `/api/v1/pki/crl/${crlId}/der`)],
    [
      'who can access a secret',
      reading(
        world,
        `/api/v1/projects/${projectId}/access?environment=${ENVIRONMENT}&secretPath=%2F&secretName=${HUNDRED[0]}`,
      ),
    ],
  ]);
}

/** An authority with a certificate that is valid and one that is revoked; the ID of its list. */
async function authorityWithList({ admin, projectId }: World, databaseUrl: string): Promise<string> {
  const { id: caId } = await admin<{ id: string }>('POST', '/api/v1/cert-manager/ca/internal', {
    projectId,
    name: 'bench',
    configuration: { type: 'root', commonName: 'Bench', keyAlgorithm: 'EC_prime256v1' },
  });
  for (const commonName of ['a.example.com', 'revoked.example.com']) {
    const { serialNumber } = await admin<{ serialNumber: string }>(
      'POST',
      '/api/v1/pki/certificates/issue-certificate',
      {
        caId,
        ...{ commonName, altNames: commonName, ttl: '30d' },
      },
    );
    if (commonName.startsWith('revoked'))
      await admin('POST', `/api/v1/pki/certificates/${serialNumber}/revoke`, { revocationReason: 'SUPERSEDED' });
  }
  return onDatabase(databaseUrl, async (db) => {
    const { rows } = await db.query<{ id: string }>('select id from ca_keys where ca_id = $1', [caId]);
    return rows[0]!.id;
  });
}
