/** Stand-ins for those whose machines log in; apart from the others, since they are made of larger libraries. */
export * from './azure.ts';
export * from './cluster.ts';
export * from './google.ts';
export * from './sts.ts';
