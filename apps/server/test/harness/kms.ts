import { enqueueDueKeys, rotateKmsKeyJob } from '@coffer/domain';
import { ok } from './certificates.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const KEYS = '/api/v1/kms/keys';
export const base64 = (data: string | Uint8Array): string => Buffer.from(data).toString('base64');
export const bytes = (text: string): Buffer => Buffer.from(text, 'base64');

/** What begins the ciphertexts of the first version of a key, by the code of its algorithm. */
export const headerOf = (code: number): Buffer => Buffer.of(1, code, 0, 0, 0, 1);

/** What the ciphertext of the first version of a key is bound to, beside the caller's associated data. */
export function boundTo(
  { projectId, keyId, code }: { readonly projectId: string; readonly keyId: string; readonly code: number },
  associatedData: Uint8Array,
): Buffer {
  const ids = [projectId, keyId].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'));
  return Buffer.concat([Buffer.from('coffer kms\0'), ...ids, Buffer.of(0, 0, 0, 1, code), associatedData]);
}

let number = 0;
export const keyName = (): string => `key-${number++}`;

/** Creates a key, by default one that encrypts. */
export const createKey = async (
  call: Caller,
  projectId: string,
  more: object = {},
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<any> => ok(await call('POST', KEYS, { projectId, name: keyName(), ...more })).key;

/** Uses a key: `await use(call, key.id, 'encrypt', { plaintext })`. */
export const use = (call: Caller, keyId: string, operation: string, body: object): Promise<Answer> =>
  call('POST', `${KEYS}/${keyId}/${operation}`, body);

/** A caller with these rules about keys in a project, and nothing else. */
export const withRules = async (
  test: TestServer,
  projectId: string,
  ...rules: readonly { action: string[]; conditions?: Record<string, unknown>; inverted?: boolean }[]
): Promise<Caller> =>
  (await test.identity({ projectId, rules: rules.map((rule) => ({ subject: 'cmek', ...rule })) })).call;

/** What the worker would do: the jobs of all keys that are due, twice, as a worker that was killed in between would. */
export async function rotateDue({ coffer }: TestServer): Promise<void> {
  await enqueueDueKeys(coffer.contextFor({ type: 'platform', organizationId: undefined }));
  const { rows } = await coffer.pool.query<{ payload: { organizationId: string; id: string; version: number } }>(
    `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'kms.rotate'`,
  );
  const attempt = { job: {} } as Parameters<typeof rotateKmsKeyJob.run>[2];
  for (const { payload } of [...rows, ...rows]) {
    const platform = coffer.contextFor({ type: 'platform', organizationId: payload.organizationId });
    await rotateKmsKeyJob.run(platform, payload, attempt);
  }
  await coffer.pool.query('delete from graphile_worker._private_jobs');
}
