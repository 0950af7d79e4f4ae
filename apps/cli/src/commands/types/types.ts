import { pathOf, writeWhole } from '../../files.ts';
import { placesOf } from '../../place.ts';
import { listByName } from '../../secrets.ts';
import { connect } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { typesFlags } from './flags.ts';

/** Declares a variable of the environment for each secret. Values are not even read. */
export const writeTypes: Action<typeof typesFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const client = await connect(invocation);
  const secrets = await listByName(client, await placesOf(invocation, client), flags, { viewSecretValue: false });
  const text = declarations(secrets);
  if (!flags['output-file']) return io.write(text);
  writeWhole(pathOf(flags['output-file'], io.cwd), text, { mode: 0o644 });
  io.say('info', `Declared ${secrets.length} secrets in ${flags['output-file']}`);
};

function declarations(secrets: Awaited<ReturnType<typeof listByName>>): string {
  const members = secrets.flatMap(({ secretKey, secretComment }) => {
    const text = secretComment.replaceAll('*/', '*\u200B/').replaceAll(/\s+/g, ' ').trim();
    return [...(text ? [`      /** ${text} */`] : []), `      readonly ${JSON.stringify(secretKey)}: string;`];
  });
  return [
    '// Made by coffer types.',
    'declare global {',
    '  namespace NodeJS {',
    '    interface ProcessEnv {',
    ...members,
    '    }',
    '  }',
    '}',
    'export {};',
    '',
  ].join('\n');
}
