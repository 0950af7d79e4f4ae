import { defineCommand } from '../../table/command.ts';
import { foldersCommand } from './folders/command.ts';
import { listFlags, getFlags, setFlags, deleteFlags, exampleFlags, diffFlags } from './flags.ts';

const name = { name: 'name', summary: 'the name of a secret', many: true } as const;

export const secretsCommand = defineCommand({
  name: 'secrets',
  summary: 'list and change secrets',
  flags: listFlags,
  load: async () => (await import('./list.ts')).listSecrets,
  commands: [
    defineCommand({
      name: 'get',
      summary: 'read secrets by name',
      args: [name],
      flags: getFlags,
      examples: ['coffer secrets get DATABASE_URL --plain'],
      load: async () => (await import('./list.ts')).getSecrets,
    }),
    defineCommand({
      name: 'set',
      summary: 'create or change secrets, all or none',
      args: [
        {
          name: 'NAME=value',
          summary: 'a value, NAME=@path for that of a file, NAME=\\@text for a leading @, NAME=- for standard input',
          optional: true,
          many: true,
        },
      ],
      flags: setFlags,
      examples: [
        'coffer secrets set API_KEY=@key.txt --env prod',
        'pass show db | coffer secrets set DATABASE_PASSWORD=-',
      ],
      load: async () => (await import('./set.ts')).setSecrets,
    }),
    defineCommand({
      name: 'delete',
      summary: 'delete secrets, all or none',
      args: [name],
      flags: deleteFlags,
      load: async () => (await import('./delete.ts')).deleteSecrets,
    }),
    foldersCommand,
    defineCommand({
      name: 'diff',
      summary: 'compare two environments, folders or files',
      description:
        'Compares two places: an environment (prod), an environment and a folder (prod:/app), or a file (./.env). Exit code 1 if they differ.',
      args: [
        { name: 'from', summary: 'an environment, environment:/folder, or ./file' },
        { name: 'to', summary: 'the same' },
      ],
      flags: diffFlags,
      examples: ['coffer secrets diff staging prod', 'coffer secrets diff ./.env dev:/app'],
      load: async () => (await import('./diff.ts')).diffSecrets,
    }),
    defineCommand({
      name: 'generate-example-env',
      summary: 'write an example of a .env file: names and comments, no values',
      flags: exampleFlags,
      load: async () => (await import('./example.ts')).writeExample,
    }),
  ],
});
