import { defineCommand } from '../../table/command.ts';

export const tokenCommand = defineCommand({
  name: 'token',
  summary: 'renew access tokens of machine identities',
  commands: [
    defineCommand({
      name: 'renew',
      summary: 'renew an access token',
      args: [
        {
          name: 'token',
          summary: 'the access token; without it, that of the environment or the login',
          optional: true,
        },
      ],
      load: async () => (await import('./token.ts')).renewToken,
    }),
  ],
});
