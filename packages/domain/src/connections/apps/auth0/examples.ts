import { Auth0 } from '../../../apps/auth0/testing/auth0.ts';
import type { AppExample } from '../../app-connection/testing/example.ts';

export const example: AppExample = {
  standIn() {
    const auth0 = new Auth0(250);
    const { clientSecret: secret, ...shown } = auth0.application;
    return {
      hosts: { [auth0.domain]: auth0.listener },
      methods: {
        'client-credentials': {
          ...{ given: { ...auth0.application }, shown, secret },
          wrong: { clientSecret: 'another-secret' },
          elsewhere: { domain: 'thief.example' },
        },
      },
      lists: {
        clients: {
          answer: {
            clients: [...auth0.clients].flatMap(([id, { name, isGlobal }]) => (isGlobal ? [] : [{ id, name }])),
          },
        },
      },
    };
  },
};
