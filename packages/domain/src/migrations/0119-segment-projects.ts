import { migration } from './migration.ts';

/** Whether an organization ever had a project was looked for in all of its segments. */
export const m0119SegmentProjects = migration(
  '0119-segment-projects',
  'create index audit_segments_projects on audit_segments using gin (project_ids);',
);
