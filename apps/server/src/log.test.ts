import { DomainError } from '@coffer/domain';
import { describe, expect, it } from 'vitest';
import { describeError, makeLog } from './log.ts';

function memory() {
  const lines: string[] = [];
  return {
    log: makeLog('debug', { write: (line: string) => void lines.push(line) }),
    lines,
    last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>,
  };
}

/** An error as the database driver makes it. */
const databaseError = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name: 'error', code, severity: 'ERROR', ...more });

describe('makeLog', () => {
  it('writes a line of JSON with a time and a level', () => {
    const { log, last } = memory();
    log.info({ reqId: 'req-1' }, 'request');
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      reqId: 'req-1',
      msg: 'request',
    });
  });

  it.each([
    'authorization',
    'cookie',
    'password',
    'newPassword',
    'accessToken',
    'clientSecret',
    'secretValue',
    'value',
    'headers',
    'body',
    'DATABASE_PASSWORD',
  ])('hides the value of a field called %s, at any depth', (field) => {
    const { log, lines, last } = memory();
    log.warn({ [field]: 'canary', request: { inner: { [field]: { text: 'canary' } }, kept: 1 } }, 'x');
    expect(lines.join()).not.toContain('canary');
    expect(last()).toMatchObject({ request: { kept: 1 } });
  });

  it('does not modify its argument', () => {
    const { log } = memory();
    const given = { request: { password: 'canary' } };
    log.info(given, 'x');
    expect(given).toEqual({ request: { password: 'canary' } });
  });
});

describe('describeError', () => {
  it('reports what failed and where, with the causes', () => {
    const error = new DomainError('unavailable', 'audit.unwritable', 'The audit log cannot be written', {
      cause: databaseError('53100', 'could not extend file: No space left on device'),
    });
    expect(describeError(error)).toMatchObject({
      type: 'DomainError',
      code: 'audit.unwritable',
      message: 'The audit log cannot be written',
      stack: expect.stringMatching(/^ {4}at /) as string,
      cause: { type: 'error', code: '53100', message: 'could not extend file: No space left on device' },
    });
  });

  it.each([
    ['a database error that quotes a value', databaseError('22P02', 'invalid input syntax for type uuid: "canary"')],
    [
      'a database error with details',
      databaseError('23505', 'duplicate key\n - detail: Key (name)=(canary) already exists.', {
        detail: 'Key (name)=(canary)',
        where: 'canary',
        query: 'canary',
      }),
    ],
    ['a wrapped one', new Error('23505: canary', { cause: databaseError('23502', 'Failing row contains (canary)') })],
    [
      'text that is no JSON',
      (() => {
        try {
          JSON.parse('canary {');
        } catch (error) {
          return error;
        }
        return undefined;
      })(),
    ],
    ['no error at all', 'canary'],
  ])('hides the content of %s', (_, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain('canary');
  });

  it('ends if causes form a cycle', () => {
    const error = new Error('a');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).length).toBeLessThan(20_000);
  });
});
