import { Auth0, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRotation, RotationAtWork, type RotatedSystem } from '../../harness/rotation.ts';
import { testServer } from '../../harness/test-server.ts';

const standIns = new StandIns();
const auth0 = new Auth0(0);
let system: RotatedSystem & { close(): Promise<void> };
beforeAll(async () => {
  const test = await testServer({ fetch: standIns.fetch });
  const open = () => standIns.serve(auth0.domain, auth0.listener);
  await open();
  let number = 0;
  system = {
    ...{ test, app: 'auth0', credentials: { method: 'client-credentials', ...auth0.application }, open },
    async accounts() {
      const clientId = `client${++number}`;
      auth0.clients.set(clientId, { name: `Shop ${number}`, secret: 'before' });
      return { parameters: { clientId } };
    },
    rejected: async () => ({ parameters: { clientId: 'nobody' }, message: 'The client does not exist' }),
    works: async ({ clientId = '', clientSecret = '' }) => auth0.clients.get(clientId)?.secret === clientSecret,
    async invalidate({ clientId = '' }) {
      auth0.clients.get(clientId)!.secret = 'changed';
    },
    shut: () => standIns.stop(auth0.domain),
    async close() {
      await test.close();
      await standIns.close();
    },
  };
});
afterAll(() => system.close());

describeRotation('Auth0 Client Secret', {
  type: 'auth0-client-secret',
  fields: ['clientId', 'clientSecret'],
  slots: 1,
  system: () => system,
});

it('does not rotate the application of its own connection', async () => {
  const one = await RotationAtWork.unmade(system, 'auth0-client-secret', ['clientId', 'clientSecret']);
  const { clientId } = auth0.application;
  const { status, body } = await one.create({ parameters: { clientId } });
  expect([status, body.message]).toEqual([400, 'The application of the connection cannot be rotated by itself']);
});
