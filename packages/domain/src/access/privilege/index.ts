export { requireMayAssign } from './authorize-assigning.ts';
export * from './legacy.ts';
export * from './privilege.service.ts';
export * from './privilege.ts';
