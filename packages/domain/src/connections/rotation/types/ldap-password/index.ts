export { ldapPassword } from './ldap-password.ts';
