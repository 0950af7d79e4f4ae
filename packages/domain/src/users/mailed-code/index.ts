export * from './mailed-code.ts';
