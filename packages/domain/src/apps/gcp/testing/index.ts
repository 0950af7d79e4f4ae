export * from './cloud.ts';
