import type { World } from '../../subject/world.ts';
import { asked, type Line } from './line.ts';

const KEYS = '/api/v1/kms/keys';
const KILOBYTE = Buffer.alloc(1_024, 'x').toString('base64');

async function makeKey({ admin, projectId }: World, name: string, algorithm: string): Promise<string> {
  const { key } = await admin<{ key: { id: string } }>('POST', KEYS, { projectId, name, algorithm });
  return `${KEYS}/${key.id}`;
}

/** One operation with a key of its own. The floor gets the same body. */
const using = (
  { name, title, target }: Pick<Line, 'name' | 'title' | 'target'>,
  { algorithm, operation, body }: { algorithm: string; operation: string; body: object },
): Line => ({
  name,
  title,
  target,
  async prepare(world) {
    const paths = [`${await makeKey(world, name, algorithm)}/${operation}`];
    return asked(world, { method: 'POST', paths, body: JSON.stringify(body) });
  },
  floors: [{ name: 'floor', load: { method: 'POST', paths: [`/kms/${operation}`], body: JSON.stringify(body) } }],
});

export const kmsLines: readonly Line[] = [
  using(
    { name: 'kms-encrypt', title: 'encrypt 1 KB', target: 1.5 },
    { algorithm: 'aes-256-gcm', operation: 'encrypt', body: { plaintext: KILOBYTE } },
  ),
  {
    name: 'kms-decrypt',
    title: 'decrypt 1 KB',
    target: 1.5,
    async prepare(world) {
      const key = await makeKey(world, 'kms-decrypt', 'aes-256-gcm');
      const encrypted = await world.admin<object>('POST', `${key}/encrypt`, { plaintext: KILOBYTE });
      return asked(world, { method: 'POST', paths: [`${key}/decrypt`], body: JSON.stringify(encrypted) });
    },
    floors: [
      {
        name: 'floor',
        load: { method: 'POST', paths: ['/kms/decrypt'], body: JSON.stringify({ ciphertext: KILOBYTE }) },
      },
    ],
  },
  using(
    { name: 'kms-sign', title: 'sign with P-256', target: 1.5 },
    { algorithm: 'ECC_NIST_P256', operation: 'sign', body: { data: KILOBYTE } },
  ),
  using(
    { name: 'kms-batch', title: 'encrypt 1,000 values of 100 bytes in one batch', target: undefined },
    {
      algorithm: 'aes-256-gcm',
      operation: 'encrypt/batch',
      body: { items: Array.from({ length: 1_000 }, () => ({ plaintext: KILOBYTE.slice(0, 136) })) },
    },
  ),
];
