export { requireMayAssign } from './authorize-assigning.ts';
export { endPrivileges } from './end.ts';
export * from './legacy.ts';
export * from './privilege.service.ts';
export * from './privilege.ts';
