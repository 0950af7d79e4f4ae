import { numberOr, text, textOr, toggle, type Flags } from '../../table/command.ts';
import { PLATFORM_NAMES } from './link.ts';

const byCaller = true;

/** Flags of every scan. */
export const searchFlags = {
  source: textOr('.', 'file or directory to search', { short: 's', placeholder: 'path', byCaller }),
  config: text('file with rules, in TOML', {
    short: 'c',
    placeholder: 'path',
    env: ['COFFER_SCAN_CONFIG', 'INFISICAL_SCAN_CONFIG'],
    byCaller,
  }),
  'report-path': text('file for the report, with mode 0600', { short: 'r', placeholder: 'path', byCaller }),
  'report-format': textOr('json', 'form of the report', { short: 'f', choices: ['json', 'csv', 'sarif'] }),
  'baseline-path': text('file with an earlier report, whose findings are left out', {
    short: 'b',
    placeholder: 'path',
    byCaller,
  }),
  verbose: toggle(false, 'print each finding', { short: 'v' }),
  redact: toggle(false, 'replace secrets in reports and on the terminal'),
  'exit-code': numberOr(1, 'exit code if something is found', { min: 0 }),
  'max-target-megabytes': numberOr(50, 'megabytes of a text; larger ones are left out, 0 is no limit', { min: 0 }),
  'no-color': toggle(false, 'accepted for compatibility: findings have no colors'),
} as const satisfies Flags;

const logOptions = text('options of git log, such as --since=2026-01-01 or main..topic', {
  placeholder: 'options',
  byCaller,
});

export const scanFlags = {
  ...searchFlags,
  'no-git': toggle(false, 'search files as they are, and no history'),
  pipe: toggle(false, 'search standard input'),
  'log-opts': logOptions,
  'follow-symlinks': toggle(false, 'also search files to which links lead'),
  platform: textOr('none', 'where the origin is kept, for links to findings', { choices: PLATFORM_NAMES }),
} as const satisfies Flags;

export const changesFlags = {
  ...searchFlags,
  staged: toggle(false, 'only what is staged for the next commit'),
  'log-opts': text('accepted for compatibility: changes have no log', { placeholder: 'options', byCaller }),
} as const satisfies Flags;

export const installFlags = {
  'pre-commit-hook': toggle(false, 'before each commit, search what is staged'),
} as const satisfies Flags;
