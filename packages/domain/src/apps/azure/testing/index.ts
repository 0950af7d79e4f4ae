export * from './cloud.ts';
export * from './graph.ts';
