import { z } from 'zod';
import { rejectedBy } from '../../../../family/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { auth0 } from '../../../apps/auth0/index.ts';
import { token } from '../../../fields.ts';
import { defineRotation } from '../../rotation.ts';

/** The client secret of an application, which has one. It is set to a planned value, so that each step can be repeated. */
export const auth0ClientSecret = defineRotation({
  type: 'auth0-client-secret',
  title: 'Auth0 Client Secret',
  connector: auth0,
  parameters: z.object({ clientId: token('the client ID of an application') }),
  mapping: { clientId: 'AUTH0_CLIENT_ID', clientSecret: 'AUTH0_CLIENT_SECRET' },
  secret: ['clientSecret'],
  slots: 1,
  accounts: ({ clientId }) => [clientId],
  loginOf: ({ clientId }) => String(clientId),
  validate({ clientId }, connection) {
    if (clientId === connection['clientId'])
      throw badRequest('auth0.own_client', 'The application of the connection cannot be rotated by itself');
  },
  generate: (_parameters, { password }) => ({ clientSecret: password(PASSWORD) }),
  async apply({ client }, { parameters: { clientId }, plan: { clientSecret } }) {
    await client.setSecret(clientId, clientSecret);
    return { clientId, clientSecret };
  },
  async verify({ client }, { clientId, clientSecret }) {
    if ((await client.secretOf(clientId)) !== clientSecret)
      throw rejectedBy('Auth0', 'the application has another client secret');
  },
  revoke: ({ client }, { parameters: { clientId } }) => client.rotateSecret(clientId),
  canReconcile: true,
});

/** As long as those that Auth0 makes. */
const PASSWORD = { length: 64, required: { lowercase: 1, uppercase: 1, digits: 1, symbols: 0 }, allowedSymbols: '-_' };
