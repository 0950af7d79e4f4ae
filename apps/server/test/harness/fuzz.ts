// What the fuzzer (`bench/fuzz.ts`) uses of the tests: a world with one of everything, and what each field refers to.
export { FITTING } from './matrix-sample.ts';
export { makeWorld, thingOf, type World } from './matrix-world.ts';
export type { Caller } from './test-server.ts';
