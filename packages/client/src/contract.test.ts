import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { AppRouter } from '@coffer/api';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { expect, it } from 'vitest';
import type { NoInput } from './call.ts';
import type { Api, Inputs, Outputs } from './index.ts';

const generator = join(import.meta.dirname, '../scripts/generate.ts');

it('matches the router', () => {
  const { status, stderr } = spawnSync(process.execPath, [generator, '--check'], { encoding: 'utf8' });
  expect(stderr.replaceAll(/^.*Warning.*\n/gm, '')).toBe('');
  expect(status).toBe(0);
});

// The compiler checks the rest. Each of these types is the union of the procedures that do not match, by name; if one
// is not `never`, its line below does not compile.

type RouterInputs = inferRouterInputs<AppRouter>;
type RouterOutputs = inferRouterOutputs<AppRouter>;
type Call = { query: unknown } | { mutate: unknown } | { subscribe: unknown };
type IsAny<T> = 0 extends 1 & T ? true : false;
type Fits<From, To> = [From] extends [To] ? true : false;

/** Walks the contract beside what tRPC infers from the router. */
type Misfits<Tree, Theirs, Router, Towards extends 'router' | 'contract', Path extends string = ''> = {
  [Name in keyof Tree & string]: Name extends keyof Theirs & keyof Router
    ? Tree[Name] extends Call
      ? IsAny<Router[Name]> extends true
        ? `${Path}${Name} is any`
        : (
              Towards extends 'router'
                ? Fits<Given<Theirs[Name]>, Router[Name]>
                : Fits<Heard<Router[Name]>, Theirs[Name]>
            ) extends true
          ? never
          : `${Path}${Name}`
      : Misfits<Tree[Name], Theirs[Name], Router[Name], Towards, `${Path}${Name}.`>
    : `${Path}${Name} is not in the router`;
}[keyof Tree & string];

/** The router's input type of a procedure without input is `void`. */
type Given<Input> = NoInput extends Input ? (Input extends NoInput ? never : Input) : Input;

/** The type of a subscription's events. */
type Heard<Output> = Output extends AsyncIterable<infer One> ? One : Output;

/** What the router has and the contract does not. */
type Missing<Tree, Router, Path extends string = ''> = {
  [Name in keyof Router & string]: Name extends keyof Tree
    ? Tree[Name] extends Call
      ? never
      : Missing<Tree[Name], Router[Name], `${Path}${Name}.`>
    : `${Path}${Name}`;
}[keyof Router & string];

type None<Names extends never> = Names;

export type Checks = [
  None<Missing<Api, RouterInputs>>,
  None<Misfits<Api, Inputs, RouterInputs, 'router'>>,
  None<Misfits<Api, Outputs, RouterOutputs, 'contract'>>,
];
