export * from './dn.ts';
export * from './ldif.ts';
export * from './session.ts';
export * from './template.ts';
