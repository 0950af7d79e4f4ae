export * from './import.service.ts';
export * from './import.ts';
