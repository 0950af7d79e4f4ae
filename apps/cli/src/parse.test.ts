import { describe, expect, it } from 'vitest';
import { CommandError } from './exit.ts';
import { nearest, parse } from './parse.ts';
import { defineCommand, list, numberOr, text, textOr, toggle } from './table/command.ts';

const table = {
  name: 'coffer',
  summary: 'all',
  commands: [
    defineCommand({
      name: 'read',
      summary: 'reads',
      flags: {
        env: textOr('dev', 'environment', { short: 'e', env: ['FIRST', 'SECOND'] }),
        projectId: text('project', { secret: true }),
        expand: toggle(true, 'expand', { short: 'x' }),
        path: list('paths'),
        wait: numberOr(10, 'seconds', { min: 5 }),
        format: textOr('a', 'form', { choices: ['a', 'b'] }),
      },
      load: async () => async () => undefined,
      commands: [defineCommand({ name: 'one', summary: 'reads one', load: async () => async () => undefined })],
    }),
    defineCommand({
      name: 'run',
      summary: 'runs',
      passesArguments: true,
      flags: { env: textOr('dev', 'environment') },
    }),
  ],
};
const read = (argv: readonly string[], env = {}, file = {}) => parse(table, argv, env, () => file);
const faultOf = (argv: readonly string[]) => {
  try {
    read(argv);
  } catch (error) {
    if (error instanceof CommandError) return [error.exitCode, error.message];
    throw error;
  }
  throw new Error('It was accepted');
};

describe('a command line', () => {
  it.each([
    [['read', '--env', 'prod'], 'prod'],
    [['read', '--env=prod'], 'prod'],
    [['read', '-e', 'prod'], 'prod'],
    [['read', '-eprod'], 'prod'],
    [['read', '-e=prod'], 'prod'],
    [['read', '--env='], ''],
    [['read', '--env', '--prod'], '--prod'],
    [['read', '--env', 'a=b'], 'a=b'],
    [['read', '--env', 'one', '--env', 'two'], 'two'],
  ])('takes %j', (argv, expected) => expect(read(argv).flags['env']).toBe(expected));

  it.each([
    [['read', '--expand'], true],
    [['read', '--expand=true'], true],
    [['read', '--expand=false'], false],
    [['read', '--expand=0'], false],
    [['read', '-x=false'], false],
    [['read'], true],
  ])('reads the switch in %j', (argv, expected) => expect(read(argv).flags['expand']).toBe(expected));

  it('takes names of flags with and without dashes, whatever their case', () => {
    for (const name of ['projectId', 'project-id', 'projectid'])
      expect(read(['read', `--${name}`, 'x']).flags['projectId']).toBe('x');
  });

  it('collects a flag that is repeated, and leaves arguments in order', () => {
    const { flags, args, path } = read(['read', 'A', '--path', '/a', 'B', '--path=/b', '--', '--env', 'C']);
    expect([flags['path'], args, path.length]).toEqual([['/a', '/b'], ['A', 'B', '--env', 'C'], 2]);
  });

  it('leaves all that follows the first argument to a program', () => {
    expect(read(['run', '--env', 'prod', 'node', '--env', 'x', '-v', '--', 'y'])).toMatchObject({
      flags: { env: 'prod' },
      args: ['node', '--env', 'x', '-v', '--', 'y'],
    });
    expect(read(['run', '--', 'read', '--env']).args).toEqual(['read', '--env']);
  });

  it('finds commands below commands', () => {
    expect(read(['read', 'one']).path.map(({ name }) => name)).toEqual(['coffer', 'read', 'one']);
    expect(read(['read', 'A', 'one']).args).toEqual(['A', 'one']);
  });

  it('prefers the flag to its variables, the first variable to the second, and these to the project file', () => {
    const env = { FIRST: 'first', SECOND: 'second' };
    expect(read(['read', '-e', 'flag'], env).flags['env']).toBe('flag');
    expect(read(['read'], env).flags['env']).toBe('first');
    expect(read(['read'], { FIRST: '', SECOND: 'second' }, { env: 'file' }).flags['env']).toBe('second');
    expect(read(['read'], {}, { env: 'file', path: ['/x'], expand: false, wait: 7 }).flags).toMatchObject({
      env: 'file',
      path: ['/x'],
      expand: false,
      wait: 7,
    });
    expect(read(['read'], {}, { env: 'file' }).given.has('env')).toBe(false);
  });

  it('names the secrets that it shows to others', () => {
    expect(read(['read', '--projectId', 'x']).exposed).toEqual(['projectId']);
    expect(read(['read'], { FIRST: 'x' }).exposed).toEqual([]);
  });

  it.each([
    [['read', '--evn', 'x'], 'coffer read has no flag --evn; did you mean --env?'],
    [['read', '--colour'], 'coffer read has no flag --colour'],
    [['read', '-q'], 'coffer read has no flag -q'],
    [['read', '--env'], '--env needs a value'],
    [['read', '--expand=maybe'], '--expand is maybe; it can be true or false'],
    [['read', '--wait', 'soon'], '--wait is soon; it has to be a whole number'],
    [['read', '--wait', '4'], '--wait is 4; the minimum is 5'],
    [['read', '--format', 'c'], '--format is c; it can be a, b'],
    [['read', '-xfalse'], '-x takes no value'],
  ])('%j ends with the exit code for usage and says what is wrong', (argv, message) =>
    expect(faultOf(argv)).toEqual([2, message]),
  );
});

describe('a typing error', () => {
  it('has the nearest name, if one is near', () => {
    expect(nearest('secret', ['secrets', 'ssh'])).toBe('secrets');
    expect(nearest('exprot', ['export', 'run'])).toBe('export');
    expect(nearest('x', ['export', 'run'])).toBeUndefined();
    expect(nearest('x'.repeat(1000), ['export'])).toBeUndefined();
  });
});
