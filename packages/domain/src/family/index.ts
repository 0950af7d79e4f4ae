export * from './receiver.ts';
export * from './remote-error.ts';
export * from './remote-session.ts';
