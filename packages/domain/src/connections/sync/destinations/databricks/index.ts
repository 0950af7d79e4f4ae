export { databricks } from './databricks.ts';
