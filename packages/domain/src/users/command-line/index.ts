export * from './command-line.service.ts';
export * from './command-line.ts';
