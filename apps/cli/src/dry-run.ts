import type { CofferClient } from '@coffer/client';
import { toggle, type Flags } from './table/command.ts';

/** Of commands that change something at the server. */
export const dryRunFlags = {
  'dry-run': toggle(false, 'print the change that would be made, and make none'),
} as const satisfies Flags;

/** A dry run has come to a change. */
export class WouldChange extends Error {
  override readonly name = 'WouldChange';
  /** The name of the operation, such as `folders.create`. */
  readonly operation: string;
  readonly input: unknown;

  constructor(operation: string, input: unknown) {
    super(`${operation} would change something`);
    this.operation = operation;
    this.input = input;
  }

  /** In JSON, without what is secret. */
  show(): string {
    const shown = JSON.stringify(
      { operation: this.operation, input: this.input },
      (name, value: unknown) => (SECRET.test(name) && typeof value === 'string' ? '***' : value),
      2,
    );
    return `${shown}\n`;
  }
}

const SECRET = /password|secret|token|code/i;

/** A client that reads, and ends a command at its first change: what it does not send, no command can send by mistake. */
export const withoutChanges = (client: CofferClient): CofferClient => guarded(client, []) as CofferClient;

const guarded = (target: object, path: readonly string[]): object =>
  new Proxy(target, {
    get(_target, name): unknown {
      if (name === 'mutate') return (input: unknown) => Promise.reject(new WouldChange(path.join('.'), input));
      const found: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || typeof found !== 'object' || found === null) return found;
      return guarded(found, [...path, name]);
    },
  });
