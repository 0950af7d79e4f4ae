import { makeUser, type MadeUser, type MakeUser } from '@coffer/domain/testing';
import type { Caller, TestServer } from './test-server.ts';

export const API_KEYS = '/api/v2/users/me/api-keys';

export interface Keyholder extends MadeUser {
  /** The user with a session. */
  readonly session: Caller;
  /** The user with the API key. */
  readonly call: Caller;
  readonly key: string;
  readonly keyId: string;
}

/** A caller with an API key. */
export const withKey = (test: Pick<TestServer, 'as'>, key: string): Caller => {
  const call = test.as();
  return (method, url, body, headers = {}) => call(method, url, body, { 'x-api-key': key, ...headers });
};

/** Creates an API key for the session of a token. */
export async function makeKey(test: TestServer, token: string, expiresIn = 3600): Promise<{ key: string; id: string }> {
  const { status, body } = await test.as(token)('POST', API_KEYS, { name: 'deploy', expiresIn });
  if (status !== 200) throw new Error(`Creating an API key answered ${status}: ${JSON.stringify(body)}`);
  return { key: body.apiKey, id: body.apiKeyData.id };
}

/** A user of the organization with an API key for an hour. */
export async function keyholder(test: TestServer, make: MakeUser = {}): Promise<Keyholder> {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member', ...make });
  const { key, id } = await makeKey(test, user.token);
  return { ...user, session: test.as(user.token), call: withKey(test, key), key, keyId: id };
}
