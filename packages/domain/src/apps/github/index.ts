export * from './client.ts';
export * from './installation.ts';
