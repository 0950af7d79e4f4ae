export * from './commands.ts';
export * from './session.ts';
