import { CofferError } from '@coffer/client';
import { WouldChange } from './dry-run.ts';
import { explain } from './explain.ts';
import { CommandError, EXIT, usage } from './exit.ts';
import { helpOf } from './help.ts';
import { processIo, type Io, type IoOptions, type Level } from './io.ts';
import { nameOf, nearest, parse, type Parsed } from './parse.ts';
import { findProjectFile, foreignProjectFiles } from './project-file.ts';
import type { Command, Invocation } from './table/command.ts';
import { table } from './table/table.ts';
import { VERSION } from './version.ts';

/** Carries out one command line and returns its exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let io = processIo({ level: 'info', format: 'console', destination: 'stderr', silent: false });
  try {
    // `coffer help run` is `coffer run --help`.
    const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
    const parsed = parse(table, words, process.env, (command) => defaultsOf(command, process.cwd()));
    io = processIo(ioOptions(parsed));
    return await carryOut(parsed, io).catch((error: unknown) => report(error, io, parsed));
  } catch (error) {
    return report(error, io);
  }
}

/**
 * Defaults of flags in the project file: for all commands under an empty name, for one under its words. A damaged file has none; the
 * commands that need it say so.
 */
function defaultsOf(command: string, cwd: string): Readonly<Record<string, unknown>> {
  try {
    const flags = findProjectFile(cwd)?.flags ?? {};
    return { ...flags[''], ...flags[command] };
  } catch (error) {
    if (error instanceof CommandError) return {};
    throw error;
  }
}

const ioOptions = ({ flags }: Parsed): IoOptions => ({
  level: flags['log-level'] as Level,
  format: flags['log-format'] as IoOptions['format'],
  destination: flags['log-destination'] as IoOptions['destination'],
  silent: flags['silent'] as boolean,
});

async function carryOut(parsed: Parsed, io: Io): Promise<number> {
  const { path, flags } = parsed;
  const command = path.at(-1)!;
  if (command.notOffered) throw usage(`coffer ${nameOf(path)}: ${command.notOffered}`);
  if (path.length === 1 && flags['version']) {
    io.write(flags['json'] ? `${JSON.stringify({ version: VERSION })}\n` : `coffer version ${VERSION}\n`);
    return EXIT.done;
  }
  if (flags['help'] || (!command.load && !parsed.args.length)) {
    io.write(helpOf(path));
    return flags['help'] || path.length === 1 ? EXIT.done : EXIT.usage;
  }
  if (!command.load) throw unknownCommand(path, parsed.args[0]!);
  requireArguments(parsed, command);
  for (const name of parsed.exposed)
    io.say(
      'warn',
      `--${name} on the command line is visible to other users of this machine; use its variable, or log in`,
    );
  for (const file of foreignProjectFiles(io.cwd))
    io.say(
      'warn',
      `${file} belongs to another user and is left out; if it is yours, name its directory: --project-config-dir`,
    );
  const action = await command.load();
  const invocation: Invocation = {
    flags: flags as Invocation['flags'],
    args: parsed.args,
    isGiven: (name) => parsed.given.has(name),
    io,
    root: path[0]!,
  };
  return (await action(invocation)) ?? EXIT.done;
}

function unknownCommand(path: readonly Command[], word: string): CommandError {
  const names = [...(path.at(-1)!.commands?.map(({ name }) => name) ?? []), ...(path.length === 1 ? ['help'] : [])];
  const near = nearest(word, names);
  const whole = ['coffer', ...path.slice(1).map(({ name }) => name)].join(' ');
  return usage(`${whole} has no command ${word}${near ? `; did you mean ${near}?` : ''}`, `See: ${whole} --help`);
}

function requireArguments(
  { path, args }: Parsed,
  { args: wanted = [], commands = [], passesArguments }: Command,
): void {
  const whole = `coffer ${nameOf(path)}`;
  if (passesArguments) return;
  const missing = wanted.filter(({ optional }) => !optional)[args.length];
  if (missing) throw usage(`${whole} needs ${missing.name}: ${missing.summary}`, `See: ${whole} --help`);
  if (wanted.some(({ many }) => many) || args.length <= wanted.length) return;
  if (commands.length && !wanted.length) throw unknownCommand(path, args[0]!);
  throw usage(
    `${whole} takes ${wanted.length || 'no'} argument${wanted.length === 1 ? '' : 's'}; ${args.at(wanted.length)} is one too many`,
  );
}

/** Tells people what went wrong, and programs the kind of it. */
function report(error: unknown, io: Io, parsed?: Parsed): number {
  if (error instanceof WouldChange) {
    io.write(error.show());
    io.say('info', 'Nothing was changed');
    return EXIT.done;
  }
  const known = error instanceof CommandError ? error : explain(error);
  const hint = known.hint ?? (error instanceof CofferError && parsed ? placeHint(error, parsed) : undefined);
  io.say('error', known.message);
  if (hint) io.say('error', hint);
  return known.exitCode;
}

/** The flags by which a place is named that is not there. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  'folder.not_found': ['env', 'path'],
  'environment.not_found': ['env'],
  'project.not_found': ['projectId'],
};

/** Where it was looked for: people do not always know what a default, a variable or a project file has chosen. */
function placeHint({ reason }: CofferError, { flags }: Parsed): string | undefined {
  const named = (PLACES[reason] ?? []).filter((name) => flags[name] !== undefined);
  return named.length
    ? `It was looked for with ${named.map((name) => `--${name} ${String(flags[name])}`).join(' ')}`
    : undefined;
}
