import { ok } from './certificates.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const KEYS = '/api/v1/kms/keys';
export const base64 = (data: string | Uint8Array): string => Buffer.from(data).toString('base64');
export const bytes = (text: string): Buffer => Buffer.from(text, 'base64');

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
