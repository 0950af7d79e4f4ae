export * from './create.ts';
export * from './environment.entity.ts';
export * from './environment.ts';
