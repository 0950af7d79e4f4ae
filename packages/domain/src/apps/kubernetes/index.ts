export * from './api-server.ts';
