export { ldap } from './ldap.ts';
