export * from './cloud.ts';
export * from './graph.ts';
export * from './vault-certificates.ts';
