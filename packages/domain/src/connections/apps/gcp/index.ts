export { gcp, GcpProjectId } from './gcp.ts';
