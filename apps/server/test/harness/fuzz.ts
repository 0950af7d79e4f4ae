// What the fuzzer (`bench/fuzz.ts`) and the tests of the command line use: a server, and a world with one of everything.
export { FITTING } from './matrix-sample.ts';
export { makeWorld, thingOf, type World } from './matrix-world.ts';
export { testServer, type Caller, type TestServer } from './test-server.ts';
