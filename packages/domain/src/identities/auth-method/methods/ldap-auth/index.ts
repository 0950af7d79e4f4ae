export * from './ldap-auth.ts';
