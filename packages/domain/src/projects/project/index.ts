export * from './create.ts';
export * from './find.ts';
export * from './project.entity.ts';
export * from './project.ts';
export * from './deletion-blocker.ts';
