export * from './renewal.ts';
