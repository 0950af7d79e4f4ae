import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { failure, usage } from '../../exit.ts';
import { makeDirectory, pathOf, readIfThere, writeWhole } from '../../files.ts';
import type { Action } from '../../table/command.ts';
import type { installFlags } from './flags.ts';
import { askGit } from './git.ts';

const COMMAND = 'coffer scan git-changes --staged --verbose --redact';
const HOOK = `#!/bin/sh\n`;

/** Adds a hook to a repository that refuses commits with secrets. What is there of a hook stays. */
export const install: Action<typeof installFlags> = async ({ flags, io }) => {
  if (!flags['pre-commit-hook']) throw usage('coffer scan install needs --pre-commit-hook');
  const found = await askGit(io.cwd, 'rev-parse', '--git-path', 'hooks/pre-commit');
  if (!found) throw failure(`${io.cwd} is in no repository of git`);
  const path = pathOf(found, io.cwd);
  const before = readIfThere(path);
  if (before?.includes(COMMAND)) return io.say('info', `${path} scans already`);
  requireShell(path, before);
  makeDirectory(dirname(path));
  writeWhole(
    path,
    `${before?.trimEnd().concat('\n') ?? HOOK}\n# Refuses commits with secrets; once: git commit --no-verify\n${COMMAND} || exit 1\n`,
    { mode: 0o755 },
  );
  chmodSync(path, 0o755);
  io.say('info', `${path} scans what is committed`);
};

/** @throws CommandError for a hook in another language. */
function requireShell(path: string, before: string | undefined): void {
  if (before === undefined || /^#!.*\b(?:sh|bash|dash|zsh|ksh)\s*$/m.test(before.split('\n', 1)[0]!)) return;
  throw failure(`${path} is no shell script`, `Add this to it: ${COMMAND}`);
}
