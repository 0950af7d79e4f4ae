export * from './ability.ts';
export * from './access.ts';
export * from './built-in-roles.ts';
export * from './catalogue.ts';
export * from './condition.ts';
export * from './grants.ts';
export * from './rule.ts';
