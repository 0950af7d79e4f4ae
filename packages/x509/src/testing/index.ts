export { debianProgram, type DebianProgram } from './debian-program.ts';
export { judges } from './tools.ts';
