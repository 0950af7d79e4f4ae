export { openCassandra, type CassandraSession } from './session.ts';
