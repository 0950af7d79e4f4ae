export * from './delete.ts';
