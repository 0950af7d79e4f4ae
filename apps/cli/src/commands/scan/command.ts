import { defineCommand } from '../../table/command.ts';
import { changesFlags, installFlags, scanFlags } from './flags.ts';

export const scanCommand = defineCommand({
  name: 'scan',
  summary: 'find secrets in files and in the history of git',
  description:
    'Finds secrets: in the history of a repository, in files with --no-git, in standard input with --pipe. Ends with 1 (--exit-code) if it finds any. Rules are those of Coffer, or of --config, .coffer-scan.toml or .infisical-scan.toml; fingerprints in .cofferignore or .infisicalignore, and lines with coffer-scan:ignore, are left out.',
  flags: scanFlags,
  examples: [
    'coffer scan --verbose --redact',
    'coffer scan --no-git --source . --report-format sarif --report-path leaks.sarif',
    'coffer scan --log-opts="main..topic" --baseline-path leaks.json',
  ],
  load: async () => (await import('./scan.ts')).scan,
  commands: [
    defineCommand({
      name: 'git-changes',
      summary: 'find secrets in what is not committed yet',
      flags: changesFlags,
      load: async () => (await import('./scan.ts')).scanChanges,
    }),
    defineCommand({
      name: 'install',
      summary: 'search before each commit',
      flags: installFlags,
      load: async () => (await import('./hook.ts')).install,
    }),
  ],
});
