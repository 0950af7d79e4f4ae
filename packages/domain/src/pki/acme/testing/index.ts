export * from './challenge-server.ts';
