import type { Io } from '../io.ts';

/** A flag of a command: `--name value`, `--name=value`, and for switches `--name`, `--name=false`. */
export interface Flag<Value = unknown> {
  readonly type: 'text' | 'switch' | 'number' | 'list';
  /** For people: what it does. */
  readonly summary: string;
  /** One letter: `-e`. */
  readonly short?: string;
  /** The value without the flag. */
  readonly default?: Value;
  /** The values that it takes. */
  readonly choices?: readonly string[];
  /** What the value stands for in the help, such as `duration`. */
  readonly placeholder?: string;
  /** Variables of the environment that stand in for the flag, the first that is set. */
  readonly env?: readonly string[];
  /** Its value is a secret: on the command line it is visible to others, which causes a warning. */
  readonly secret?: true;
  /** Only the caller sets it, as what is secret: a project file may be written by anybody who changes the repository. */
  readonly byCaller?: true;
  /** The smallest number. */
  readonly min?: number;
}

export type Flags = Readonly<Record<string, Flag>>;

type FlagOptions<Value> = Omit<Flag<Value>, 'type' | 'summary' | 'default'>;

/** A text. */
export const text = (summary: string, options: FlagOptions<string> = {}): Flag<string | undefined> => ({
  type: 'text',
  summary,
  ...options,
});

/** A text with a default. */
export const textOr = (value: string, summary: string, options: FlagOptions<string> = {}): Flag<string> => ({
  type: 'text',
  summary,
  default: value,
  ...options,
});

/** On or off. */
export const toggle = (value: boolean, summary: string, options: FlagOptions<boolean> = {}): Flag<boolean> => ({
  type: 'switch',
  summary,
  default: value,
  ...options,
});

/** A whole number with a default. */
export const numberOr = (value: number, summary: string, options: FlagOptions<number> = {}): Flag<number> => ({
  type: 'number',
  summary,
  default: value,
  ...options,
});

/** A flag that can be given several times. */
export const list = (summary: string, options: FlagOptions<readonly string[]> = {}): Flag<readonly string[]> => ({
  type: 'list',
  summary,
  default: [],
  ...options,
});

export interface Argument {
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  /** Takes all that follow. */
  readonly many?: true;
}

/** The values of flags. */
export type Values<Given extends Flags> = {
  readonly [Name in keyof Given]: Given[Name] extends Flag<infer Value> ? Value : never;
};

/** One invocation, as its command sees it. */
export interface Invocation<Given extends Flags = Flags> {
  readonly flags: Values<Given & typeof globalFlags>;
  readonly args: readonly string[];
  /** Whether the flag was given, on the command line or by its variable. */
  readonly isGiven: (name: string) => boolean;
  readonly io: Io;
  /** The table of all commands. */
  readonly root: Command;
}

/** What a command does. Returns its exit code where that is not 0. */
export type Action<Given extends Flags = Flags> = (invocation: Invocation<Given>) => Promise<number | void>;

export interface Command<Given extends Flags = Flags> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly args?: readonly Argument[];
  readonly flags?: Given;
  readonly examples?: readonly string[];
  readonly commands?: readonly Command[];
  /** Loads what it does; absent where it only has subcommands. */
  readonly load?: () => Promise<Action<Given>>;
  /** Why it is not offered: it ends with this message and the exit code for a usage error. */
  readonly notOffered?: string;
  /** All that follows its own flags belongs to another program. */
  readonly passesArguments?: true;
}

/** Declares a command, typed by its flags. */
export const defineCommand = <const Given extends Flags = {}>(command: Command<Given>): Command =>
  command as unknown as Command;

/** Flags of every command. */
export const globalFlags = {
  domain: text('URL of the server', {
    placeholder: 'url',
    env: ['COFFER_DOMAIN', 'COFFER_API_URL', 'INFISICAL_DOMAIN', 'INFISICAL_API_URL'],
    byCaller: true,
  }),
  profile: text('login to use, where there are several', { env: ['COFFER_PROFILE'], byCaller: true }),
  json: toggle(false, 'print the result as JSON'),
  silent: toggle(false, 'print no messages, only results and errors'),
  'log-level': textOr('info', 'least level of messages', {
    short: 'l',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
  }),
  'log-format': textOr('console', 'form of messages', { choices: ['console', 'json'] }),
  'log-destination': textOr('stderr', 'where messages go', { choices: ['stderr', 'stdout'] }),
  telemetry: toggle(false, 'accepted for compatibility: nothing is ever sent'),
  help: toggle(false, 'show the help of a command', { short: 'h' }),
} as const satisfies Flags;
