export { ldap, type LdapAccess } from './ldap.ts';
