import { flagMeaning, flagWords, isOffered, usageOf } from '../../help.ts';
import { VERSION } from '../../version.ts';
import { globalFlags, type Action, type Command, type Flag } from '../../table/command.ts';

export const printManual: Action = async ({ io, root }) => {
  const sections = (root.commands ?? []).filter(isOffered).flatMap((one) => sectionsOf([root, one]));
  io.write(
    [
      `.TH COFFER 1 "" "coffer ${VERSION}"`,
      '.SH NAME',
      `coffer \\- ${escape(root.summary)}`,
      '.SH SYNOPSIS',
      'coffer <command> [flags]',
      '.SH COMMANDS',
      ...sections,
      '.SH FLAGS OF EVERY COMMAND',
      ...flagLines(globalFlags),
      '.SH EXIT STATUS',
      '0 success, 1 failure, 2 wrong usage, 3 not logged in, 4 denied, 5 the server is unreachable. A program under coffer run has its own.',
      '',
    ].join('\n'),
  );
};

function sectionsOf(path: readonly Command[]): string[] {
  const command = path.at(-1)!;
  return [
    ...(command.load
      ? [
          `.SS ${escape(usageOf(path))}`,
          escape(command.description ?? command.summary),
          ...flagLines(command.flags ?? {}),
        ]
      : []),
    ...(command.commands ?? []).filter(isOffered).flatMap((one) => sectionsOf([...path, one])),
  ];
}

const flagLines = (flags: Readonly<Record<string, Flag>>): string[] =>
  Object.entries(flags).flatMap(([name, flag]) => [
    '.TP',
    `.B ${escape(flagWords(name, flag).trim())}`,
    escape(flagMeaning(flag)),
  ]);

/** Text for roff: no line of it is a request. */
const escape = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^[.']/, String.raw`\&$&`);
