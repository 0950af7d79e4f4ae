export * from './client.ts';
export * from './mssql.ts';
export * from './mysql.ts';
export * from './postgres.ts';
export * from './statement.ts';
