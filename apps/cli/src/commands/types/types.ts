import { pathOf, writeWhole } from '../../files.ts';
import { placesOf } from '../../place.ts';
import { connect } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { typesFlags } from './flags.ts';

/** Declares a variable of the environment for each secret. Values are not even read. */
export const writeTypes: Action<typeof typesFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const client = await connect(invocation);
  const places = await placesOf(invocation, client);
  const options = {
    viewSecretValue: false,
    includeImports: flags['include-imports'],
    recursive: flags.recursive,
    ...(flags.tags && { tagSlugs: flags.tags }),
  };
  const answers = await Promise.all(places.map((place) => client.secrets.list.query({ ...place, ...options })));
  const comments = new Map<string, string>();
  for (const { secrets, imports = [] } of answers)
    for (const one of [...imports.flatMap((found) => found.secrets), ...secrets])
      comments.set(one.secretKey, one.secretComment);
  const text = declarations(comments);
  if (!flags['output-file']) return io.write(text);
  writeWhole(pathOf(flags['output-file'], io.cwd), text, 0o644);
  io.say('info', `Declared ${comments.size} secrets in ${flags['output-file']}`);
};

function declarations(comments: ReadonlyMap<string, string>): string {
  const members = [...comments]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, comment]) => {
      const text = comment.replaceAll('*/', '*\u200B/').replaceAll(/\s+/g, ' ').trim();
      return [...(text ? [`      /** ${text} */`] : []), `      readonly ${JSON.stringify(name)}: string;`];
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
