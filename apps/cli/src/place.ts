import type { CofferClient } from '@coffer/client';
import { usage } from './exit.ts';
import type { Io } from './io.ts';
import { environmentOf, findProjectFile, type ProjectFile } from './project-file.ts';
import { list, text, textOr, type Flags, type Invocation } from './table/command.ts';

/** Flags of commands about a project. */
export const projectFlags = {
  projectId: text('ID of the project', {
    placeholder: 'id',
    env: ['COFFER_PROJECT_ID', 'INFISICAL_PROJECT_ID'],
  }),
  token: text('access token of a machine identity, or service token', { secret: true }),
  'project-config-dir': text('directory of the project file, or one below it', { placeholder: 'directory' }),
} as const satisfies Flags;

/** Flags of commands about a folder. */
export const placeFlags = {
  ...projectFlags,
  env: textOr('dev', 'slug of the environment', { short: 'e', env: ['COFFER_ENVIRONMENT'] }),
  path: textOr('/', 'path of the folder', { short: 'p' }),
} as const satisfies Flags;

/** Flags of commands about several folders. */
export const placesFlags = {
  ...placeFlags,
  path: list('path of a folder; can be repeated, the last one wins', { placeholder: 'path' }),
} as const satisfies Flags;

export interface Place {
  readonly projectId: string;
  readonly environment: string;
  readonly secretPath: string;
}

/** What a command was given of a place. */
interface Given {
  readonly io: Pick<Io, 'cwd'>;
  readonly isGiven: (name: string) => boolean;
  readonly flags: {
    readonly projectId: string | undefined;
    readonly env: string;
    readonly 'project-config-dir': string | undefined;
  };
}

const fileOf = ({ flags, io }: Pick<Given, 'flags' | 'io'>): ProjectFile | undefined =>
  projectFileIn(io.cwd, flags['project-config-dir']);

const projectFileIn = (cwd: string, named: string | undefined): ProjectFile | undefined =>
  findProjectFile(named ?? cwd, { isNamed: named !== undefined });

/**
 * The project: of a flag or variable, else of the project file; the project of a service token.
 *
 * @throws CommandError if no project is named.
 */
export async function projectOf(
  given: { readonly io: Given['io']; readonly flags: Omit<Given['flags'], 'env'> },
  client: CofferClient,
): Promise<string> {
  const { projectId, 'project-config-dir': directory } = given.flags;
  const found = projectId ?? projectFileIn(given.io.cwd, directory)?.projectId ?? (await ownProject(client));
  if (found) return found;
  throw usage('No project is named', 'Run coffer init in its directory, or pass --projectId');
}

/** The project of a service token; nothing for other tokens. */
const ownProject = async (client: CofferClient): Promise<string | undefined> =>
  client.serviceTokens.own.query().then(
    ({ projectId }) => projectId,
    () => undefined,
  );

/** The environment: of the flag or variable, else of the project file, else `dev`. */
export function environmentFor(given: Given): string {
  const file = given.isGiven('env') ? undefined : fileOf(given);
  return (file && environmentOf(file)) ?? given.flags.env;
}

/** `common/backend` is `/common/backend`: there is no folder in which a command works. */
const absolute = (path: string): string => (path.startsWith('/') ? path : `/${path}`);

/** The folder of a command. @throws CommandError if no project is named. */
export async function placeOfCommand(invocation: Invocation<typeof placeFlags>, client: CofferClient): Promise<Place> {
  const { flags, isGiven } = invocation;
  return {
    projectId: await projectOf(invocation, client),
    environment: environmentFor(invocation),
    secretPath: absolute(isGiven('path') ? flags.path : (fileOf(invocation)?.secretPath ?? flags.path)),
  };
}

/** The folders of a command with `--path` several times. @throws CommandError if no project is named. */
export async function placesOf(invocation: Invocation<typeof placesFlags>, client: CofferClient): Promise<Place[]> {
  const projectId = await projectOf(invocation, client);
  const environment = environmentFor(invocation);
  const { path } = invocation.flags;
  const paths = path.length ? path : [fileOf(invocation)?.secretPath ?? '/'];
  return paths.map((secretPath) => ({ projectId, environment, secretPath: absolute(secretPath) }));
}
