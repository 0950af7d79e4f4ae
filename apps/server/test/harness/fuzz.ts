// What the fuzzer (`bench/fuzz.ts`) takes from the tests: a world with one of everything, and what each field names.
export { FITTING } from './matrix-sample.ts';
export { makeWorld, thingOf, type World } from './matrix-world.ts';
export type { Caller } from './test-server.ts';
